// Follows what the target's pages lead to: links, forms, scripts, robots.txt and sitemaps.

import { randomBytes } from 'node:crypto'
import type { Context, SendOptions } from '../check.ts'
import { steadyText } from '../compare.ts'
import { readPage } from '../html.ts'
import { headerOf, mediaTypeOf, textOf } from '../http.ts'
import { SendFailed } from '../outcome.ts'
import { ownCopy } from '../own-copy.ts'
import { get } from '../requests.ts'
import { isInScope } from '../scope.ts'
import type { Exchange, HttpAnswer, HttpRequest, Operation, Scope } from '../types.ts'
import { hasScripts, type Lead, leadsOf, leadsOfPage, leadsOfRendered, pageOf } from './leads.ts'
import { openLinks } from './links.ts'
import { choose } from './menus.ts'
import { isPasswordForm, mayOpen } from './names.ts'
import { fromObserved, withoutSession } from './observed.ts'
import { routesIn } from './scripts.ts'

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

const MOST_LINKS = 4_000
const MOST_OPERATIONS = 1_500
/** The most operations kept of a menu that appears on every page. */
const MOST_SAME_MENUS = 3
const WIDTH = 4
/** The most pages that are read again after forms have created something. */
const MOST_READ_AGAIN = 60
const STATIC = /\.(css|png|jpe?g|gif|svg|webp|avif|ico|woff2?|ttf|eot|mp4|webm|mp3|pdf|zip|gz|tar|exe|dmg)$/i
const HIDDEN = ['robots.txt', 'sitemap.xml']
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
  const operations = new Map<string, Operation>()
  const asked = new Set<string>()
  const links = openLinks()
  /** choices of menus that were made, and menus that stand on one page after the other */
  const chosen = new Set<string>()
  const menus = new Map<string, number>()
  /** addresses that no link names */
  const guesses = new Set<string>()
  /** addresses at which scripts show the form of a new password, as far as the server has not turned out to answer them itself */
  const routes = new Set<string>()
  /** what is answered to a path that nothing leads to, where that is a page: applications of scripts answer all paths with one */
  let nowhere: string | null = null
  /** pages that may list what is created later */
  const visited: string[] = []
  let isReadAgain = false
  const scripted = new Set<string>()

  const keep = (operation: Operation | null) => {
    if (!operation) return
    const known = operations.get(operation.key)
    if (known) return void operations.set(operation.key, filledFrom(known, operation))
    if (operations.size >= MOST_OPERATIONS) return
    if (operation.menu) {
      const name = `${operation.method} ${operation.menu.field} ${operation.menu.values.length}`
      const known = menus.get(name) ?? 0
      if (known >= MOST_SAME_MENUS) return
      menus.set(name, known + 1)
    }
    if (isInScope(operation.origin + operation.path.replace(/[{}]/g, ''), scope))
      operations.set(operation.key, ownCopy(operation))
  }
  const push = (link: string, page: string, isHarmful = false) => {
    const url = URL.parse(link, page)
    if (url === null || asked.size >= MOST_LINKS) return
    const isRoute = url.hash.startsWith('#/') || url.hash.startsWith('#!')
    url.hash = ''
    url.pathname = withoutSession(url.pathname)
    if (isRoute && url.href === page) return
    if (asked.has(url.href) || !isInScope(url.href, scope) || STATIC.test(url.pathname)) return
    const operation = pageAt(url.href, page)
    if (operation && isHarmful) return keep({ ...operation, isDestructive: true })
    if (!operation || (!routes.has(url.href) && !mayOpen(url))) return keep(operation)
    asked.add(url.href)
    links.add(operation.key, url, page)
  }
  const keyOf = (url: string) => fromObserved({ method: 'GET', url, source: 'crawl' })?.key ?? ''
  const pageAt = (url: string, foundOn?: string): Operation | null => {
    const page = fromObserved({ method: 'GET', url, source: 'crawl', foundOn })
    return page && routes.has(url) ? { ...page, isDestructive: false } : page
  }
  /** Pages that scripts show. That of a new password changes nothing by being opened where the server answers all paths with one page. */
  const pushRoutes = (script: string) => {
    for (const route of routesIn(script)) {
      const { href } = new URL(route, target)
      if (nowhere !== null && href.startsWith(new URL('.', target).href) && isPasswordForm(route)) routes.add(href)
      push(href, target.href)
    }
  }

  const take = (lead: Lead, url: string) => {
    if (lead.to === 'page') push(lead.link, lead.base, lead.isHarmful)
    else if (lead.to === 'routes') pushRoutes(lead.script)
    else keep(lead.to === 'operation' ? lead.operation : fromObserved({ ...lead.observed, foundOn: url }))
  }

  /** Requests a page, and once more if there is no response, because pages that only it links to would be missed. */
  const patiently = async (url: string): Promise<Exchange | null> => {
    for (let left = 1; ; left -= 1) {
      try {
        return await send(get(url))
      } catch (error) {
        if (!(error instanceof SendFailed) || asked.size === 1) throw error
        if (left === 0) return null
      }
    }
  }
  const visit = async (url: string, foundOn: string | undefined) => {
    const exchange = await patiently(url)
    if (exchange !== null) read(exchange, url, foundOn)
  }
  /** Collects what a response leads to. */
  const read = ({ request, answer, text }: Exchange, url: string, foundOn?: string) => {
    const isNowhere = nowhere !== null && url !== target.href && steadyText(text) === nowhere
    if (!isNowhere) routes.delete(url)
    if (guesses.has(url) && (isNowhere || answer.status !== 200 || mediaTypeOf(answer) !== 'text/html')) return
    const location = headerOf(answer, 'location')
    if (location) push(location, url)
    if (isNowhere && HIDDEN.some((name) => url.endsWith(`/${name}`))) return
    const type = mediaTypeOf(answer)
    if (request.method === 'GET' && answer.status !== 404 && !/javascript/.test(type)) keep(pageAt(url, foundOn))
    if (isNowhere) return
    const known = operations.size
    const page = pageOf({ answer, text })
    if (page !== null && request.method === 'GET' && answer.status < 300 && !isReadAgain) visited.push(url)
    if (page !== null && hasScripts(page)) scripted.add(url)
    for (const lead of page === null ? leadsOf(text, type, url) : leadsOfPage(page, text, url)) take(lead, url)
    if (operations.size > known) links.reward(keyOf(url))
  }

  const lane = async () => {
    for (let next = links.next(); next && !signal.aborted; next = links.next()) await visit(next.url, next.foundOn)
  }
  const drain = async () => {
    do while (links.areThere() && !signal.aborted) await Promise.all(Array.from({ length: WIDTH }, lane))
    while (links.spare() && !signal.aborted)
  }
  return {
    async start() {
      push(target.href, target.href)
      // the start page is requested alone, because its response decides whether there is a scan
      const first = links.next()
      const exchange = first ? await patiently(first.url) : null
      const none = await ask(new URL(`${randomBytes(6).toString('hex')}/`, target).href)
      if (none && none.status < 300 && mediaTypeOf(none) === 'text/html') nowhere = steadyText(textOf(none))
      if (first && exchange) read(exchange, first.url, first.foundOn)
      for (const landing of landings) push(landing, target.href)
      for (const name of HIDDEN)
        for (const folder of ['/', './']) push(new URL(folder + name, target).href, target.href)
      await drain()
      const folders = new Set(['/', './'].map((folder) => new URL(folder, target).href))
      for (const folder of folders) {
        for (const name of UNLINKED) {
          const { href, pathname } = new URL(name, folder)
          if (asked.has(href)) break
          guesses.add(href)
          push(href, target.href)
          await drain()
          if (operations.has(`GET ${pathname}`)) break
        }
      }
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
      if (isMade && !isReadAgain) {
        isReadAgain = true
        for (const url of visited.slice(0, MOST_READ_AGAIN)) if (!signal.aborted) await visit(url, undefined)
      }
      await drain()
    },
    operations: () => [...operations.values()],
    scripted: () => scripted,
  }
}

/** An operation, with missing values taken from another link to it. */
function filledFrom(known: Operation, other: Operation): Operation {
  if (known.source !== 'crawl' || known.parameters.every(({ value }) => value !== '')) return known
  const parameters = known.parameters.map((parameter) => {
    const same = other.parameters.find(({ place, name }) => place === parameter.place && name === parameter.name)
    return parameter.value === '' && same ? { ...parameter, value: same.value } : parameter
  })
  return ownCopy({ ...known, parameters })
}
