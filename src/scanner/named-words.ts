// Extracts the words that a refusal offers: `"status" must be one of [open, closed]`.

import { isList, isObject, readJson } from './json-leaves.ts'
import type { Json } from './types.ts'

const MOST_WORDS = 3
const WORD = /^[\w.:-]{1,40}$/
const OFFER =
  /one of|allowed|accepted|supported|permitted|expected|should be|must be|ha(?:s|ve) to be|valid (values|options|choices|types)|whitelist/i
/** What would end or destroy something, or make somebody an administrator. */
const HARMS =
  /delet|remov|destr|drop|purg|wip(e|ing)|truncat|reset|revok|disabl|deactiv|suspend|cancel|shutdown|admin|owner|superuser|staff/i
/** Lists that say where the fault is, and not what would be none. */
const PLACE = /^(loc|location|paths?|params?|fields?|required|missing|targets?)$/i

/** The first few words of what a refusal offers, without those that could do harm; none where it offers nothing. */
export function wordsNamed(text: string): string[] {
  const json = readJson(text.slice(0, 100_000))
  const words = [...(json === undefined ? [] : listsIn(json, 0)), ...offeredIn(text.slice(0, 20_000))]
  return [...new Set(words)].filter((word) => !HARMS.test(word)).slice(0, MOST_WORDS)
}

function listsIn(json: Json, depth: number): string[] {
  if (depth > 6) return []
  if (isList(json)) {
    const words = json.filter((one): one is string => typeof one === 'string' && WORD.test(one))
    const isOffer = words.length === json.length && words.length <= 20
    return isOffer ? words : json.slice(0, 20).flatMap((one) => listsIn(one, depth + 1))
  }
  if (!isObject(json)) return []
  return Object.entries(json).flatMap(([name, inner]) => (PLACE.test(name) ? [] : listsIn(inner, depth + 1)))
}

/** Words behind the offer: in quotes, or else between commas. */
function offeredIn(text: string): string[] {
  const at = text.search(OFFER)
  if (at < 0) return []
  const offer = text.slice(at, at + 300)
  const quoted = [...offer.matchAll(/\\?['"`]([\w.:-]{1,40})\\?['"`](?!\s*:)/g)].flatMap(([, word]) => word ?? [])
  if (quoted.length > 0) return quoted
  const listed = /[[(:]\s{0,3}((?:[\w.-]{1,40}\s{0,3}[,|]\s{0,3}){1,12}[\w.-]{1,40})/.exec(offer)?.[1]
  return listed?.split(/[,|]/).map((word) => word.trim()) ?? []
}
