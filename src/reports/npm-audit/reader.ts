// Reads `npm audit --json`: of npm 7 and later (vulnerabilities by package) and of npm 6 (advisories by number).

import { firstValues, type Given, jsonRows } from '../json-rows.ts'
import type { ComponentObservation, ReportReader, ReportSource, Row } from '../types.ts'
import {
  at,
  between,
  cvssVectorOf,
  cwesIn,
  type Fields,
  headline,
  isObject,
  links,
  list,
  object,
  objects,
  paragraphs,
  severityOf,
  text,
  texts,
  uniq,
  vulnerabilityIdsIn,
} from '../values.ts'

export const npmAudit: ReportReader = {
  format: 'npm-audit',
  label: 'npm audit JSON',
  recognises: ({ text: head }) =>
    /"auditReportVersion"\s*:/.test(head) ||
    (/^\s*\{\s*("message"\s*:\s*"[^"]{0,2000}"\s*,\s*)?"error"\s*:\s*\{/.test(head) && /"summary"\s*:/.test(head)) ||
    (/"advisories"\s*:\s*\{/.test(head) && /"actions"\s*:|"muted"\s*:|"module_name"\s*:/.test(head)),
  read,
}

async function* read(source: ReportSource): AsyncGenerator<Row> {
  yield* jsonRows(source, ['vulnerabilities.*', 'advisories.*'], (given) =>
    given.path === 'advisories.*' ? ofSix(given) : ofSeven(given),
  )
  const failed = (await firstValues(source, ['error'])).get('error')
  if (!isObject(failed)) return
  const said = text(failed.summary, 500) ?? text(failed.code, 100) ?? 'no reason given'
  yield { kind: 'TRUNCATED', reason: `npm could not audit: ${said}` }
}

/** A package is vulnerable by advisories of its own; where it only depends on another that is, the other tells. */
function* ofSeven({ value, at: place }: Given): Iterable<Row> {
  const entry = object(value)
  const via = list(entry.via)
  const advisories = via.filter(isObject)
  if (!isObject(value) || via.length === 0) {
    yield { kind: 'LEFT_OUT', at: place, reason: 'It does not say by what the package is vulnerable' }
  } else if (advisories.length === 0) {
    const others = texts(via).join(', ')
    yield { kind: 'PASSED_OVER', at: place, reason: `It is vulnerable only through ${others}, told by itself` }
  }
  for (const [index, advisory] of advisories.entries()) {
    const inside = `${place}.via[${index}]`
    const name = text(advisory.dependency) ?? text(advisory.name) ?? text(entry.name)
    const title = text(advisory.title)
    if (name === undefined || title === undefined) {
      yield { kind: 'LEFT_OUT', at: inside, reason: 'It names no package, or no vulnerability' }
      continue
    }
    yield observed(inside, advisory, name, title, {
      ruleId: stableIdOf(advisory) ?? text(advisory.source),
      affectedVersion: text(advisory.range) ?? text(entry.range),
      fileName: texts(entry.nodes)[0],
      solution: fixOf(entry.fixAvailable),
      description: paragraphs(title, `${name} ${text(advisory.range) ?? ''}`, nodesText(entry)),
      reference: links(text(advisory.url)),
      vulnerabilityIds: vulnerabilityIdsIn(advisory.url),
    })
  }
}

/** npm names a version where the fix is an update of what is asked for itself. */
function fixOf(available: unknown): string | undefined {
  if (available === true) return 'Run npm audit fix.'
  const { name, version } = object(available)
  if (text(name) === undefined) return undefined
  return text(version) === undefined ? `Update ${text(name)}.` : `Update ${text(name)} to ${text(version)}.`
}

/** An advisory speaks of each version of the module that is installed. */
function* ofSix({ value, at: place }: Given): Iterable<Row> {
  const advisory = object(value)
  const name = text(advisory.module_name)
  const title = text(advisory.title)
  if (name === undefined || title === undefined) {
    yield { kind: 'LEFT_OUT', at: place, reason: 'It names no package, or no vulnerability' }
    return
  }
  const findings = objects(advisory.findings)
  for (const [index, finding] of (findings.length > 0 ? findings : [{} as Fields]).entries()) {
    const paths = texts(finding.paths)
    yield observed(findings.length > 1 ? `${place}.findings[${index}]` : place, advisory, name, title, {
      ruleId: stableIdOf(advisory) ?? text(advisory.id),
      affectedVersion: text(finding.version) ?? text(advisory.vulnerable_versions),
      patchedVersion: text(advisory.patched_versions),
      solution: text(advisory.recommendation),
      description: paragraphs(
        text(advisory.overview),
        paths.length === 0 ? undefined : `Through ${paths.slice(0, 50).join(', ')}`,
      ),
      reference: links(text(advisory.url), ...(text(advisory.references)?.split(/\s+/) ?? [])),
      vulnerabilityIds: uniq([
        ...texts(advisory.cves),
        ...(vulnerabilityIdsIn(advisory.github_advisory_id, advisory.url) ?? []),
      ]),
    })
  }
}

/** That of GitHub's database: npm numbers an advisory anew each time that it changes. */
const stableIdOf = (advisory: Fields): string | undefined =>
  vulnerabilityIdsIn(advisory.github_advisory_id, advisory.url)?.[0]

const nodesText = (entry: Fields): string | undefined => {
  const nodes = texts(entry.nodes)
  return nodes.length === 0 ? undefined : `Installed at ${nodes.slice(0, 50).join(', ')}`
}

function observed(
  place: string,
  advisory: Fields,
  name: string,
  title: string,
  more: Partial<ComponentObservation>,
): Row {
  const observation: ComponentObservation = {
    kind: 'COMPONENT',
    type: 'SCA_FINDING',
    toolName: 'npm audit',
    title: headline(title, title),
    severity: severityOf(advisory.severity),
    cvssScore: between(at(advisory.cvss, 'score'), 0.1, 10),
    cvssVector: cvssVectorOf(at(advisory.cvss, 'vectorString')),
    cweIds: cwesIn(advisory.cwe),
    package: name,
    packageManager: 'npm',
    ...more,
  }
  return { kind: 'OBSERVATION', at: place, observation }
}
