// Reads `cargo audit --json`: vulnerable packages in a Cargo.lock, and packages with a RustSec warning.

import { type Given, jsonRows } from '../json-rows.ts'
import type { ReportReader, ReportSource, Row } from '../types.ts'
import { cvssVectorOf, headline, isObject, links, object, paragraphs, text, textAt, texts, uniq } from '../values.ts'

export const cargoAudit: ReportReader = {
  format: 'cargo-audit',
  label: 'cargo audit JSON',
  recognises: ({ text: head }) =>
    /"(?:dependency|advisory)-count"\s*:/.test(head) && /"(?:lockfile|vulnerabilities)"\s*:\s*\{/.test(head),
  read,
}

async function* read(source: ReportSource): AsyncGenerator<Row> {
  yield* jsonRows(source, ['vulnerabilities.list[]', 'warnings.*[]', 'warnings[]'], rowsOf)
}

function* rowsOf({ value, path, at }: Given): Iterable<Row> {
  const [{ advisory, versions, kind }, name] = [object(value), textAt(value, 'package', 'name')]
  const id = textAt(advisory, 'id')
  if (name === undefined) yield { kind: 'LEFT_OUT', at, reason: 'It names no package' }
  else if (isObject(advisory) && id !== undefined) {
    const isWarning = path.startsWith('warnings')
    const patchedVersion = texts(object(versions).patched).slice(0, 20).join(' || ') || undefined
    yield {
      kind: 'OBSERVATION',
      at,
      observation: {
        kind: 'COMPONENT',
        type: 'SCA_FINDING',
        toolName: 'cargo audit',
        ruleId: id,
        title: headline(text(advisory.title), `${id} in ${name}`),
        description: paragraphs(text(advisory.title), text(advisory.description)),
        severity: isWarning ? 'NOTIFICATION' : undefined,
        cvssVector: cvssVectorOf(advisory.cvss),
        cweIds: kind === 'unmaintained' ? [1104] : undefined,
        vulnerabilityIds: uniq([id, ...texts(advisory.aliases)]),
        reference: links(
          text(advisory.url),
          `https://rustsec.org/advisories/${encodeURIComponent(id)}.html`,
          ...texts(advisory.references),
        ),
        tags: isWarning ? uniq([text(kind)]) : undefined,
        solution: patchedVersion === undefined ? undefined : `Update ${name} to ${patchedVersion}.`,
        package: name,
        affectedVersion: textAt(value, 'package', 'version'),
        patchedVersion,
        packageManager: 'crates.io',
        fileName: 'Cargo.lock',
      },
    }
  } else if (kind === 'yanked') {
    yield { kind: 'PASSED_OVER', at, reason: `This version of ${name} was withdrawn, which is not a vulnerability` }
  } else yield { kind: 'LEFT_OUT', at, reason: 'It names no vulnerability' }
}
