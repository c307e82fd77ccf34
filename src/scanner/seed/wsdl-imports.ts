// Loads the imports of a WSDL and of its XML schemas, from the same origin and within bounds.

import type { HttpAnswer } from '../types.ts'
import { childrenOf, type Element, readXml } from './xml-tree.ts'

export type Imported = { root: Element; text: string }

/** Gets a document; null when no answer came. */
export type Ask = (url: string) => Promise<HttpAnswer | null>

const MOST_DOCUMENTS = 24
const MOST_BYTES = 2 * 1024 * 1024
const DEEPEST = 5
const MOST_NOTES = 20

type Wanted = { location: string; base: URL; depth: number; namespace: string }

/**
 * The documents that a description imports, and theirs, each once. `base` is where the description was got; null: it came as a
 * file, and there is nowhere to ask. What is left out is told by `note`, a sentence each.
 */
export async function importsOf(
  text: string,
  base: URL | null,
  ask: Ask,
  note: (sentence: string) => void,
): Promise<Imported[]> {
  const root = readXml(text)
  if (root === null) return []
  let told = 0
  const tell = (sentence: string) => {
    told += 1
    if (told <= MOST_NOTES) note(sentence)
    else if (told === MOST_NOTES + 1) note('More documents that the API description imports were left out')
  }
  if (base === null) {
    const named = [...new Set(locationsIn(root).map(({ location }) => location))]
    if (named.length > 0) {
      const names = named.slice(0, 5).join(', ').slice(0, 300)
      tell(
        `The API description imports ${named.length === 1 ? 'a document' : `${named.length} documents`} (${names}): nothing is fetched for an uploaded file, so what they define is left out`,
      )
    }
    return []
  }

  const found: Imported[] = []
  const known = new Set([placeOf(base)])
  const waiting: Wanted[] = locationsIn(root).map((one) => ({ ...one, base, depth: 1 }))
  let bytes = 0
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { location, depth, namespace } = next
    const url = URL.parse(location, next.base.href)
    const shown = location.slice(0, 200)
    if (url === null || !/^https?:$/.test(url.protocol)) {
      tell(`${shown}, which the API description imports, is not a valid address`)
      continue
    }
    if (known.has(placeOf(url))) continue
    if (url.origin !== base.origin) {
      tell(`${shown}, which the API description imports, is on another origin and was not fetched`)
      continue
    }
    if (depth > DEEPEST || known.size > MOST_DOCUMENTS || bytes >= MOST_BYTES) {
      tell(
        `${shown} was not fetched: imports are read up to ${MOST_DOCUMENTS} documents, ${DEEPEST} levels and ${MOST_BYTES} bytes in all`,
      )
      continue
    }
    known.add(placeOf(url))
    const read = readDocument(await ask(url.href), MOST_BYTES - bytes)
    if (typeof read === 'string') {
      tell(`${shown}, which the API description imports, could not be fetched: ${read}`)
      continue
    }
    bytes += read.bytes
    const adopted = adopt(read.root, namespace)
    found.push({ root: adopted, text: read.text })
    for (const one of locationsIn(adopted)) waiting.push({ ...one, base: url, depth: depth + 1 })
  }
  return found
}

const placeOf = ({ origin, pathname, search }: URL) => origin + pathname + search

/** Where the imports of a document lead; of an include, with the namespace of the schema that includes. */
function locationsIn(root: Element): Pick<Wanted, 'location' | 'namespace'>[] {
  const schemas = childrenOf(root, 'types').flatMap((types) => childrenOf(types, 'schema'))
  return [root, ...schemas].flatMap(({ children, attributes }) =>
    children.flatMap((child) => {
      if (!['import', 'include', 'redefine'].includes(child.name)) return []
      const location = child.attributes.schemaLocation ?? child.attributes.location
      const namespace = child.name === 'import' ? '' : (attributes.targetNamespace ?? '')
      return location ? [{ location, namespace }] : []
    }),
  )
}

/** A schema without a namespace takes that of the one which includes it. */
const adopt = (root: Element, namespace: string): Element =>
  root.name === 'schema' && namespace !== '' && root.attributes.targetNamespace === undefined
    ? { ...root, attributes: { ...root.attributes, targetNamespace: namespace } }
    : root

type Read = { root: Element; text: string; bytes: number }

/** The document of an answer, or why it is none. */
function readDocument(answer: HttpAnswer | null, left: number): Read | string {
  if (answer === null) return 'there was no response'
  if (answer.status !== 200) return `it was answered with ${answer.status}`
  if (answer.isCut || answer.body.length > left) return 'it is too large'
  const text = answer.body.toString('utf8')
  const root = readXml(text)
  if (root === null || !['definitions', 'schema'].includes(root.name)) return 'it is neither a WSDL nor an XML schema'
  return { root, text, bytes: answer.body.length }
}
