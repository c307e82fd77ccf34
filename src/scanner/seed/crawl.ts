// Follows what the target's pages lead to: links, forms, scripts, robots.txt and sitemaps.

import { randomBytes } from 'node:crypto'
import type { Context, SendOptions } from '../check.ts'
import { steadyText } from '../compare.ts'
import { readPage } from '../html.ts'
import { mediaTypeOf, textOf } from '../http.ts'
import { SendFailed } from '../outcome.ts'
import { get } from '../requests.ts'
import type { Exchange, HttpAnswer, HttpRequest, Operation, Scope } from '../types.ts'
import { openOperations } from './crawled-operations.ts'
import { HIDDEN, openReading } from './crawled-reading.ts'
import { leadsOfRendered } from './leads.ts'
import { choose } from './menus.ts'
import { openPageQueue } from './page-queue.ts'

type Crawl = {
  target: URL
  scope: Scope
  /** pages to which sign-ins led, which may be reachable in no other way */
  landings: readonly string[]
  send: (request: HttpRequest, options?: SendOptions) => Promise<Exchange>
  /** fetches a page outside the scan's scope, without credentials */
  ask: (url: string) => Promise<HttpAnswer | null>
  signal: AbortSignal
}

const WIDTH = 4
/** Paths of pages for few people, to which often no link leads. */
const UNLINKED = ['admin', 'admin/']

/** A page as rendered by its scripts. */
export type Rendered = { url: string; html: string }

/** A form's operation and its response. */
export type Asked = { operation: Operation; exchange: Exchange }

export type Crawling = {
  /** Follows the target's pages, starting from the given ones. */
  start: () => Promise<void>
  /** Follows further links of rendered pages. */
  further: (pages: readonly Rendered[]) => Promise<void>
  /** Follows links in the responses of forms, and the other choices of menus. */
  follow: (asked: readonly Asked[], ask: Context['attempt']) => Promise<void>
  operations: () => Operation[]
  /** addresses of pages with scripts */
  scripted: () => ReadonlySet<string>
}

export function openCrawl({ target, scope, landings, send, ask, signal }: Crawl): Crawling {
  const operations = openOperations(scope)
  const queue = openPageQueue(target, scope, operations.keep)
  const { read, take, ...reading } = openReading(target, queue, operations)
  /** choices of menus that were made */
  const chosen = new Set<string>()

  /** Requests a page, and once more if there is no response, because pages that only it links to would be missed. */
  const patiently = async (url: string): Promise<Exchange | null> => {
    for (let left = 1; ; left -= 1) {
      try {
        return await send(get(url))
      } catch (error) {
        if (!(error instanceof SendFailed) || queue.isAtStart()) throw error
        if (left === 0) return null
      }
    }
  }
  const visit = async (url: string, foundOn: string | undefined) => {
    const exchange = await patiently(url)
    if (exchange !== null) read(exchange, url, foundOn)
  }
  const lane = async () => {
    for (let next = queue.next(); next && !signal.aborted; next = queue.next()) await visit(next.url, next.foundOn)
  }
  const drain = async () => {
    do while (queue.areThere() && !signal.aborted) await Promise.all(Array.from({ length: WIDTH }, lane))
    while (queue.spare() && !signal.aborted)
  }
  const guess = async (folder: string) => {
    for (const name of UNLINKED) {
      const { href, pathname } = new URL(name, folder)
      if (queue.has(href)) return
      reading.guess(href)
      queue.push(href, target.href)
      await drain()
      if (operations.has(`GET ${pathname}`)) return
    }
  }

  return {
    async start() {
      queue.push(target.href, target.href)
      // the start page is requested alone, because its response decides whether there is a scan
      const first = queue.next()
      const exchange = first ? await patiently(first.url) : null
      reading.expect(await answerToNothing(target, ask))
      if (first && exchange) read(exchange, first.url, first.foundOn)
      for (const landing of landings) queue.push(landing, target.href)
      const folders = new Set(['/', './'].map((folder) => new URL(folder, target).href))
      for (const name of HIDDEN) for (const folder of folders) queue.push(new URL(name, folder).href, target.href)
      await drain()
      for (const folder of folders) await guess(folder)
      await drain()
    },
    async further(pages) {
      for (const { url, html } of pages) {
        for (const lead of leadsOfRendered(readPage(html), url)) take(lead, url)
      }
      await drain()
    },
    async follow(asked, ask) {
      for (const { operation, exchange } of asked) {
        if (signal.aborted) break
        if (operation.source !== 'form') continue
        read(exchange, exchange.request.url)
        const onAnswer = (answered: Exchange) => read(answered, answered.request.url)
        await choose({ operation, exchange, ask, chosen, onAnswer, signal })
      }
      const isMade = asked.some(({ operation, exchange }) => operation.kind !== 'read' && exchange.answer.status < 400)
      for (const url of isMade ? reading.again() : []) if (!signal.aborted) await visit(url, undefined)
      await drain()
    },
    operations: operations.all,
    scripted: reading.scripted,
  }
}

/** The page, apart from what changes at each request, with which a path is answered that nothing leads to; null if it is none. */
async function answerToNothing(target: URL, ask: Crawl['ask']): Promise<string | null> {
  const answer = await ask(new URL(`${randomBytes(6).toString('hex')}/`, target).href)
  const isPage = answer !== null && answer.status < 300 && mediaTypeOf(answer) === 'text/html'
  return isPage ? steadyText(textOf(answer)) : null
}
