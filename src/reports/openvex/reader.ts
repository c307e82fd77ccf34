// Reads OpenVEX: what somebody says of a vulnerability in products and their components.

import { type Given, jsonRows } from '../json-rows.ts'
import { readPurl } from '../purl.ts'
import type { ComponentObservation, ReportReader, ReportSource, Row } from '../types.ts'
import { at, isObject, links, list, objects, text, textAt, texts, uniq } from '../values.ts'

export const openvex: ReportReader = {
  format: 'openvex',
  label: 'OpenVEX',
  recognises: ({ text: head }) => /"@context"\s*:\s*"https:\/\/openvex\.dev\//.test(head),
  read: (source: ReportSource) =>
    jsonRows(source, ['statements[]'], ({ value, at: place }: Given) => rowsOf(value, place)),
}

function* rowsOf(statement: unknown, place: string): Iterable<Row> {
  const vulnerability = at(statement, 'vulnerability')
  const id = textAt(vulnerability, 'name') ?? text(vulnerability) ?? textAt(vulnerability, '@id')
  const products = list(at(statement, 'products'))
  if (!isObject(statement) || id === undefined) {
    yield { kind: 'LEFT_OUT', at: place, reason: 'It names no vulnerability' }
  } else if (products.length === 0) yield { kind: 'LEFT_OUT', at: place, reason: 'It names no product' }
  else if (text(statement.status) === 'under_investigation') {
    yield { kind: 'LEFT_OUT', at: place, reason: 'It is still under investigation' }
  } else {
    for (const name of uniq(products.flatMap(componentsOf))) {
      const observation = observed(statement, id, texts(at(vulnerability, 'aliases')), name)
      yield { kind: 'OBSERVATION', at: `${place}, ${name}`, observation }
    }
  }
}

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
    description: textAt(statement, 'vulnerability', 'description') ?? text(statement.status_notes),
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
