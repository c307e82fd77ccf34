// Follows what the target's pages lead to: links, forms, scripts, robots.txt and sitemaps.

import { readPage } from '../html.ts'
import { headerOf, mediaTypeOf } from '../http.ts'
import { SendFailed } from '../outcome.ts'
import { get } from '../requests.ts'
import { isInScope } from '../scope.ts'
import type { Exchange, HttpRequest, Operation, Scope, SendOptions } from '../types.ts'
import { fromForm } from './forms.ts'
import { isDestructive } from './names.ts'
import { fromObserved, type Observed } from './observed.ts'
import { fromScript } from './scripts.ts'

type Crawl = {
  target: URL
  scope: Scope
  send: (request: HttpRequest, options?: SendOptions) => Promise<Exchange>
  signal: AbortSignal
}

const MOST_PAGES = 400
const MOST_OPERATIONS = 1_500
/** Pages that differ in values alone. */
const MOST_ALIKE = 3
const WIDTH = 4
const STATIC = /\.(css|png|jpe?g|gif|svg|webp|avif|ico|woff2?|ttf|eot|mp4|webm|mp3|pdf|zip|gz|tar|exe|dmg)$/i
const HIDDEN = ['robots.txt', 'sitemap.xml']

/** The operations that pages lead to, those of the start first. */
export async function crawl({ target, scope, send, signal }: Crawl): Promise<Operation[]> {
  const operations = new Map<string, Operation>()
  const queue: { url: string; foundOn?: string }[] = []
  const asked = new Set<string>()
  const alike = new Map<string, number>()

  const keep = (operation: Operation | null) => {
    if (!operation || operations.size >= MOST_OPERATIONS || operations.has(operation.key)) return
    if (isInScope(operation.origin + operation.path.replace(/[{}]/g, ''), scope))
      operations.set(operation.key, operation)
  }
  const push = (link: string, page: string) => {
    const url = URL.parse(link, page)
    if (url === null || asked.size >= MOST_PAGES) return
    const isRoute = url.hash.startsWith('#/') || url.hash.startsWith('#!')
    url.hash = ''
    if (isRoute && url.href === page) return
    if (asked.has(url.href) || !isInScope(url.href, scope) || STATIC.test(url.pathname)) return
    const operation = fromObserved({ method: 'GET', url: url.href, source: 'crawl', foundOn: page })
    if (!operation || isDestructive('GET', url.pathname + url.search)) return keep(operation)
    const count = alike.get(operation.key) ?? 0
    alike.set(operation.key, count + 1)
    if (count >= MOST_ALIKE) return
    asked.add(url.href)
    queue.push({ url: url.href, foundOn: page })
  }

  const visit = async (url: string, foundOn: string | undefined) => {
    let exchange: Exchange
    try {
      exchange = await send(get(url))
    } catch (error) {
      if (error instanceof SendFailed && asked.size > 1) return
      throw error
    }
    const { answer, text } = exchange
    const location = headerOf(answer, 'location')
    if (location) push(location, url)
    const type = mediaTypeOf(answer)
    if (answer.status !== 404 && !/javascript/.test(type))
      keep(fromObserved({ method: 'GET', url, source: 'crawl', foundOn }))
    const observed: Observed[] = []
    if (/javascript|ecmascript/.test(type)) observed.push(...fromScript(text, new URL('/', url).href))
    else if (type === 'text/html' || type === 'application/xhtml+xml' || type === '') {
      const page = readPage(text)
      const base = page.base ? (URL.parse(page.base, url)?.href ?? url) : url
      for (const link of [...page.links, page.refresh ?? ''])
        if (link && !/^(javascript|mailto|tel|data):/i.test(link)) push(link, base)
      for (const { tag, url: source } of page.loads) if (tag === 'script' || tag === 'iframe') push(source, base)
      for (const form of page.forms) keep(fromForm(form, base === url ? url : base))
      for (const script of page.scripts) observed.push(...fromScript(script, base))
      for (const comment of page.comments)
        for (const [, link = ''] of comment.matchAll(/(?:href|src|action)=["']([^"']{1,500})/gi)) push(link, base)
    } else if (/xml/.test(type)) {
      for (const [, link = ''] of text.matchAll(/<loc>\s{0,20}([^<\s]{1,1000})/g)) push(link, url)
    } else if (url.endsWith('/robots.txt')) {
      for (const [, path = ''] of text.matchAll(/^(?:dis)?allow:[ \t]{0,10}(\/[^\s*$]{1,300})/gim)) push(path, url)
      for (const [, link = ''] of text.matchAll(/^sitemap:[ \t]{0,10}(\S{1,500})/gim)) push(link, url)
    }
    for (const one of observed) {
      if (one.method === 'GET') push(one.url, url)
      else keep(fromObserved({ ...one, foundOn: url }))
    }
  }

  push(target.href, target.href)
  const lane = async () => {
    for (let next = queue.shift(); next && !signal.aborted; next = queue.shift()) await visit(next.url, next.foundOn)
  }
  await lane1(queue, visit)
  for (const name of HIDDEN) push(new URL(`/${name}`, target).href, target.href)
  while (queue.length > 0 && !signal.aborted) await Promise.all(Array.from({ length: WIDTH }, lane))
  return [...operations.values()]
}

/** The start is asked alone: whether it answers decides whether there is a scan. */
async function lane1(
  queue: { url: string; foundOn?: string }[],
  visit: (url: string, foundOn?: string) => Promise<void>,
): Promise<void> {
  const first = queue.shift()
  if (first) await visit(first.url, first.foundOn)
}
