// Sends a request as another site could make a browser send it, and looks for a page that shows a change.

import type { Context } from '../check.ts'
import { steadyText } from '../compare.ts'
import { textsOf } from '../page-texts.ts'
import { isNamed } from '../points.ts'
import { quietly } from '../probing.ts'
import { get, locationOf } from '../requests.ts'
import { isSafe } from '../seed/names.ts'
import type { Change, Exchange, Identity, Operation } from '../types.ts'
import { resourceOf } from '../values.ts'
import { isFine } from './ownership.ts'
import { isPage } from './shown-pages.ts'

/** How many pages are read again to see a change. */
const MOST_READERS = 4

/** Forms may send any text with this type, and browsers send it without a preflight request. */
const PLAIN = 'text/plain'

/** Headers that a browser sends only on behalf of the site itself or its scripts. */
const OWN_HEADER = /^(authorization|cookie|origin|referer|x-.*)$/i

/** As a page of another site would have it sent by whoever reads that page; `isNobodys`: by somebody who is not signed in. */
export function askAcross(
  operation: Operation,
  changes: readonly Change[],
  context: Context,
  isNobodys = false,
): Promise<Exchange | null> {
  const { method, url, headers, body } = context.requestOf(operation, changes)
  const site = `https://${context.word()}.example`
  const isJson = operation.body?.type === 'json'
  const kept = headers
    .filter(([name]) => !OWN_HEADER.test(name))
    .map(([name, value]) => [name, isJson && isNamed(name, 'content-type') ? PLAIN : value] as const)
  const told = [
    ...(method === 'GET' ? [] : [['Origin', site] as const]),
    ['Referer', `${site}/`] as const,
    ['Sec-Fetch-Site', 'cross-site'] as const,
  ]
  const request = { method, url, headers: [...kept, ...told, ...(isNobodys ? [] : context.acrossSites(method))], body }
  return quietly(
    context.send(request, { identity: null, operation, values: changes.map(({ value }) => String(value)) }),
  )
}

/** Addresses that may show what an operation changed, without the address of the request itself. */
export function readersOf(operation: Operation, answer: Exchange, context: Context): string[] {
  const folder = operation.path.replace(/[^/]*$/, '')
  const about = resourceOf(operation)
  const near = context.operations.filter(
    (one) =>
      isSafe(one) &&
      one.key !== operation.key &&
      (operation.path.startsWith(one.path) ||
        (!one.path.includes('{') && (one.path.startsWith(folder) || resourceOf(one) === about))),
  )
  const urls = [operation.foundOn, locationOf(answer)?.href, ...near.map((one) => context.requestOf(one).url)]
  const asked = operation.method === 'GET' ? answer.request.url : null
  return [...new Set(urls)].flatMap((url) => (url === undefined || url === asked ? [] : [url])).slice(0, MOST_READERS)
}

const readAs = async (url: string, identity: Identity | null, context: Context): Promise<Exchange | null> => {
  const exchange = await quietly(context.send(get(url), { identity }))
  return isFine(exchange) ? exchange : null
}

/** The first page that shows the word, both times it is read. */
export async function pageWith(
  word: string,
  urls: readonly string[],
  owner: Identity,
  context: Context,
): Promise<string | null> {
  for (const url of urls) {
    if (url.includes(word)) continue
    const first = await readAs(url, owner, context)
    if (first?.text.includes(word) && (await readAs(url, owner, context))?.text.includes(word)) return url
  }
  return null
}

/** The visible text of the page, without parts that change by themselves. */
export async function seenAt(url: string, identity: Identity | null, context: Context): Promise<string | null> {
  const exchange = await readAs(url, identity, context)
  if (exchange === null) return null
  const { text } = exchange
  return steadyText(isPage(exchange) ? textsOf(text, 1).join('\n') : text)
}
