// The browser of the stories: Debian's Chromium, one page for each, which fails its test on any error it prints.

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

/** Call once in a file of stories; gives what opens a page. */
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

/** What a browser prints when something is refused by the server, which a story may want. */
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

/** Looks for `name` in a field that is searched, and takes it. */
export async function choose(field: Locator, name: string): Promise<void> {
  await field.click()
  const search = field.page().getByRole('dialog', { name: /^Choose from/ })
  await search.getByRole('combobox').fill(name)
  await search.getByRole('option', { name, exact: true }).click()
}

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What axe finds wrong by WCAG 2.2 AA and its own best practices, each with where; `except` names rules whose faults are not ours. */
export function accessibilityFaults(page: Page, except: readonly string[] = []): Promise<string[]> {
  // Dialogs and menus stand beside the landmarks, not in them.
  const rules = Object.fromEntries(['region', ...except].map((rule) => [rule, { enabled: false }]))
  return faultsOf(page, { runOnly: STANDARDS, rules })
}

/** What axe finds wrong with the colours alone, on a page of which all else was looked at in others. */
export function colourFaults(page: Page): Promise<string[]> {
  return faultsOf(page, { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } })
}

async function faultsOf(page: Page, options: object): Promise<string[]> {
  // what is being asked for again is dimmed until the answer is here, and for a moment after
  await expect.poll(() => page.locator('[data-stale]').count()).toBe(0)
  await page.evaluate('Promise.allSettled(document.getAnimations().map((animation) => animation.finished))')
  const isHere = await page.evaluate<boolean>('window.axe !== undefined')
  if (!isHere) await page.evaluate(axe)
  // To say of all that is in order where it stands takes axe half of its time.
  const asked = { ...options, resultTypes: ['violations'], selectors: false }
  const { violations } = await page.evaluate<{ violations: { id: string; help: string; nodes: { html: string }[] }[] }>(
    `axe.run(${JSON.stringify(asked)})`,
  )
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 200)}`))
}
