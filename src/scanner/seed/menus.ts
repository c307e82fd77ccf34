// Forms that consist of one list: each choice is tried, as long as they lead to different pages.

import type { Context } from '../check.ts'
import { headerOf } from '../http.ts'
import { locationOf } from '../requests.ts'
import type { Exchange, Operation } from '../types.ts'

const MOST_CHOICES = 300
/** Choices in a row that lead nowhere new, after which it is no menu; headings stand in one that has shown to be one. */
const MOST_IDLE = { unknown: 2, menu: 12 }
/** Places that a menu leads to. */
const LEAST_PLACES = 4

type Choosing = {
  operation: Operation
  /** how the list was answered as it stands on the page */
  exchange: Exchange
  ask: Context['attempt']
  /** choices that were made, of all menus: one of them may stand on every page */
  chosen: Set<string>
  onAnswer: (exchange: Exchange) => void
  signal: AbortSignal
}

/** A choice that leads where another one led may have set something: the first is made again. */
export async function choose({ operation, exchange, ask, chosen, onAnswer, signal }: Choosing): Promise<void> {
  const { menu, method, body } = operation
  if (!menu || !leadsAway(exchange)) return
  const place = method === 'GET' ? 'query' : body?.type === 'multipart' ? 'multipart' : 'form'
  const places = new Set([locationOf(exchange)?.href])
  let [idle, isSet] = [0, false]
  for (const value of menu.values.slice(0, MOST_CHOICES)) {
    if (idle >= (places.size < LEAST_PLACES ? MOST_IDLE.unknown : MOST_IDLE.menu) || signal.aborted) break
    const choice = `${menu.field}=${value}`
    if (chosen.has(choice)) continue
    chosen.add(choice)
    const answered = await ask(operation, [{ point: { place, name: menu.field, value }, value }])
    const isNew = answered !== null && leadsAway(answered) && !places.has(locationOf(answered)?.href)
    idle = isNew ? 0 : idle + 1
    isSet ||= !isNew
    if (answered === null) continue
    if (isNew) places.add(locationOf(answered)?.href)
    onAnswer(answered)
  }
  if (isSet) await ask(operation)
}

/** Whether the answer sends whoever asked to a page of another path, and keeps nothing of the choice in a cookie. */
function leadsAway(exchange: Exchange): boolean {
  if (headerOf(exchange.answer, 'set-cookie') !== '') return false
  const location = locationOf(exchange)
  return location !== null && location.pathname !== URL.parse(exchange.request.url)?.pathname
}
