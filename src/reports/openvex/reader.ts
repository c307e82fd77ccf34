// Reads OpenVEX: statements about a vulnerability in products and their components.

import { readCpe } from '../cpe.ts'
import { placeOf } from '../json-items.ts'
import { firstValues, type Given, jsonRows } from '../json-rows.ts'
import { readJson } from '../json-walk.ts'
import { readPurl } from '../purl.ts'
import type { ComponentObservation, ReportReader, ReportSource, Row, Statement } from '../types.ts'
import { at, isObject, links, list, objects, paragraphs, text, textAt, texts, uniq } from '../values.ts'

export const openvex: ReportReader = {
  format: 'openvex',
  label: 'OpenVEX',
  recognises: ({ text: head }) => /"@context"\s*:\s*"https:\/\/openvex\.dev\//.test(head),
  read,
}

/** Pairs of vulnerability and component. */
const MOST_PAIRS = 500_000

/** Who made the document, and when, for statements that do not say so themselves. */
type About = { author: string | undefined; saidAt: string | undefined }

/** Of a vulnerability in a component the newest statement holds, and of two of one time the later: the first pass finds it. */
async function* read(source: ReportSource): AsyncGenerator<Row> {
  const first = await firstValues(source, ['author', 'timestamp', 'last_updated'])
  const about = {
    author: text(first.get('author')),
    saidAt: text(first.get('last_updated')) ?? text(first.get('timestamp')),
  }
  const newest = new Map<string, { place: string; time: number }>()
  for await (const item of readJson(source.open(), ['statements[]'])) {
    if (item.kind !== 'VALUE') continue
    const { names } = spokenOf(item.value)
    const time = Date.parse(saidAtOf(item.value) ?? '') || 0
    for (const key of [...names.values()].flat()) {
      const known = newest.get(key)
      if (known === undefined && newest.size >= MOST_PAIRS) continue
      if (known === undefined || time >= known.time) newest.set(key, { place: placeOf(item.keys), time })
    }
  }
  yield* jsonRows(source, ['statements[]'], ({ value, at: place }: Given) => rowsOf(value, place, newest, about))
}

const saidAtOf = (statement: unknown) => textAt(statement, 'last_updated') ?? textAt(statement, 'timestamp')

/** The components that are spoken of, each with a key for every product in which it is: of another product a statement says nothing. */
function spokenOf(statement: unknown): { id: string | undefined; names: ReadonlyMap<string, readonly string[]> } {
  const vulnerability = at(statement, 'vulnerability')
  const id = textAt(vulnerability, 'name') ?? text(vulnerability) ?? textAt(vulnerability, '@id')
  const pairs = list(at(statement, 'products')).flatMap((product) =>
    componentsOf(product).map((name) => ({ name, key: JSON.stringify([id, nameOf(product), name]) })),
  )
  const keys = Map.groupBy(pairs, ({ name }) => name)
  return { id, names: new Map([...keys].map(([name, all]) => [name, uniq(all.map(({ key }) => key))])) }
}

function* rowsOf(
  statement: unknown,
  place: string,
  newest: ReadonlyMap<string, { place: string }>,
  about: About,
): Iterable<Row> {
  const vulnerability = at(statement, 'vulnerability')
  const { id, names } = spokenOf(statement)
  if (!isObject(statement) || id === undefined) {
    yield { kind: 'LEFT_OUT', at: place, reason: 'It names no vulnerability' }
  } else if (names.size === 0) yield { kind: 'LEFT_OUT', at: place, reason: 'It names no product' }
  else if (!statuses.has(text(statement.status) ?? '')) {
    yield { kind: 'LEFT_OUT', at: place, reason: 'It has no OpenVEX status' }
  } else {
    for (const [name, keys] of names) {
      const places = keys.map((key) => newest.get(key)?.place ?? place)
      const [last] = places
      if (!places.includes(place)) {
        yield { kind: 'PASSED_OVER', at: `${place}, ${name}`, reason: `${last} has a newer statement about it` }
        continue
      }
      const observation = observed(statement, id, texts(at(vulnerability, 'aliases')), name, about)
      if (text(statement.status) === 'under_investigation') {
        const reason = 'It is still under investigation'
        yield { kind: 'LEFT_OUT', at: `${place}, ${name}`, reason, isUndecided: true, observation }
      } else yield { kind: 'OBSERVATION', at: `${place}, ${name}`, observation }
    }
  }
}

const statuses: ReadonlyMap<string, Statement['status']> = new Map([
  ['not_affected', 'NOT_AFFECTED'],
  ['affected', 'AFFECTED'],
  ['fixed', 'FIXED'],
  ['under_investigation', 'UNDER_INVESTIGATION'],
])

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
  about: About,
): ComponentObservation {
  const purl = readPurl(name)
  const component = purl ?? readCpe(name)
  const decision = decisionOf(statement)
  const status = statuses.get(text(statement.status) ?? '') ?? 'UNDER_INVESTIGATION'
  const told =
    decision?.reason ??
    [status.toLowerCase().replaceAll('_', ' '), text(statement.status_notes)].filter(Boolean).join(': ')
  return {
    kind: 'COMPONENT',
    type: purl?.type === 'oci' ? 'CONTAINER_FINDING' : 'SCA_FINDING',
    toolName: 'OpenVEX',
    ruleId: id,
    title: `${id} in ${component?.name ?? name}`,
    description: paragraphs(textAt(statement, 'vulnerability', 'description'), text(statement.status_notes)),
    vulnerabilityIds: uniq([id, ...aliases]),
    reference: links(textAt(statement, 'vulnerability', '@id')),
    solution: text(statement.action_statement),
    package: component?.name ?? name,
    affectedVersion: component?.version,
    packageManager: purl?.type,
    purl: purl === null ? undefined : name,
    decision,
    statement: {
      status,
      reason: about.author === undefined ? told : `${told} (${about.author})`,
      saidAt: saidAtOf(statement) ?? about.saidAt,
    },
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
