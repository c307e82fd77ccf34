// Reads `pip-audit --format json`: each package of an environment, with the vulnerabilities of its version.

import { headOf } from '../detect.ts'
import { type Given, jsonRows } from '../json-rows.ts'
import type { ReportHead, ReportReader, ReportSource, Row } from '../types.ts'
import { type Fields, headline, isObject, list, object, text, texts, uniq } from '../values.ts'

export const pipAudit: ReportReader = { format: 'pip-audit', label: 'pip-audit JSON', recognises, read }

/** Before version 2 the packages were the report itself. */
function recognises({ text: head }: ReportHead): boolean {
  return (
    /^\s*\{\s*"dependencies"\s*:\s*\[\s*\]\s*,\s*"fixes"\s*:/.test(head) ||
    (/^\s*(?:\{\s*"dependencies"\s*:\s*)?\[\s*\{\s*"name"\s*:/.test(head) &&
      /"(?:vulns"\s*:\s*\[|skip_reason"\s*:)/.test(head))
  )
}

async function* read(source: ReportSource): AsyncGenerator<Row> {
  const isArray = /^\s*\[/.test((await headOf(source)).text)
  yield* jsonRows(source, [isArray ? '[]' : 'dependencies[]'], packageRows)
}

function* packageRows({ value, at }: Given): Iterable<Row> {
  const entry = object(value)
  const name = text(entry.name)
  const skipped = text(entry.skip_reason, 500)
  if (name === undefined || (skipped === undefined && !Array.isArray(entry.vulns))) {
    yield { kind: 'LEFT_OUT', at, reason: 'It is not a package, or does not say whether it is vulnerable' }
  } else if (skipped !== undefined) {
    yield { kind: 'LEFT_OUT', at, reason: `${name} was not audited: ${skipped}`, isUndecided: true }
  }
  if (name !== undefined)
    for (const [index, each] of list(entry.vulns).entries())
      yield vulnerabilityRow(each, name, text(entry.version), `${at}.vulns[${index}]`)
}

/** The report says nothing of how severe it is. */
function vulnerabilityRow(value: unknown, name: string, version: string | undefined, at: string): Row {
  const vulnerability: Fields = object(value)
  const id = text(vulnerability.id)
  if (!isObject(value) || id === undefined) return { kind: 'LEFT_OUT', at, reason: 'It names no vulnerability' }
  const description = text(vulnerability.description)
  const patchedVersion = texts(vulnerability.fix_versions).slice(0, 20).join(', ') || undefined
  return {
    kind: 'OBSERVATION',
    at,
    observation: {
      kind: 'COMPONENT',
      type: 'SCA_FINDING',
      toolName: 'pip-audit',
      ruleId: id,
      title: headline(description, `${id} in ${name}`),
      description,
      vulnerabilityIds: uniq([id, ...texts(vulnerability.aliases)]),
      reference: `https://osv.dev/${encodeURIComponent(id)}`,
      solution: patchedVersion === undefined ? undefined : `Update ${name} to ${patchedVersion}.`,
      package: name,
      affectedVersion: version,
      patchedVersion,
      packageManager: 'PyPI',
    },
  }
}
