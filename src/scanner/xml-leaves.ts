// Lists the text nodes and attributes of an XML document that the scanner wrote, and replaces them in place.

import type { Change, Json } from './types.ts'

type Spot = { name: string; value: string; from: number; to: number }

const TOKEN = /<([/?!]?)([A-Za-z_][\w:.-]{0,200})((?:[^<>"']|"[^"<]*"|'[^'<]*')*)>|([^<>]+)/g
const ATTRIBUTE = /(?<![\w:.-])([A-Za-z_][\w:.-]{0,200})="([^"<]*)"/g

function spotsOf(text: string): Spot[] {
  const spots: Spot[] = []
  const counts = new Map<string, number>()
  const named = (name: string) => {
    const count = counts.get(name) ?? 0
    counts.set(name, count + 1)
    return count === 0 ? name : `${name}.${count}`
  }
  let open = { name: '', end: -1 }
  for (const token of text.matchAll(TOKEN)) {
    const [whole, mark = '', tag = '', attributes = '', content] = token
    if (content !== undefined) continue
    const local = tag.replace(/^.*:/, '')
    if (mark === '/' && open.name === tag) {
      spots.push({ name: named(local), value: text.slice(open.end, token.index), from: open.end, to: token.index })
    }
    open = mark === '' && !whole.endsWith('/>') ? { name: tag, end: token.index + whole.length } : { name: '', end: -1 }
    if (mark !== '') continue
    const start = token.index + 1 + tag.length
    for (const attribute of attributes.matchAll(ATTRIBUTE)) {
      const [all, name = '', value = ''] = attribute
      if (/^(xmlns|xsi:|soap|env)/i.test(name)) continue
      const from = start + attribute.index + all.length - 1 - value.length
      spots.push({ name: named(`${local}@${name}`), value, from, to: from + value.length })
    }
  }
  return spots
}

export const xmlLeaves = (text: string): { name: string; value: Json }[] =>
  spotsOf(text)
    .filter(({ value }) => !/^\s+$/.test(value))
    .map(({ name, value }) => ({ name, value: plain(value) }))

/** The document with some of its values replaced; they are escaped unless the change is raw. */
export function changeXml(text: string, changes: readonly Change[]): string {
  const spots = spotsOf(text)
  const found = changes.flatMap((change) => {
    const spot = spots.find(({ name }) => name === change.point.name)
    return spot ? [{ spot, change }] : []
  })
  let changed = text
  for (const { spot, change } of found.sort((a, b) => b.spot.from - a.spot.from)) {
    const value = typeof change.value === 'string' ? change.value : JSON.stringify(change.value)
    changed = changed.slice(0, spot.from) + (change.isRaw ? value : escapeXml(value)) + changed.slice(spot.to)
  }
  return changed
}

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' } as const

export const escapeXml = (text: string): string =>
  text.replace(/(?![\t\r\n])\p{Cc}/gu, '').replace(/[&<>"]/g, (one) => entities[one as keyof typeof entities])

const plain = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
