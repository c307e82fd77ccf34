// What a script application asks when a browser opens it; without a browser on the machine there is nothing to add.

import { existsSync } from 'node:fs'
import { isInScope } from '../scope.ts'
import type { Operation, Scope } from '../types.ts'
import { fromObserved } from './observed.ts'

type Browse = {
  target: URL
  scope: Scope
  /** nothing describes the target: more of its pages are opened */
  isWide: boolean
  credentials: { headers: Record<string, string>; cookies: readonly (readonly [string, string])[] }
  signal: AbortSignal
}

const CHROMIUMS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The path of a Chromium on this machine; null when there is none. */
export const findChromium = (): string | null => CHROMIUMS.find((path) => existsSync(path)) ?? null

const MOST_ROUTES = { wide: 25, narrow: 6 }
/** Milliseconds for a page to load, to fall quiet, and for all of them. */
const PAGE_LIMIT = 6_000
const QUIET = 600
const WHOLE_LIMIT = 40_000

/** Opens the target and the routes it links to, and keeps the requests its scripts make. */
export async function browse({ target, scope, credentials, signal, isWide }: Browse): Promise<Operation[]> {
  const chromium = await launch()
  if (chromium === null) return []
  const found = new Map<string, Operation>()
  const stop = () => void chromium.close().catch(() => {})
  signal.addEventListener('abort', stop, { once: true })
  try {
    const context = await chromium.newContext({ ignoreHTTPSErrors: true, serviceWorkers: 'block' })
    await context.addCookies(credentials.cookies.map(([name, value]) => ({ name, value, url: target.origin })))
    await context.route('**', async (route) => {
      const request = route.request()
      if (!isInScope(request.url(), scope)) return route.abort()
      if (['xhr', 'fetch'].includes(request.resourceType())) {
        const operation = fromObserved({
          method: request.method(),
          url: request.url(),
          headers: Object.entries(request.headers()),
          body: request.postData(),
          mediaType: request.headers()['content-type'],
          source: 'browser',
        })
        if (operation && !found.has(operation.key)) found.set(operation.key, operation)
        if (operation?.isDestructive) return route.abort()
      }
      return route.continue({ headers: { ...request.headers(), ...credentials.headers } })
    })
    const page = await context.newPage()
    page.on('dialog', (dialog) => void dialog.dismiss().catch(() => {}))
    const routes = [target.href]
    const began = performance.now()
    const most = isWide ? MOST_ROUTES.wide : MOST_ROUTES.narrow
    for (let at = 0; at < routes.length && at < most && !signal.aborted; at += 1) {
      if (performance.now() - began > WHOLE_LIMIT) break
      await page.goto(routes[at] ?? '', { timeout: PAGE_LIMIT, waitUntil: 'domcontentloaded' }).catch(() => null)
      await page.waitForTimeout(QUIET).catch(() => {})
      const links = await page
        .evaluate(
          "[...document.querySelectorAll('a[href],[routerlink]')].map(e => e.href || ('#' + e.getAttribute('routerlink')))",
        )
        .catch(() => [])
      for (const link of Array.isArray(links) ? links : []) {
        const url = typeof link === 'string' ? URL.parse(link, target.href) : null
        const isRoute = url && (/^#!?\//.test(url.hash) || !found.has(`GET ${url.pathname}`))
        if (
          url &&
          isRoute &&
          isInScope(url.href, scope) &&
          !routes.includes(url.href) &&
          !/logout|signout|delete/i.test(url.href)
        )
          routes.push(url.href)
      }
    }
  } catch (error) {
    if (!signal.aborted && !(error instanceof Error && /closed|Target/i.test(error.message))) throw error
  } finally {
    signal.removeEventListener('abort', stop)
    await chromium.close().catch(() => {})
  }
  return [...found.values()]
}

/** A headless Chromium through playwright-core, which an installation may lack. */
export async function launch() {
  const executablePath = findChromium()
  if (executablePath === null) return null
  try {
    const { chromium } = await import('playwright-core')
    return await chromium.launch({
      executablePath,
      headless: true,
      args: ['--disable-gpu', '--disable-dev-shm-usage', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    })
  } catch {
    return null
  }
}
