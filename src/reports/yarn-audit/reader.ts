// Reads `yarn audit --json` of Yarn 1 and `yarn npm audit --json` of Yarn 4: one document per line.

import { headOf } from '../detect.ts'
import { jsonRows } from '../json-rows.ts'
import { advisoryRows, observedOf, stableIdOf } from '../npm-advisory.ts'
import { rememberer } from '../once.ts'
import type { ReportHead, ReportReader, ReportSource, Row } from '../types.ts'
import { type Fields, isObject, links, object, paragraphs, text, texts, vulnerabilityIdsIn } from '../values.ts'

const TOOL = 'yarn audit'

export const yarnAudit: ReportReader = { format: 'yarn-audit', label: 'yarn audit JSON', recognises, read }

/** Yarn 1 writes a line of what it did in any case; where it could not ask, only what it complains of. */
const OF_ONE = /^\s*\{\s*"type"\s*:\s*"(?:audit(?:Advisory|Action|Summary)|error|warning|info)"\s*,\s*"data"\s*:/
const TOLD = /"type"\s*:\s*"(?:audit(?:Advisory|Action|Summary)|error)"\s*,\s*"data"\s*:/

const OF_FOUR = /^\s*\{\s*"value"\s*:\s*"[^"]{1,300}"\s*,\s*"children"\s*:\s*\{\s*"ID"\s*:/

function recognises({ text: head }: ReportHead): boolean {
  return (OF_ONE.test(head) && TOLD.test(head)) || OF_FOUR.test(head)
}

async function* read(source: ReportSource): AsyncGenerator<Row> {
  const isOne = OF_ONE.test((await headOf(source)).text)
  const tellsBefore = rememberer()
  let [count, isSummed, complaint] = [0, false, '']
  yield* jsonRows(source, [''], ({ value }) => {
    const line = object(value)
    const where = `line ${++count}`
    if (isObject(line.children)) return ofFour(line.children, text(line.value), where)
    if (line.type === 'auditSummary') isSummed = true
    if (line.type === 'error') complaint ||= text(line.data, 500) ?? ''
    return line.type === 'auditAdvisory' ? ofOne(line, where, tellsBefore) : notRead(line, where)
  })
  if (isOne && !isSummed)
    yield { kind: 'TRUNCATED', reason: `yarn could not audit: ${complaint || 'it has no summary'}` }
}

function* notRead({ type }: Fields, at: string): Iterable<Row> {
  if (text(type) === undefined) yield { kind: 'LEFT_OUT', at, reason: 'It is not a line of yarn audit' }
}

/** An advisory is told with all of its places, once for each of them. */
function* ofOne(line: Fields, where: string, tellsBefore: ReturnType<typeof rememberer>): Iterable<Row> {
  const advisory = object(object(line.data).advisory)
  const first = tellsBefore([advisory.id, advisory.module_name, advisory.title, advisory.findings], where)
  if (first === undefined) yield* advisoryRows(advisory, where, TOOL)
  else yield { kind: 'PASSED_OVER', at: where, reason: `It is the same advisory as ${first}, by another path` }
}

/** An advisory speaks of each version of the package that is installed. */
function* ofFour(advisory: Fields, name: string | undefined, at: string): Iterable<Row> {
  const title = text(advisory.Issue)
  const id = text(advisory.ID)
  if (name === undefined || title === undefined) {
    yield { kind: 'LEFT_OUT', at, reason: 'It names no package, or no vulnerability' }
    return
  }
  if (id?.endsWith('(deprecation)')) {
    yield { kind: 'PASSED_OVER', at, reason: `${name} is deprecated, which is not a vulnerability` }
    return
  }
  const range = text(advisory['Vulnerable Versions'])
  const dependents = texts(advisory.Dependents).slice(0, 50).join(', ')
  const versions = texts(advisory['Tree Versions'])
  for (const affectedVersion of versions.length > 0 ? versions : [range]) {
    const observation = observedOf({ ...advisory, severity: advisory.Severity }, name, title, TOOL, {
      ruleId: stableIdOf({ url: advisory.URL }) ?? id,
      affectedVersion,
      description: paragraphs(
        title,
        range === undefined ? undefined : `${name} ${range}`,
        dependents === '' ? undefined : `Through ${dependents}`,
      ),
      reference: links(text(advisory.URL)),
      vulnerabilityIds: vulnerabilityIdsIn(advisory.URL),
    })
    yield { kind: 'OBSERVATION', at: versions.length > 1 ? `${at}, version ${affectedVersion}` : at, observation }
  }
}
