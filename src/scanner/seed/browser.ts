// What a script application asks when a browser opens it and the routes it links to.

import type { Browsing } from '../browser.ts'
import { withPage } from '../browser.ts'
import { isInScope } from '../scope.ts'
import type { Operation } from '../types.ts'
import { fromObserved } from './observed.ts'

/** `isWide`: nothing describes the target, so that more of its pages are opened. */
type Browse = Omit<Browsing, 'onRequest'> & { isWide: boolean }

const MOST_ROUTES = { wide: 25, narrow: 6 }
/** Milliseconds for a page to load, to fall quiet, and for all of them. */
const PAGE_LIMIT = 6_000
const QUIET = 600
const WHOLE_LIMIT = 40_000
const LINKS =
  "[...document.querySelectorAll('a[href],[routerlink]')].map(e => e.href || ('#' + e.getAttribute('routerlink')))"

/** The requests that the target's scripts make; those that destroy are not made, but kept. */
export async function browse({ isWide, ...browsing }: Browse): Promise<Operation[]> {
  const { target, scope, signal } = browsing
  const found = new Map<string, Operation>()
  const onRequest: Browsing['onRequest'] = (route) => {
    const request = route.request()
    if (!['xhr', 'fetch'].includes(request.resourceType())) return true
    const operation = fromObserved({
      method: request.method(),
      url: request.url(),
      headers: Object.entries(request.headers()),
      body: request.postData(),
      mediaType: request.headers()['content-type'],
      source: 'browser',
    })
    if (operation && !found.has(operation.key)) found.set(operation.key, operation)
    return !operation?.isDestructive
  }
  await withPage({ ...browsing, onRequest }, async (page) => {
    page.on('dialog', (dialog) => void dialog.dismiss().catch(() => {}))
    const routes = [target.href]
    const began = performance.now()
    const most = isWide ? MOST_ROUTES.wide : MOST_ROUTES.narrow
    for (let at = 0; at < routes.length && at < most && !signal.aborted; at += 1) {
      if (performance.now() - began > WHOLE_LIMIT) break
      await page.goto(routes[at] ?? '', { timeout: PAGE_LIMIT, waitUntil: 'domcontentloaded' }).catch(() => null)
      await page.waitForTimeout(QUIET).catch(() => {})
      const links = await page.evaluate(LINKS).catch(() => [])
      for (const link of Array.isArray(links) ? links : []) {
        const url = typeof link === 'string' ? URL.parse(link, target.href) : null
        if (!url || !isInScope(url.href, scope) || routes.includes(url.href)) continue
        if (!/log-?out|sign-?out|delete/i.test(url.href)) routes.push(url.href)
      }
    }
  })
  return [...found.values()]
}
