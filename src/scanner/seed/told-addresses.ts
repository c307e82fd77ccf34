// Addresses of the target in its JSON responses, which are an API's links.

import { isList, isObject, readJson } from '../json-leaves.ts'
import type { Json, Operation } from '../types.ts'
import type { Asked } from './crawl.ts'
import { mayOpen } from './names.ts'
import { isData, type Looking, openThere, readingOf } from './there.ts'

/** Addresses that are asked for in all, and those that one answer gives. */
const MOST_ASKED = 60
const MOST_OF_ANSWER = 30
const LONGEST_ANSWER = 500_000
const LONGEST_ADDRESS = 300
/** Texts of an answer that are looked at, and how deep they lie. */
const MOST_TEXTS = 5_000
const DEEPEST = 8
/** What is no answer of a program. */
const FILE = /\.(png|jpe?g|gif|svg|webp|ico|css|js|mjs|map|woff2?|ttf|eot|mp[34]|webm|pdf|zip|gz)$/i

/** Readings of what the answers name and nobody asked yet, as far as something is there. */
export async function toldAddressesOf(asked: readonly Asked[], looking: Looking): Promise<Operation[]> {
  const there = openThere(looking)
  const known = new Set(asked.map(({ operation: { path, method } }) => `${method} ${path}`))
  const found: Operation[] = []
  let left = MOST_ASKED
  for (const { operation: asker, exchange } of asked) {
    if (!isData(exchange) || exchange.answer.status >= 300 || exchange.text.length > LONGEST_ANSWER) continue
    for (const url of addressesIn(readJson(exchange.text), looking.target)) {
      const operation = readingOf(url)
      if (operation === null || known.has(`GET ${operation.path}`)) continue
      if (looking.signal.aborted || left === 0) return found
      known.add(`GET ${operation.path}`)
      left -= 1
      if (await there(operation)) found.push({ ...operation, foundOn: asker.foundOn })
    }
  }
  return found
}

function addressesIn(json: Json | undefined, target: URL): string[] {
  const found = new Set<string>()
  let left = MOST_TEXTS
  const look = (value: Json, depth: number): void => {
    left -= 1
    if (left < 0 || depth > DEEPEST || found.size >= MOST_OF_ANSWER) return
    if (typeof value === 'string') {
      const url = addressOf(value, target)
      if (url !== null) found.add(url)
    } else if (isList(value)) for (const one of value) look(one, depth + 1)
    else if (isObject(value)) for (const one of Object.values(value)) look(one, depth + 1)
  }
  if (json !== undefined) look(json, 0)
  return [...found]
}

/** A whole address of the target, or a path from its root; a text that only begins so is none. */
function addressOf(text: string, target: URL): string | null {
  if (text.length > LONGEST_ADDRESS || !/^(\/(?!\/)|https?:\/\/)[\w.~!$&'()*+,;=:@%/?#-]+$/.test(text)) return null
  const url = URL.parse(text, target.href)
  if (url === null || url.origin !== target.origin || FILE.test(url.pathname) || !mayOpen(url)) return null
  url.hash = ''
  return url.href
}
