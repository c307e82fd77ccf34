// Parses an XML document into a tree of bounded size; entities that it declares are not resolved.

import { SaxesParser } from 'saxes'

export type Element = { name: string; attributes: Readonly<Record<string, string>>; children: Element[]; text: string }

const MOST_ELEMENTS = 50_000
/** Levels that are kept: whoever walks the tree goes a level down for each. */
const DEEPEST = 200

/** The root element; names without their prefixes. Null when the text is no XML. */
export function readXml(text: string): Element | null {
  const top: Element = { name: '', attributes: {}, children: [], text: '' }
  const open = [top]
  let count = 0
  const parser = new SaxesParser()
  parser.on('opentag', ({ name, attributes }) => {
    count += 1
    const element: Element = { name: local(name), attributes: { ...attributes }, children: [], text: '' }
    if (count <= MOST_ELEMENTS && open.length <= DEEPEST) open.at(-1)?.children.push(element)
    open.push(element)
  })
  parser.on('closetag', () => void open.pop())
  parser.on('text', (part) => {
    const now = open.at(-1)
    if (now) now.text += part
  })
  // without somebody who listens to its errors it throws the first
  try {
    parser.write(text.replace(/^\ufeff/, '').trimStart()).close()
  } catch {
    return null
  }
  return top.children[0] ?? null
}

export const local = (name: string): string => name.replace(/^.*:/, '')

export const childrenOf = (element: Element | undefined, name: string): Element[] =>
  element?.children.filter((child) => child.name === name) ?? []

/** Every element of that name below one. */
export function allOf(element: Element, name: string): Element[] {
  return element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...allOf(child, name)])
}
