// WSDL 1.1 as operations, one for each operation of a SOAP binding, with a body generated from its XML schema.

import type { Operation } from '../types.ts'
import { escapeXml } from '../xml-leaves.ts'
import { type Reading, readAsDeep } from './deepening.ts'
import { isDestructive, kindOf, valueByName } from './names.ts'
import { changesPassword } from './passwords.ts'
import type { Imported } from './wsdl-imports.ts'
import { allOf, childrenOf, type Element, local, readXml } from './xml-tree.ts'

const DEPTHS = [6, 4, 2]
/** Elements of one request. */
const MOST_ELEMENTS = 500

/** How deep types are read, and the schemas that have them. */
type Types = Reading & { schemas: readonly Element[] }

/** The operations of a description, and of what it imports, at the target's origin; null when the text is no WSDL. */
export function fromWsdl(text: string, target: URL, imported: readonly Imported[] = []): Operation[] | null {
  const root = readXml(text)
  if (root?.name !== 'definitions') return null
  const documents = [{ root, text }, ...imported]
  const schemas = documents.flatMap((one) => [
    ...(one.root.name === 'schema' ? [one.root] : []),
    ...allOf(one.root, 'schema'),
  ])
  const definitions = documents.flatMap((one) => (one.root.name === 'definitions' ? [one.root] : []))
  const all = (name: string) => definitions.flatMap((one) => childrenOf(one, name))
  const hasNew = documents.some((one) => /soap12:address/.test(one.text))
  return all('service').flatMap((service) =>
    childrenOf(service, 'port').flatMap((port) => {
      const address = port.children.find(({ name }) => name === 'address')?.attributes.location ?? ''
      const binding = all('binding').find(({ attributes }) => attributes.name === local(port.attributes.binding ?? ''))
      const style = binding && childrenOf(binding, 'binding')[0]
      if (!binding || !style || style.attributes.verb) return []
      const namespace = definitions.find(({ children }) => children.includes(binding))?.attributes.targetNamespace ?? ''
      const isNew = hasNew && port.attributes.name?.includes('12') === true
      const portType = all('portType').find(
        ({ attributes }) => attributes.name === local(binding.attributes.type ?? ''),
      )
      const path = URL.parse(address, target.href)?.pathname ?? target.pathname
      return childrenOf(binding, 'operation').map((operation): Operation => {
        const name = operation.attributes.name ?? ''
        const soap = childrenOf(operation, 'operation')[0]?.attributes ?? {}
        const abstract = childrenOf(portType, 'operation').find(({ attributes }) => attributes.name === name)
        const input = childrenOf(abstract, 'input')[0]?.attributes.message ?? ''
        const message = all('message').find(({ attributes }) => attributes.name === local(input))
        const isRpc = (soap.style ?? style.attributes.style) === 'rpc'
        const parts = childrenOf(message, 'part')
        const content = readAsDeep(DEPTHS, MOST_ELEMENTS, (reading) => {
          const types: Types = Object.assign(reading, { schemas })
          return isRpc ? rpcBody(name, namespace, parts, types) : documentBody(parts, types)
        })
        const envelope = isNew ? 'http://www.w3.org/2003/05/soap-envelope' : 'http://schemas.xmlsoap.org/soap/envelope/'
        const sent: Pick<Operation, 'method' | 'path' | 'parameters' | 'body' | 'kind'> = {
          method: 'POST',
          path,
          parameters: [{ place: 'header', name: 'SOAPAction', value: `"${soap.soapAction ?? ''}"`, required: true }],
          body: {
            type: 'xml',
            mediaType: isNew ? 'application/soap+xml; charset=utf-8' : 'text/xml; charset=utf-8',
            text: `<?xml version="1.0" encoding="UTF-8"?><soap:Envelope xmlns:soap="${envelope}"><soap:Body>${content}</soap:Body></soap:Envelope>`,
          },
          kind: kindOf('POST', `/${name}`),
        }
        return {
          ...sent,
          key: `POST ${path}#${name}`,
          origin: target.origin,
          isDestructive: isDestructive('POST', `/${name}`) || changesPassword(sent, name),
          requiresAuth: null,
          source: 'soap',
          answers: {},
        }
      })
    }),
  )
}

function documentBody(parts: readonly Element[], types: Types): string {
  return parts.map(({ attributes }) => elementNamed(local(attributes.element ?? ''), types, 0)).join('')
}

function rpcBody(name: string, namespace: string, parts: readonly Element[], types: Types): string {
  const inner = parts.map(({ attributes }) => {
    const tag = attributes.name ?? ''
    if (attributes.element) return elementNamed(local(attributes.element), types, 0)
    return `<${tag}>${typeBody(local(attributes.type ?? ''), tag, types, 0)}</${tag}>`
  })
  return `<op:${name} xmlns:op="${escapeXml(namespace)}">${inner.join('')}</op:${name}>`
}

function elementNamed(name: string, types: Types, depth: number): string {
  const schema = types.schemas.find((one) =>
    childrenOf(one, 'element').some(({ attributes }) => attributes.name === name),
  )
  const element = childrenOf(schema, 'element').find(({ attributes }) => attributes.name === name)
  if (!element) return ''
  const namespace = schema?.attributes.targetNamespace ?? ''
  const inner = contentOf(element, types, depth)
  const isQualified = schema?.attributes.elementFormDefault === 'qualified'
  return isQualified
    ? `<${name} xmlns="${escapeXml(namespace)}">${inner}</${name}>`
    : `<ns:${name} xmlns:ns="${escapeXml(namespace)}">${inner}</ns:${name}>`
}

const isPast = ({ deepest, left }: Types, depth: number) => depth > deepest || left < 0

function contentOf(element: Element, types: Types, depth: number): string {
  types.left -= 1
  const { type, name = '' } = element.attributes
  if (type) return typeBody(local(type), name, types, depth)
  const complex = childrenOf(element, 'complexType')[0]
  if (complex) return complexBody(complex, types, depth)
  return simpleValue('string', name, element)
}

function complexBody(type: Element, types: Types, depth: number): string {
  if (isPast(types, depth)) return ''
  const base = allOf(type, 'extension')[0]?.attributes.base
  const inherited = base ? typeBody(local(base), '', types, depth + 1) : ''
  const groups = type.children.filter(({ name }) =>
    ['sequence', 'all', 'choice', 'complexContent', 'extension'].includes(name),
  )
  const own = groups.flatMap((group) =>
    group.name === 'choice'
      ? childrenOf(group, 'element').slice(0, 1)
      : group.name === 'sequence' || group.name === 'all'
        ? childrenOf(group, 'element')
        : allOf(group, 'element'),
  )
  const fields = own.map((field) => {
    const reference = field.attributes.ref
    if (reference) return elementNamed(local(reference), types, depth + 1)
    const name = field.attributes.name ?? 'item'
    return `<${name}>${contentOf(field, types, depth + 1)}</${name}>`
  })
  return inherited + fields.join('')
}

function typeBody(type: string, name: string, types: Types, depth: number): string {
  if (isPast(types, depth)) return ''
  for (const schema of types.schemas) {
    const complex = childrenOf(schema, 'complexType').find(({ attributes }) => attributes.name === type)
    if (complex) return complexBody(complex, types, depth + 1)
    const simple = childrenOf(schema, 'simpleType').find(({ attributes }) => attributes.name === type)
    if (simple) return simpleValue(local(allOf(simple, 'restriction')[0]?.attributes.base ?? 'string'), name, simple)
  }
  return simpleValue(type, name)
}

function simpleValue(type: string, name: string, described?: Element): string {
  const listed = described ? allOf(described, 'enumeration')[0]?.attributes.value : undefined
  if (listed) return escapeXml(listed)
  if (/^(int|integer|long|short|byte|decimal|float|double|unsigned\w{1,10}|(positive|nonNegative)Integer)$/.test(type))
    return '1'
  if (type === 'boolean') return 'true'
  if (type === 'date') return '2026-01-15'
  if (type === 'dateTime') return '2026-01-15T10:00:00Z'
  return escapeXml(valueByName(name))
}
