// Operations behind an undescribed list: reading an item by its id, adding one, and changing one.

import { innermost } from '../current-values.ts'
import { headerOf } from '../http.ts'
import { isList, isObject, readJson } from '../json-leaves.ts'
import type { Exchange, Json, Operation, Profile } from '../types.ts'
import { plainName } from '../values.ts'
import type { Asked } from './crawl.ts'
import { isDestructive, kindOf } from './names.ts'
import { fromObserved } from './observed.ts'
import { askBeside, isData, type Looking, openThere, readingOf } from './there.ts'

const MOST_LISTS = 30
const MOST_MEMBERS = 20
const WRAPPER = /^(data|results?|items|rows|records|list|content|payload|values)$/i
/** Members that the server sets, and those that could change permissions; they are not sent. */
const SERVERS =
  /^(id|_?id|uuid|guid|links)$|^(created|updated|deleted|modified|last).*|at$|passw|pwd|hash|token|secret|salt|role|admin|staff|superuser|permission|verified/

type Member = readonly [name: string, value: Json]

/** Reads of single items; from BALANCED on also an operation that adds one; with DEEP also one that changes an item to its current values. */
export async function listedThingsOf(
  asked: readonly Asked[],
  looking: Looking & { profile: Profile },
): Promise<Operation[]> {
  const there = openThere(looking)
  const known = asked.map(({ operation: { method, path } }) => `${method} ${path.replace(/\{[^{}]{0,100}\}/g, '{}')}`)
  const isKnown = (method: string, path: string) =>
    known.includes(`${method} ${path.replace(/\{[^{}]{0,100}\}/g, '{}')}`)
  const found: Operation[] = []
  let left = MOST_LISTS
  for (const { operation, exchange } of asked) {
    const thing = mayBeList(operation) ? firstOf(exchange) : null
    if (thing === null) continue
    if (looking.signal.aborted || left === 0) break
    left -= 1
    const path = operation.path.replace(/\/$/, '')
    const url = urlOf(exchange)
    const single = thing.id === null ? null : readingOf(`${url}/${encodeURIComponent(thing.id)}`)
    const one = single && single.path !== path && !isKnown('GET', single.path) ? await there(single) : null
    if (single && one && isData(one) && one.answer.status < 300) found.push(single)
    if (!isKnown('POST', path)) found.push(...(await adding(url, thing.members, looking)))
    if (looking.profile !== 'DEEP' || !single || !one || one.answer.status >= 300) continue
    if (!isKnown('PUT', single.path) && !isKnown('PATCH', single.path)) found.push(...(await changing(one, looking)))
  }
  return found
}

/** Reads whose path does not end in a value, and that have no query that selects. */
const mayBeList = ({ method, path, kind, isDestructive, body }: Operation): boolean =>
  method === 'GET' && kind === 'read' && !isDestructive && body === null && path !== '/' && !/\}\/?$/.test(path)

/** The address of a request, without its query. */
const urlOf = ({ request }: Exchange): string => request.url.replace(/[?#].*$/s, '').replace(/\/$/, '')

/** The first item of a response that is a list. */
function firstOf(exchange: Exchange): { id: string | null; members: Member[] } | null {
  if (!isData(exchange) || exchange.answer.status !== 200) return null
  const json = readJson(exchange.text)
  const inner = isObject(json)
    ? Object.entries(json).find(([name, one]) => isList(one) && isWrapper(name, exchange))
    : null
  const list = isList(json) ? json : inner?.[1]
  const first = isList(list) ? list[0] : undefined
  if (!isObject(first)) return null
  const id = Object.entries(first).find(
    ([name, value]) => /^_?(id|uuid|guid)$/i.test(name) && (typeof value === 'number' || typeof value === 'string'),
  )
  return { id: id === undefined ? null : String(id[1]), members: membersOf(first) }
}

/** `data`, or the word of the address: `{"users": […]}` at `/users`. */
const isWrapper = (name: string, exchange: Exchange): boolean =>
  WRAPPER.test(name) || plainName(urlOf(exchange).split('/').at(-1) ?? '') === plainName(name)

const membersOf = (thing: { readonly [name: string]: Json }): Member[] =>
  Object.entries(thing)
    .filter(([name, value]) => value !== null && typeof value !== 'object' && !SERVERS.test(plainName(name)))
    .slice(0, MOST_MEMBERS)

/** The operation that adds to the list, with the members of its items; none if even an empty request is rejected as unsupported. */
async function adding(url: string, members: readonly Member[], looking: Looking): Promise<Operation[]> {
  const operation = sending('POST', url, members)
  return operation && (await isTaken(operation, url, looking)) ? [operation] : []
}

/** The operation that changes an item, with its current values, so that sending it changes nothing; none if the target rejects it. */
async function changing(one: Exchange, looking: Looking): Promise<Operation[]> {
  const thing = innermost(readJson(one.text))
  const members = isObject(thing) ? membersOf(thing) : []
  for (const method of ['PATCH', 'PUT']) {
    const operation = sending(method, urlOf(one), members)
    if (operation === null) continue
    const allowed = await allowedAt(operation, looking)
    const exchange = allowed !== null && !allowed.includes(method) ? null : await askBeside(looking, operation)
    if (exchange && isOpen(exchange)) return [operation]
  }
  return []
}

function sending(method: string, url: string, members: readonly Member[]): Operation | null {
  if (members.length === 0) return null
  const body = JSON.stringify(Object.fromEntries(members))
  const operation = fromObserved({ method, url, body, mediaType: 'application/json', source: 'guess' })
  if (operation === null || isDestructive(method, operation.path) || operation.isDestructive) return null
  return operation.isForForgotten ? null : { ...operation, kind: kindOf(method, operation.path) }
}

const isOpen = ({ answer: { status } }: Exchange): boolean => ![401, 403, 404, 405, 415, 429, 501].includes(status)

async function isTaken(operation: Operation, url: string, looking: Looking): Promise<boolean> {
  const allowed = await allowedAt(operation, looking)
  if (allowed !== null) return allowed.includes(operation.method)
  const empty = fromObserved({
    method: operation.method,
    url,
    body: '{}',
    mediaType: 'application/json',
    source: 'guess',
  })
  const exchange = empty && (await askBeside(looking, empty))
  return exchange !== null && isOpen(exchange)
}

/** The methods that the target allows for an address; null if it names none, or the same for every address. */
async function allowedAt(operation: Operation, looking: Looking): Promise<string[] | null> {
  const exchange = await askBeside(looking, { ...operation, method: 'OPTIONS', body: null })
  const allow = exchange === null || exchange.answer.status >= 300 ? '' : headerOf(exchange.answer, 'allow')
  return allow === '' ? null : allow.toUpperCase().split(/[\s,]+/)
}
