// Splits a CycloneDX XML document into its parts, including the vulnerability extension of versions before 1.4.

import { packageName } from '../purl.ts'
import type { ReportSource } from '../types.ts'
import { text } from '../values.ts'
import { fieldsOf } from '../xml-fields.ts'
import { childOf, childrenOf, type Element, readXml, textIn } from '../xml-walk.ts'
import type { CdxComponent, CdxVulnerability, Part } from './types.ts'

const paths = [
  'bom/metadata/tools',
  'bom/metadata/component',
  'bom/components/component',
  'bom/vulnerabilities/vulnerability',
]

const DEEPEST = 50

/** What `textIn` gives, as it is kept. */
const said = (element: Element | undefined, name: string): string | undefined => text(textIn(element, name))

export async function* xmlParts(source: ReportSource): AsyncGenerator<Part> {
  let count = 0
  for await (const item of readXml(source.open(), paths)) {
    const place = `${item.kind === 'TRUNCATED' ? '' : item.path.split('/').at(-1)} ${++count}`
    if (item.kind === 'TRUNCATED') yield item
    else if (item.kind === 'FAULT') yield { kind: 'LEFT_OUT', at: place, reason: item.reason }
    else yield* partsOf(item.path, item.element, place)
  }
}

function* partsOf(path: string, element: Element, place: string): Iterable<Part> {
  if (path.endsWith('/tools')) {
    const tool = textIn(childOf(element, 'tool') ?? childOf(childOf(element, 'components'), 'component'), 'name')
    if (tool !== undefined) yield { kind: 'TOOL', name: tool }
  } else if (path === 'bom/metadata/component') {
    const component = componentOf(element)
    if (component) yield { kind: 'SUBJECT', component }
  } else if (path === 'bom/components/component') yield* componentParts(element, place, 0)
  else yield { kind: 'VULNERABILITY', at: place, vulnerability: vulnerabilityOf(element, null) }
}

function* componentParts(element: Element, place: string, depth: number): Iterable<Part> {
  const component = componentOf(element)
  if (component) yield { kind: 'COMPONENT', at: place, component: { ...component, ref: component.ref ?? place } }
  else yield { kind: 'LEFT_OUT', at: place, reason: 'The component has no name' }
  for (const [index, vulnerability] of childrenOf(childOf(element, 'vulnerabilities'), 'vulnerability').entries()) {
    const at = `${place}, vulnerability ${index + 1}`
    yield { kind: 'VULNERABILITY', at, vulnerability: vulnerabilityOf(vulnerability, component?.ref ?? place) }
  }
  const within = childrenOf(childOf(element, 'components'), 'component')
  if (depth > DEEPEST && within.length > 0) {
    yield { kind: 'LEFT_OUT', at: `${place}, components`, reason: `It is nested more than ${DEEPEST} deep` }
    return
  }
  for (const [index, inner] of within.entries()) {
    yield* componentParts(inner, `${place}, component ${index + 1}`, depth + 1)
  }
}

function componentOf(element: Element): CdxComponent | null {
  const name = said(element, 'name')
  if (name === undefined) return null
  const group = said(element, 'group')
  const licenses = childOf(element, 'licenses')
  const named = childrenOf(licenses, 'license').map((license) => said(license, 'id') ?? said(license, 'name'))
  return {
    ref: text(element.attributes['bom-ref']),
    type: text(element.attributes.type),
    name: packageName(group, name, said(element, 'purl')),
    version: said(element, 'version'),
    purl: said(element, 'purl'),
    license: [said(licenses, 'expression'), ...named].filter(Boolean).join(' AND ') || undefined,
  }
}

/** `inside`: the component in which the extension puts it. */
function vulnerabilityOf(element: Element, inside: string | null): CdxVulnerability {
  const under = (list: string, name: string) => childrenOf(childOf(element, list), name)
  const targets = under('affects', 'target').map((target) => said(target, 'ref'))
  const ratings = under('ratings', 'rating').map((rating) => {
    const fields = fieldsOf(rating)
    const base = said(childOf(rating, 'score'), 'base')
    return base === undefined ? fields : { ...fields, score: base }
  })
  return {
    id: said(element, 'id'),
    aliases: under('references', 'reference').flatMap((reference) => said(reference, 'id') ?? []),
    ratings,
    cwes: under('cwes', 'cwe').map((cwe) => cwe.text),
    description: said(element, 'description'),
    detail: said(element, 'detail'),
    recommendation: said(element, 'recommendation') ?? text(under('recommendations', 'recommendation')[0]?.text),
    workaround: said(element, 'workaround'),
    links: [
      said(childOf(element, 'source'), 'url'),
      ...under('advisories', 'advisory').map((advisory) => said(advisory, 'url') ?? text(advisory.text)),
    ],
    analysis: fieldsOf(childOf(element, 'analysis') ?? { name: '', attributes: {}, children: [], text: '' }),
    affects: [...targets, inside ?? text(element.attributes.ref)].flatMap((ref) => ref ?? []),
  }
}
