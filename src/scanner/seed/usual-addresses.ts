// Addresses that nothing names but many APIs have: beside those that are known of one, and in the folders where one usually is.

import { mediaTypeOf } from '../http.ts'
import type { Operation } from '../types.ts'
import type { Asked } from './crawl.ts'
import { isData, type Looking, openThere, readingOf } from './there.ts'

/** What interfaces call what they hold and what they tell of themselves; none says that something is done. */
const NAMES = `
  users user me profile accounts account customers employees admin admin/users orders products items cart payments
  transactions invoices messages notifications comments posts reviews tickets files documents reports search
  config settings health status info version stats metrics debug env logs keys tokens roles export backup`
  .trim()
  .split(/\s+/)
/** Where an interface is of which nothing is known, and what is asked for to see whether it is. */
const USUAL_FOLDERS = ['/api/', '/api/v1/', '/v1/']
const FIRST_NAMES = ['users', 'products', 'health', 'status']
/** What is beside a sign-in. */
const BESIDE_SIGN_IN = ['me', 'profile', 'user', 'users', 'session', 'verify']
const MOST_FOLDERS = 3
const SIGNS_IN = /^(.*\/)(log-?in|sign-?in|token|session)\/?$/i
/** Addresses of which other versions are asked for, and other numbers of a version than the one that is known. */
const MOST_VERSIONED = 20
const NUMBERS = [1, 2, 3]

export async function usualAddressesOf(asked: readonly Asked[], looking: Looking): Promise<Operation[]> {
  const there = openThere(looking)
  const known = new Set(asked.flatMap(({ operation }) => (operation.method === 'GET' ? [operation.path] : [])))
  const found: Operation[] = []
  const look = async (url: string): Promise<boolean> => {
    const operation = readingOf(url)
    if (operation === null || looking.signal.aborted || known.has(operation.path)) return false
    known.add(operation.path)
    const exchange = await there(operation)
    // a page is for people, and pages are followed by their links
    if (exchange === null || !/json|text\/plain/.test(mediaTypeOf(exchange.answer))) return false
    found.push(operation)
    return true
  }
  for (const { origin, path } of signInsAmong(asked))
    for (const name of BESIDE_SIGN_IN) await look(origin + path + name)
  const folders = foldersOf(asked)
  for (const folder of folders.slice(0, MOST_FOLDERS)) for (const name of NAMES) await look(folder + name)
  for (const path of folders.length > 0 ? [] : USUAL_FOLDERS) {
    const folder = looking.target.origin + path
    const first: boolean[] = []
    for (const name of FIRST_NAMES) first.push(await look(folder + name))
    if (first.includes(true)) for (const name of NAMES) await look(folder + name)
  }
  for (const url of otherVersionsOf(asked)) await look(url)
  return found
}

/** Folders that hold what an interface answers: up to `api` or a version, and the root where no path has one. */
function foldersOf(asked: readonly Asked[]): string[] {
  const counts = new Map<string, number>()
  for (const { operation, exchange } of asked) {
    const { origin, path, body } = operation
    if (!isData(exchange) || body?.type === 'graphql' || path === '/' || path.startsWith('/{')) continue
    const folder = origin + (/^(\/[^{}]*?\/?(?:api|rest|v\d{1,2})(?:\/v\d{1,2})?\/)/i.exec(path)?.[1] ?? '/')
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts].sort(([, one], [, other]) => other - one).map(([folder]) => folder)
}

/** The folders of sign-ins that answer programs. */
function signInsAmong(asked: readonly Asked[]): { origin: string; path: string }[] {
  const folders = asked.flatMap(({ operation: { origin, path, body }, exchange }) => {
    const folder = body?.type === 'json' && isData(exchange) ? SIGNS_IN.exec(path)?.[1] : undefined
    return folder === undefined || folder === '/' ? [] : [{ origin, path: folder }]
  })
  return folders.filter(({ path }, at) => folders.findIndex((one) => one.path === path) === at)
}

/** The same readings under other versions: `/v1/users` beside `/v2/users`. */
function otherVersionsOf(asked: readonly Asked[]): string[] {
  const found = new Set<string>()
  for (const { exchange, operation } of asked) {
    const { method, path, origin } = operation
    const version = /\/v(\d{1,2})\//i.exec(path)
    if (version === null || method !== 'GET' || found.size >= MOST_VERSIONED || exchange.answer.status >= 300) continue
    const url = URL.parse(exchange.request.url)
    for (const number of NUMBERS)
      if (String(number) !== version[1] && url)
        found.add(origin + url.pathname.replace(/\/v\d{1,2}\//i, `/v${number}/`))
  }
  return [...found]
}
