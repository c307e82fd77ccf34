// The pages that a crawl requests, each once: those in scope that may be opened, in the order of links.ts.

import { isInScope } from '../scope.ts'
import type { Operation, Scope } from '../types.ts'
import { openLinks } from './links.ts'
import { isPasswordForm, mayOpen } from './names.ts'
import { fromObserved, withoutSession } from './observed.ts'
import { routesIn } from './scripts.ts'

const MOST_LINKS = 4_000
const STATIC = /\.(css|png|jpe?g|gif|svg|webp|avif|ico|woff2?|ttf|eot|mp4|webm|mp3|pdf|zip|gz|tar|exe|dmg)$/i

type PageQueue = Pick<ReturnType<typeof openLinks>, 'next' | 'areThere' | 'spare'> & {
  /** A page that must not be opened is kept as an operation instead. */
  push: (link: string, page: string, isHarmful?: boolean) => void
  /** The pages that a script shows; `isOnePage`: the server answers all paths with one page, so that opening one changes nothing. */
  pushRoutes: (script: string, isOnePage: boolean) => void
  /** The server answers that address itself, whatever scripts show there. */
  isNoRoute: (url: string) => void
  /** More pages like that one may be requested, because it led to something new. */
  reward: (url: string) => void
  has: (url: string) => boolean
  /** Whether nothing but the start page was pushed. */
  isAtStart: () => boolean
  /** The operation that opens the page. */
  operationAt: (url: string, foundOn?: string) => Operation | null
}

/** `keep` takes the operations of pages that are not requested. */
export function openPageQueue(target: URL, scope: Scope, keep: (operation: Operation | null) => void): PageQueue {
  const links = openLinks()
  const pushed = new Set<string>()
  /** addresses at which scripts show the form of a new password, as far as the server has not turned out to answer them itself */
  const routes = new Set<string>()

  const operationAt = (url: string, foundOn?: string): Operation | null => {
    const page = fromObserved({ method: 'GET', url, source: 'crawl', foundOn })
    return page && routes.has(url) ? { ...page, isDestructive: false } : page
  }
  const push = (link: string, page: string, isHarmful = false) => {
    const url = URL.parse(link, page)
    if (url === null || pushed.size >= MOST_LINKS) return
    const isRoute = url.hash.startsWith('#/') || url.hash.startsWith('#!')
    url.hash = ''
    url.pathname = withoutSession(url.pathname)
    if (isRoute && url.href === page) return
    if (pushed.has(url.href) || !isInScope(url.href, scope) || STATIC.test(url.pathname)) return
    const operation = operationAt(url.href, page)
    if (operation && isHarmful) return keep({ ...operation, isDestructive: true })
    if (!operation || (!routes.has(url.href) && !mayOpen(url))) return keep(operation)
    pushed.add(url.href)
    links.add(operation.key, url, page)
  }

  return {
    push,
    pushRoutes(script, isOnePage) {
      const folder = new URL('.', target).href
      for (const route of routesIn(script)) {
        const { href } = new URL(route, target)
        if (isOnePage && href.startsWith(folder) && isPasswordForm(route)) routes.add(href)
        push(href, target.href)
      }
    },
    isNoRoute: (url) => void routes.delete(url),
    reward: (url) => links.reward(fromObserved({ method: 'GET', url, source: 'crawl' })?.key ?? ''),
    has: (url) => pushed.has(url),
    isAtStart: () => pushed.size === 1,
    operationAt,
    next: links.next,
    areThere: links.areThere,
    spare: links.spare,
  }
}
