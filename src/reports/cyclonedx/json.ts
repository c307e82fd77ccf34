// Splits a CycloneDX JSON document into its parts.

import { placeOf } from '../json-items.ts'
import { readJson } from '../json-walk.ts'
import { packageName } from '../purl.ts'
import type { ReportSource } from '../types.ts'
import { at, type Fields, isObject, list, object, objects, text, textAt, texts } from '../values.ts'
import type { CdxComponent, CdxVulnerability, Part } from './types.ts'

const paths = ['metadata.tools', 'metadata.component', 'components[]', 'vulnerabilities[]']

/** Levels of nested components. */
const DEEPEST = 50

export async function* jsonParts(source: ReportSource): AsyncGenerator<Part> {
  for await (const item of readJson(source.open(), paths)) {
    if (item.kind === 'TRUNCATED') yield item
    else if (item.kind === 'FAULT') yield { kind: 'LEFT_OUT', at: placeOf(item.keys), reason: item.reason }
    else yield* partsOf(item.path, item.value, placeOf(item.keys))
  }
}

function* partsOf(path: string, value: unknown, place: string): Iterable<Part> {
  if (path === 'metadata.tools') {
    const tool = textAt(value, 0, 'name') ?? textAt(value, 'components', 0, 'name')
    if (tool !== undefined) yield { kind: 'TOOL', name: tool }
  } else if (path === 'metadata.component') {
    const component = componentOf(value)
    if (component) yield { kind: 'SUBJECT', component }
  } else if (path === 'components[]') yield* componentParts(value, place, 0)
  else if (isObject(value)) yield { kind: 'VULNERABILITY', at: place, vulnerability: vulnerabilityOf(value) }
  else yield { kind: 'LEFT_OUT', at: place, reason: 'It is not an object' }
}

function* componentParts(value: unknown, place: string, depth: number): Iterable<Part> {
  const component = componentOf(value)
  if (component) yield { kind: 'COMPONENT', at: place, component }
  else yield { kind: 'LEFT_OUT', at: place, reason: 'The component has no name' }
  const within = list(at(value, 'components'))
  if (depth > DEEPEST && within.length > 0) {
    yield { kind: 'LEFT_OUT', at: `${place}.components`, reason: `It is nested more than ${DEEPEST} deep` }
    return
  }
  for (const [index, inner] of within.entries()) {
    yield* componentParts(inner, `${place}.components[${index}]`, depth + 1)
  }
}

function componentOf(value: unknown): CdxComponent | null {
  const name = textAt(value, 'name')
  if (name === undefined) return null
  const group = textAt(value, 'group')
  const licenses = objects(at(value, 'licenses')).map(
    (each) => text(each.expression) ?? textAt(each.license, 'id') ?? textAt(each.license, 'name'),
  )
  return {
    ref: textAt(value, 'bom-ref'),
    type: textAt(value, 'type'),
    name: packageName(group, name, textAt(value, 'purl')),
    version: textAt(value, 'version'),
    purl: textAt(value, 'purl'),
    license: licenses.filter(Boolean).join(' AND ') || undefined,
  }
}

const vulnerabilityOf = (value: Fields): CdxVulnerability => ({
  id: text(value.id),
  aliases: objects(value.references).flatMap(({ id }) => texts(id)),
  ratings: objects(value.ratings),
  cwes: list(value.cwes),
  description: text(value.description),
  detail: text(value.detail),
  recommendation: text(value.recommendation),
  workaround: text(value.workaround),
  links: [textAt(value.source, 'url'), ...objects(value.advisories).map(({ url }) => text(url))],
  analysis: object(value.analysis),
  affects: objects(value.affects).flatMap(({ ref }) => texts(ref)),
})
