// Reads OpenVEX: statements about a vulnerability in products and their components.

import { placeOf } from '../json-items.ts'
import { type Given, jsonRows } from '../json-rows.ts'
import { readJson } from '../json-walk.ts'
import { readPurl } from '../purl.ts'
import type { ComponentObservation, ReportReader, ReportSource, Row } from '../types.ts'
import { at, isObject, links, list, objects, paragraphs, text, textAt, texts, uniq } from '../values.ts'

export const openvex: ReportReader = {
  format: 'openvex',
  label: 'OpenVEX',
  recognises: ({ text: head }) => /"@context"\s*:\s*"https:\/\/openvex\.dev\//.test(head),
  read,
}

/** Pairs of vulnerability and component. */
const MOST_PAIRS = 500_000

/** Of a vulnerability in a component the newest statement holds, and of two of one time the later: the first pass finds it. */
async function* read(source: ReportSource): AsyncGenerator<Row> {
  const newest = new Map<string, { place: string; time: number }>()
  for await (const item of readJson(source.open(), ['statements[]'])) {
    if (item.kind !== 'VALUE') continue
    const { id, names } = spokenOf(item.value)
    const time = Date.parse(textAt(item.value, 'last_updated') ?? textAt(item.value, 'timestamp') ?? '') || 0
    for (const name of names) {
      const known = newest.get(`${id} ${name}`)
      if (known === undefined && newest.size >= MOST_PAIRS) continue
      if (known === undefined || time >= known.time) newest.set(`${id} ${name}`, { place: placeOf(item.keys), time })
    }
  }
  yield* jsonRows(source, ['statements[]'], ({ value, at: place }: Given) => rowsOf(value, place, newest))
}

function spokenOf(statement: unknown): { id: string | undefined; names: readonly string[] } {
  const vulnerability = at(statement, 'vulnerability')
  const id = textAt(vulnerability, 'name') ?? text(vulnerability) ?? textAt(vulnerability, '@id')
  return { id, names: uniq(list(at(statement, 'products')).flatMap(componentsOf)) }
}

function* rowsOf(statement: unknown, place: string, newest: ReadonlyMap<string, { place: string }>): Iterable<Row> {
  const vulnerability = at(statement, 'vulnerability')
  const { id, names } = spokenOf(statement)
  if (!isObject(statement) || id === undefined) {
    yield { kind: 'LEFT_OUT', at: place, reason: 'It names no vulnerability' }
  } else if (names.length === 0) yield { kind: 'LEFT_OUT', at: place, reason: 'It names no product' }
  else if (text(statement.status) === 'under_investigation') {
    yield { kind: 'LEFT_OUT', at: place, reason: 'It is still under investigation', isUndecided: true }
  } else if (!statuses.has(text(statement.status) ?? '')) {
    yield { kind: 'LEFT_OUT', at: place, reason: 'It has no OpenVEX status' }
  } else {
    for (const name of names) {
      const last = newest.get(`${id} ${name}`)?.place ?? place
      if (last !== place) {
        yield { kind: 'PASSED_OVER', at: `${place}, ${name}`, reason: `${last} has a newer statement about it` }
        continue
      }
      const observation = observed(statement, id, texts(at(vulnerability, 'aliases')), name)
      yield { kind: 'OBSERVATION', at: `${place}, ${name}`, observation }
    }
  }
}

const statuses: ReadonlySet<string> = new Set(['not_affected', 'affected', 'fixed'])

/** The components of the product that are spoken of; the product itself where none is. */
function componentsOf(product: unknown): string[] {
  const parts = objects(at(product, 'subcomponents')).map(nameOf)
  return uniq(parts.length > 0 ? parts : [nameOf(product)])
}

const nameOf = (value: unknown): string | undefined =>
  textAt(value, 'identifiers', 'purl') ?? textAt(value, '@id') ?? textAt(value, 'identifiers', 'cpe23') ?? text(value)

function observed(
  statement: Readonly<Record<string, unknown>>,
  id: string,
  aliases: readonly string[],
  name: string,
): ComponentObservation {
  const purl = readPurl(name)
  return {
    kind: 'COMPONENT',
    type: purl?.type === 'oci' ? 'CONTAINER_FINDING' : 'SCA_FINDING',
    toolName: 'OpenVEX',
    ruleId: id,
    title: `${id} in ${purl?.name ?? name}`,
    description: paragraphs(textAt(statement, 'vulnerability', 'description'), text(statement.status_notes)),
    vulnerabilityIds: uniq([id, ...aliases]),
    reference: links(textAt(statement, 'vulnerability', '@id')),
    solution: text(statement.action_statement),
    package: purl?.name ?? name,
    affectedVersion: purl?.version,
    packageManager: purl?.type,
    purl: purl === null ? undefined : name,
    decision: decisionOf(statement),
  }
}

function decisionOf(statement: Readonly<Record<string, unknown>>): ComponentObservation['decision'] {
  const told = [
    text(statement.justification)?.replaceAll('_', ' '),
    text(statement.impact_statement),
    text(statement.status_notes),
  ]
  const reason = told.filter(Boolean).join('; ')
  if (text(statement.status) === 'not_affected')
    return { status: 'FALSE_POSITIVE', reason: `not affected: ${reason || 'no reason given'}` }
  return text(statement.status) === 'fixed' ? { status: 'FIX_ACCEPTED', reason: reason || 'fixed' } : undefined
}
