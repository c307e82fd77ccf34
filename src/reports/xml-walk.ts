// Walks XML as its bytes arrive and keeps only the elements at the requested paths. Only XML's five predefined entities are decoded.

import { SaxesParser } from 'saxes'
import { declaredEncoding } from './encoding.ts'
import { ReportFault } from './types.ts'

/** An element; names are without namespace prefixes, `text` is the element's own text, trimmed. */
export type Element = { name: string; attributes: Record<string, string>; children: readonly Element[]; text: string }

/** An ancestor of a yielded element, as far as it is known then: its name and attributes. */
export type Ancestor = { name: string; attributes: Record<string, string>; index: number }

/** VALUE: an element at one of the paths. FAULT: an element that is too large. TRUNCATED: not well-formed from there on. */
type XmlItem =
  | { kind: 'VALUE'; path: string; ancestors: readonly Ancestor[]; element: Element }
  | { kind: 'FAULT'; path: string; ancestors: readonly Ancestor[]; reason: string }
  | { kind: 'TRUNCATED'; reason: string }

/** The largest element that is kept: its characters, plus 64 for each element inside. */
const LARGEST_ELEMENT = 32 * 1024 * 1024
const ELEMENT_COST = 64

/** The largest name, text or declaration, in bytes. */
const LONGEST_TOKEN = 32 * 1024 * 1024

const DEEPEST = 400

type Growing = { name: string; attributes: Record<string, string>; children: Growing[]; text: string }

class IllFormed extends Error {}

/** Stops at the first fault: the parser creates an error for each, and hostile text could have one at every character. */
class Parser extends SaxesParser {
  override fail(message: string): this {
    // HTML entities are common in reports; they are kept as they are written.
    if (message.includes('undefined entity')) return this
    throw new IllFormed(this.makeError(message).message)
  }
}

/**
 * The elements at `paths`, such as `issues/issue`, in document order; `*` matches any name. If one path is below another, only the upper one
 * is yielded. Throws ReportFault if the document declares entities.
 */
export async function* readXml(bytes: AsyncIterable<Uint8Array>, paths: readonly string[]): AsyncGenerator<XmlItem> {
  const walk = walkXml(paths)
  let decoder: InstanceType<typeof TextDecoder> | null = null
  for await (const chunk of bytes) {
    decoder ??= decoderOf(chunk)
    yield* walk.write(decoder.decode(chunk, { stream: true }))
    if (walk.isOver()) return
  }
  yield* walk.write(decoder?.decode() ?? '')
  yield* walk.end()
}

/** Builds one wanted element at a time. What is larger than LARGEST_ELEMENT is counted, and not kept. */
function openBuilder() {
  const open: Growing[] = []
  let cost = 0

  const spend = (amount: number) => {
    cost += amount
    if (cost > LARGEST_ELEMENT) open.length = 0
  }

  return {
    begin: () => {
      open.length = 0
      cost = 0
    },
    open: (element: Growing) => {
      spend(ELEMENT_COST + lengthOf(element.attributes))
      if (cost > LARGEST_ELEMENT) return
      open.at(-1)?.children.push(element)
      open.push(element)
    },
    addText: (text: string) => {
      spend(text.length)
      const element = open.at(-1)
      if (element) element.text += text
    },
    /** The innermost open element, which is complete; null if the wanted element has become too large. */
    close: (): Element | null => {
      const element = open.pop()
      if (!element) return null
      element.text = element.text.trim()
      return element
    },
  }
}

function walkXml(paths: readonly string[]) {
  const wanted = paths.map((path) => ({ path, names: path.split('/') }))
  const ancestors: Ancestor[] = []
  const counts: number[] = [0]
  const builder = openBuilder()
  let items: XmlItem[] = []
  let taken: string | null = null
  let sinceToken = 0
  let isOver = false

  const stop = (reason: string) => {
    if (!isOver) items.push({ kind: 'TRUNCATED', reason })
    isOver = true
  }

  const pathHere = (name: string): string | null => {
    const depth = ancestors.length + 1
    const isHere = (names: readonly string[]) =>
      names.length === depth &&
      names.every((wish, at) => wish === '*' || wish === (at === depth - 1 ? name : ancestors[at]?.name))
    return wanted.find(({ names }) => isHere(names))?.path ?? null
  }

  const parser = new Parser()
  parser.on('doctype', (text) => {
    sinceToken = 0
    if (/<!ENTITY/i.test(text)) throw new ReportFault('The report declares XML entities, which are not read')
  })
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name: localOf(name), attributes: localAttributes(attributes), children: [], text: '' }
    const index = counts[ancestors.length] ?? 0
    counts[ancestors.length] = index + 1
    counts[ancestors.length + 1] = 0
    if (ancestors.length >= DEEPEST) stop('It is nested too deeply')
    if (taken === null) {
      taken = pathHere(element.name)
      builder.begin()
    }
    ancestors.push({ name: element.name, attributes: element.attributes, index })
    if (taken === null) return
    sinceToken = 0
    builder.open(element)
  })
  const addText = (text: string) => {
    sinceToken = 0
    if (taken !== null) builder.addText(text)
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    ancestors.pop()
    if (taken === null || isOver) return
    const element = builder.close()
    if (taken.split('/').length <= ancestors.length) return
    const [path, around] = [taken, [...ancestors]]
    taken = null
    if (element) items.push({ kind: 'VALUE', path, ancestors: around, element })
    else items.push({ kind: 'FAULT', path, ancestors: around, reason: 'It is larger than 32 MiB' })
  })

  const given = (): XmlItem[] => {
    const done = items
    items = []
    return done
  }

  return {
    isOver: () => isOver,
    write: (text: string): XmlItem[] => {
      // In slices, so that a fault late in a large chunk does not lose what comes before it.
      for (let at = 0; at < text.length && !isOver; at += 65_536) {
        const slice = text.slice(at, at + 65_536)
        sinceToken += slice.length
        try {
          parser.write(slice)
        } catch (error) {
          if (!(error instanceof IllFormed)) throw error
          stop(`It is not well-formed XML: ${error.message}`)
        }
        if (sinceToken > LONGEST_TOKEN) stop('One text or name is longer than 32 MiB')
      }
      return given()
    },
    end: (): XmlItem[] => {
      if (!isOver && (ancestors.length > 0 || counts[0] === 0)) stop('It ends before it is complete')
      return given()
    },
  }
}

/** The first child with that name. */
export const childOf = (element: Element | undefined, name: string): Element | undefined =>
  element?.children.find((child) => child.name === name)

/** The children with that name. */
export const childrenOf = (element: Element | undefined, name: string): readonly Element[] =>
  element?.children.filter((child) => child.name === name) ?? []

/** The text of the first child with that name; undefined if there is none. */
export const textIn = (element: Element | undefined, name: string): string | undefined =>
  childOf(element, name)?.text || undefined

const localOf = (name: string): string => name.slice(name.indexOf(':') + 1)

const localAttributes = (attributes: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [localOf(name), value]))

const lengthOf = (attributes: Record<string, string>): number =>
  Object.entries(attributes).reduce((sum, [name, value]) => sum + name.length + value.length, 0)

/** Decodes by byte order mark, else by the XML declaration, else as UTF-8; invalid bytes become replacement characters. */
function decoderOf(chunk: Uint8Array): InstanceType<typeof TextDecoder> {
  const [first, second] = chunk
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le')
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be')
  const named = declaredEncoding(chunk)
  if (named === undefined) return new TextDecoder('utf-8')
  try {
    return new TextDecoder(named)
  } catch {
    return new TextDecoder('utf-8')
  }
}
