// What the target's start page requests in a browser that is not signed in: this is public.

import { type Browsing, withPage } from '../browser.ts'
import type { Context } from '../check.ts'
import { once } from './ownership.ts'

const PAGE_LIMIT = 8_000
/** Milliseconds in which its scripts go on asking. */
const QUIET = 1_500

/** Addresses without their queries; none where no browser may be used. */
export function askedByStart(context: Context): Promise<ReadonlySet<string>> {
  return once(context, 'asked by the start page', async () => {
    const asked = new Set<string>()
    const { target, scope, allowed, signal, asBrowser } = context
    if (asBrowser === null) return asked
    const credentials = { headers: {}, cookies: [] }
    const onRequest: Browsing['onRequest'] = (route) => {
      const request = route.request()
      const isRead = request.method() === 'GET'
      if (isRead) asked.add(request.url().split('?', 1).join(''))
      return isRead
    }
    await withPage({ target, scope, allowed, credentials, signal, onRequest }, async (page) => {
      await page.goto(target.href, { timeout: PAGE_LIMIT, waitUntil: 'load' }).catch(() => null)
      await page.waitForTimeout(QUIET).catch(() => {})
    })
    return asked
  })
}
