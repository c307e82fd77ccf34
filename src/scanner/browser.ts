// A local Chromium, restricted to the scan's scope and signed in as its first identity; without Chromium no page is opened.

import type { Page, Route } from 'playwright-core'
import type { Allowed } from '../core/outbound-address.ts'
import { openGate } from './browser-gate.ts'
import { launchChromium } from './chromium.ts'
import { isInScope } from './scope.ts'
import type { Credentials, Scope, Stored } from './types.ts'

export type Browsing = {
  target: URL
  scope: Scope
  /** private addresses that may be called */
  allowed: Allowed
  credentials: Credentials
  signal: AbortSignal
  /** called for each request in scope; false: the request is blocked; `STAY`: it is blocked and the page stays where it is */
  onRequest?: (route: Route) => boolean | 'STAY'
}

/** Opens a page and uses it; null if there is no browser, or it crashed. */
export async function withPage<T>(browsing: Browsing, use: (page: Page) => Promise<T>): Promise<T | null> {
  const { target, scope, allowed, credentials, signal, onRequest } = browsing
  const gate = await openGate(scope.origins, allowed)
  const chromium = await launchChromium(gate.address)
  if (chromium === null) {
    gate.close()
    return null
  }
  // the way out first: what pages send when they are closed is not withheld
  const stop = async () => {
    gate.close()
    await chromium.close().catch(() => {})
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    const context = await chromium.newContext({ ignoreHTTPSErrors: true, serviceWorkers: 'block' })
    await context.addCookies(credentials.cookies.map(([name, value]) => ({ name, value, url: target.origin })))
    if (credentials.stored) await context.addInitScript({ content: storing(credentials.stored, target.origin) })
    await context.route('**', async (route) => {
      const request = route.request()
      const answer = isInScope(request.url(), scope) && (onRequest?.(route) ?? true)
      if (answer === 'STAY') return route.fulfill({ status: 204 })
      if (!answer) return route.abort()
      const mark: Record<string, string> = scope.scanId === undefined ? {} : { 'x-scan-id': scope.scanId }
      return route.continue({ headers: { ...request.headers(), ...credentials.headers, ...mark } })
    })
    return await use(await context.newPage())
  } catch (error) {
    if (signal.aborted || (error instanceof Error && /closed|Target|Protocol error/i.test(error.message))) return null
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
    await stop()
  }
}

/** The page does not respond, because its scripts do not end. */
export class PageStuck extends Error {}

const LONGEST_ANSWER = 5_000

/** The page's answer; rejects with PageStuck if its scripts keep it from responding for five seconds. */
export async function answerOf<T>(asked: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new PageStuck('the page answers no more')), LONGEST_ANSWER)
  })
  try {
    return await Promise.race([asked, late])
  } finally {
    clearTimeout(timer)
    asked.catch(() => {})
  }
}

/** A script that restores what pages of that origin had stored, unless they have something under the same name. */
export const storing = (stored: Stored, origin: string): string => `
if (location.origin === ${JSON.stringify(origin)}) {
  for (const [store, kept] of [[localStorage, ${JSON.stringify(stored.local)}], [sessionStorage, ${JSON.stringify(stored.session)}]])
    for (const [name, value] of Object.entries(kept)) if (store.getItem(name) === null) store.setItem(name, value)
}`
