// The page that a browser shows. Each address has a page of its own, so that what one asks late is not taken for what the next one asks.

import type { BrowserContext, Page, Request } from 'playwright-core'
import { answerOf, storing } from '../browser.ts'

export type ShownPage = {
  /** Shows the address in a new page, and ends the one that was shown before. */
  open: (context: BrowserContext, url: string) => Promise<Page>
  /** Something is about to be done on the page: from now on, whatever it asks, however late, may be asked because of that. */
  touch: () => void
  /** Whether the page asks it by itself, because it was opened. */
  isOwn: (request: Request) => boolean
}

const PAGE_LIMIT = 6_000
const SESSION = '({ ...sessionStorage })'

export function openShownPage(): ShownPage {
  let shown: Page | null = null
  let isTouched = false
  return {
    async open(context, url) {
      const before = shown
      const page = await context.newPage()
      page.on('popup', (popup) => void popup.close().catch(() => {}))
      page.on('dialog', (dialog) => void dialog.dismiss().catch(() => {}))
      if (before) await carryOn(before, page)
      shown = page
      isTouched = false
      await page.goto(url, { timeout: PAGE_LIMIT, waitUntil: 'domcontentloaded' }).catch(() => null)
      if (before) await answerOf(end(before)).catch(() => {})
      return page
    },
    touch() {
      isTouched = true
    },
    isOwn: (request) => !isTouched && shown !== null && pageOf(request) === shown,
  }
}

/** What one page keeps for as long as it is shown, the next one has too, as if it had been opened in its place. */
async function carryOn(before: Page, page: Page): Promise<void> {
  const session = await answerOf(before.evaluate<Record<string, string>>(SESSION)).catch(() => ({}))
  const { origin } = new URL(before.url())
  if (Object.keys(session).length > 0) await page.addInitScript({ content: storing({ local: {}, session }, origin) })
}

/** Ends the page, its scripts first: what a page sends because it is left gets past everything that could withhold it. */
async function end(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setScriptExecutionDisabled', { value: true })
  await page.close()
}

/** Null if a new window asks it, which has no page yet. */
function pageOf(request: Request): Page | null {
  try {
    return request.frame().page()
  } catch {
    return null
  }
}
