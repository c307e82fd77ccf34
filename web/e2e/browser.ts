// The browser of the console's tests: Debian's Chromium, a page for each test, which fails if the page logs any error.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { needChromium } from '../../test/testkit/chromium.ts'
import { serviceUrl } from '../../test/testkit/service.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

async function openBrowser(): Promise<Browser> {
  // Chromium's sandbox does not work for root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return chromium.launch({
    executablePath: needChromium(),
    args: [...args, '--disable-gpu', '--disable-dev-shm-usage'],
  })
}

export type Told = { page: Page; url: string; complaints: string[] }

let browser: Browser
let complaints: string[] = []

/** Call it once in a test file; it returns a function that opens a page. */
export function browserStories(): (options?: BrowserContextOptions) => Promise<Told> {
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser.close())
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()))
    const heard = complaints
    complaints = []
    expect(heard).toEqual([])
  })
  return async (options = {}) => {
    const url = await serviceUrl()
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, baseURL: url, ...options })
    context.setDefaultTimeout(30_000)
    const page = await context.newPage()
    complaints = []
    listen(page, complaints)
    return { page, url, complaints }
  }
}

/** What a browser logs when the server refuses a request, which a test may provoke on purpose. */
const REFUSED = /Failed to load resource: the server responded with a status of 4\d\d/

function listen(page: Page, heard: string[]): void {
  page.on('pageerror', (error) => heard.push(`${error.name}: ${error.message}`))
  page.on('console', (message) => {
    const isComplaint = message.type() === 'error' || message.type() === 'warning'
    if (isComplaint && !REFUSED.test(message.text())) heard.push(message.text())
  })
  page.on('dialog', (dialog) => {
    heard.push(`A dialog of the browser opened: ${dialog.message()}`)
    void dialog.dismiss()
  })
}

/** Opens an address and signs in there with a key. */
export async function signIn(page: Page, key: string, path = '/'): Promise<void> {
  await page.goto(path)
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Sections' }).waitFor()
}

/** Goes to an address of the console without loading it anew, as the Back button does. */
export const follow = (page: Page, path: string): Promise<void> =>
  page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`)

/** Searches for `name` in a search field, and chooses it. */
export async function choose(field: Locator, name: string): Promise<void> {
  await field.click()
  const search = field.page().getByRole('dialog', { name: /^Choose from/ })
  await search.getByRole('combobox').fill(name)
  await search.getByRole('option', { name, exact: true }).click()
}

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * The violations that axe finds of WCAG 2.2 AA and its own best practices, each with its element; `except` names rules
 * whose violations are not ours.
 */
export function accessibilityFaults(page: Page, except: readonly string[] = []): Promise<string[]> {
  // Dialogs and menus are rendered next to the landmarks, not in them.
  const rules = Object.fromEntries(['region', ...except].map((rule) => [rule, { enabled: false }]))
  return faultsOf(page, { runOnly: STANDARDS, rules })
}

/** The colour violations alone, for a page whose other aspects were tested in another theme. */
export function colourFaults(page: Page): Promise<string[]> {
  return faultsOf(page, { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } })
}

async function faultsOf(page: Page, options: object): Promise<string[]> {
  // content that is being refetched is dimmed until the answer arrives and briefly afterwards, which would distort its contrast
  await expect.poll(() => page.locator('[data-stale]').count()).toBe(0)
  await page.evaluate(
    'Promise.allSettled(document.getAnimations().map((animation) => animation.finished)).then(() => {})',
  )
  const isHere = await page.evaluate<boolean>('window.axe !== undefined')
  if (!isHere) await page.evaluate(axe)
  // Reporting passes and computing selectors would take axe half of its time, and bringing all of its answer over a quarter.
  const asked = { ...options, resultTypes: ['violations'], selectors: false }
  return page.evaluate<string[]>(`axe.run(${JSON.stringify(asked)}).then(({ violations }) =>
    violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => id + ': ' + help + ': ' + html.slice(0, 200))))`)
}
