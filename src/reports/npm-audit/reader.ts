// Reads `npm audit --json`: of npm 7 and later (vulnerabilities by package) and of npm 6 (advisories by number).

import { firstValues, type Given, jsonRows } from '../json-rows.ts'
import { advisoryRows, observedOf, stableIdOf } from '../npm-advisory.ts'
import type { ReportReader, ReportSource, Row } from '../types.ts'
import { type Fields, isObject, links, list, object, paragraphs, text, texts, vulnerabilityIdsIn } from '../values.ts'

const TOOL = 'npm audit'

export const npmAudit: ReportReader = {
  format: 'npm-audit',
  label: 'npm audit JSON',
  recognises: ({ text: head }) =>
    /"auditReportVersion"\s*:/.test(head) ||
    (/^\s*\{\s*"(?:message"\s*:\s*"|error"\s*:\s*\{)/.test(head) && FAILED.test(head)) ||
    (/"advisories"\s*:\s*\{/.test(head) && /"actions"\s*:|"muted"\s*:|"module_name"\s*:/.test(head)),
  read,
}

/** What npm writes where it could not ask; between what it says and this may stand the answer that it got. */
const FAILED = /"error"\s*:\s*\{[^{}]{0,4000}"summary"\s*:/

async function* read(source: ReportSource): AsyncGenerator<Row> {
  yield* jsonRows(source, ['vulnerabilities.*', 'advisories.*'], (given) =>
    given.path === 'advisories.*' ? advisoryRows(object(given.value), given.at, TOOL) : ofSeven(given),
  )
  const told = await firstValues(source, ['error', 'message'])
  const failed = told.get('error')
  if (!isObject(failed)) return
  const said =
    text(failed.summary, 500) ?? text(told.get('message'), 500) ?? text(failed.code, 100) ?? 'no reason given'
  yield { kind: 'TRUNCATED', reason: `npm could not audit: ${said}` }
}

/** A package is vulnerable by advisories of its own; where it only depends on another that is, the other tells. */
function* ofSeven({ value, at: place }: Given): Iterable<Row> {
  const entry = object(value)
  const via = list(entry.via)
  const advisories = via.filter(isObject)
  if (!isObject(value) || via.length === 0) {
    yield { kind: 'LEFT_OUT', at: place, reason: 'It does not say what makes the package vulnerable' }
  } else if (advisories.length === 0) {
    const others = texts(via).join(', ')
    yield { kind: 'PASSED_OVER', at: place, reason: `It is vulnerable only through ${others}, reported separately` }
  }
  for (const [index, advisory] of advisories.entries()) {
    const inside = `${place}.via[${index}]`
    const name = text(advisory.dependency) ?? text(advisory.name) ?? text(entry.name)
    const title = text(advisory.title)
    if (name === undefined || title === undefined) {
      yield { kind: 'LEFT_OUT', at: inside, reason: 'It names no package, or no vulnerability' }
      continue
    }
    const observation = observedOf(advisory, name, title, TOOL, {
      ruleId: stableIdOf(advisory) ?? text(advisory.source),
      affectedVersion: text(advisory.range) ?? text(entry.range),
      fileName: texts(entry.nodes)[0],
      solution: fixOf(entry.fixAvailable),
      description: paragraphs(title, `${name} ${text(advisory.range) ?? ''}`, nodesText(entry)),
      reference: links(text(advisory.url)),
      vulnerabilityIds: vulnerabilityIdsIn(advisory.url),
    })
    yield { kind: 'OBSERVATION', at: inside, observation }
  }
}

/** npm names a version where the fix is an update of what is asked for itself. */
function fixOf(available: unknown): string | undefined {
  if (available === true) return 'Run npm audit fix.'
  const { name, version } = object(available)
  if (text(name) === undefined) return undefined
  return text(version) === undefined ? `Update ${text(name)}.` : `Update ${text(name)} to ${text(version)}.`
}

const nodesText = (entry: Fields): string | undefined => {
  const nodes = texts(entry.nodes)
  return nodes.length === 0 ? undefined : `Installed at ${nodes.slice(0, 50).join(', ')}`
}
