// Where a word stands in a page, and whether an injected script would run there, by a browser's parsing rules.

import { type DefaultTreeAdapterTypes, html, parse } from 'parse5'
import { isCodeAt } from './script-state.ts'

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

export type Place =
  | { kind: 'text'; parent: string }
  | { kind: 'attribute'; name: string; isUrl: boolean; isHandler: boolean; isStart: boolean }
  | { kind: 'script' }
  | { kind: 'comment' }
  | { kind: 'name' }

const URLS = new Set(['href', 'src', 'action', 'formaction', 'data', 'xlink:href', 'srcdoc', 'poster'])
const LONGEST = 1_000_000

function* nodesOf(root: Node): Generator<Node> {
  const open: Node[] = [root]
  while (open.length > 0) {
    const node = open.pop()
    if (!node) return
    yield node
    if ('content' in node) open.push(node.content)
    if ('childNodes' in node)
      for (let at = node.childNodes.length - 1; at >= 0; at -= 1) open.push(...node.childNodes.slice(at, at + 1))
  }
}

const isElement = (node: Node): node is Element => 'tagName' in node

/** The places of a word in a page, in order. */
export function placesOf(text: string, word: string): Place[] {
  const places: Place[] = []
  const lower = word.toLowerCase()
  for (const node of nodesOf(parse(text.slice(0, LONGEST)))) {
    if ('data' in node && node.nodeName === '#comment' && node.data.includes(word)) places.push({ kind: 'comment' })
    if ('value' in node && node.value.includes(word)) {
      const parent = node.parentNode && isElement(node.parentNode) ? node.parentNode.tagName : ''
      places.push(parent === 'script' ? { kind: 'script' } : { kind: 'text', parent })
    }
    if (!isElement(node)) continue
    if (node.tagName.includes(lower)) places.push({ kind: 'name' })
    for (const { name, value } of node.attrs) {
      if (name.includes(lower)) places.push({ kind: 'name' })
      if (!value.includes(word)) continue
      places.push({
        kind: 'attribute',
        name,
        isUrl: URLS.has(name),
        isHandler: name.startsWith('on'),
        isStart: value.trimStart().startsWith(word),
      })
    }
  }
  return places
}

/** Whether `call` (such as `alert(123456)`) runs when the page is opened or used: the text that proves it, or null. */
export function runsIn(text: string, call: string): string | null {
  if (!text.includes(call)) return null
  for (const node of nodesOf(parse(text.slice(0, LONGEST)))) {
    if (!isElement(node)) continue
    if (node.tagName === 'script' && node.namespaceURI !== html.NS.MATHML) {
      const type = node.attrs.find(({ name }) => name === 'type')?.value ?? ''
      const script = node.childNodes.map((child) => ('value' in child ? child.value : '')).join('')
      const at = script.indexOf(call)
      if (
        at >= 0 &&
        /^($|module$|text\/(java|ecma)script|application\/(java|ecma)script)/i.test(type) &&
        isCodeAt(script, at)
      ) {
        return script.slice(Math.max(0, at - 20), at + call.length)
      }
    }
    for (const { name, value } of node.attrs) {
      const at = value.indexOf(call)
      if (at < 0) continue
      if (name.startsWith('on') && isCodeAt(value, at)) return `${name}=${value}`.slice(0, 200)
      if (URLS.has(name) && /^[\s\p{Cc}]{0,20}javascript:/iu.test(value)) return `${name}=${value}`.slice(0, 200)
      if (name === 'srcdoc' && runsIn(value, call)) return `${name}=${value}`.slice(0, 200)
    }
  }
  return null
}

const isNamed = (name: string, wanted: string): boolean =>
  name.replace(/^(data|x)[-:_]/, '').replace(/[:_]/g, '-') === wanted

/**
 * Whether AngularJS would compile an expression of the page: it stands in a text or an attribute below an element with `ng-app`,
 * and below none with `ng-non-bindable`.
 */
export function expressionIn(text: string, expression: string): boolean {
  for (const node of nodesOf(parse(text.slice(0, LONGEST)))) {
    const isText = 'value' in node && node.value.includes(expression)
    const isAttribute = isElement(node) && node.attrs.some(({ value }) => value.includes(expression))
    if ((isText || isAttribute) && isCompiled(isElement(node) ? node : node.parentNode)) return true
  }
  return false
}

/** Elements whose text is left as it is. */
const UNCOMPILED = new Set(['script', 'style', 'noscript'])

function isCompiled(from: Node | null): boolean {
  let isBelow = false
  for (let at = from; at !== null && isElement(at); at = at.parentNode) {
    if (UNCOMPILED.has(at.tagName) || at.attrs.some(({ name }) => isNamed(name, 'ng-non-bindable'))) return false
    isBelow ||= at.attrs.some(({ name }) => isNamed(name, 'ng-app'))
  }
  return isBelow
}
