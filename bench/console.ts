// The console in a real browser: from a changed filter to the painted rows of a million findings, and the largest contentful paint of pages.

import { chromium, type Locator, type Page } from 'playwright-core'
import { findChromium } from '../src/scanner/chromium.ts'
import { changesOf } from './console-changes.ts'
import { openInstallation } from './installation.ts'
import { median } from './load.ts'

const ISSUES = Number(process.env.MERLON_BENCH_ISSUES ?? 1_000_000)

/** The filters in force besides those clicked, as search parameters. */
const lists = {
  'A filter changed, rows painted': '',
  'The same on a branch that all are on': '?branch=main',
  'The same of a search that all match': '?search=request+handler',
  'The same of a search that one in 10,000 matches': '?search=handler+4321',
}

/**
 * Runs in the page: the milliseconds from a change of the list until its rows are painted. The list is busy meanwhile, which is observed because
 * it may be so for less than a frame.
 */
const timed = `async (change) => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const isBusy = () => document.querySelector('[role="grid"]')?.getAttribute('aria-busy') === 'true'
  let hasBegun = false
  const observer = new MutationObserver(() => { hasBegun = true })
  observer.observe(document.body, { subtree: true, attributeFilter: ['aria-busy'] })
  const began = performance.now()
  change()
  while (performance.now() - began < 10_000) {
    await frame()
    if (hasBegun && !isBusy()) break
    hasBegun ||= isBusy()
  }
  await frame()
  const took = performance.now() - began
  observer.disconnect()
  await new Promise((resolve) => setTimeout(resolve, 100))
  return took
}`

/**
 * Runs in the page: each click toggles one severity in the order of a Gray code, so that no list is queried twice.
 * Returns each click's time in milliseconds.
 */
const clickThrough = `(async () => {
  const timed = ${timed}
  const items = [...document.querySelectorAll('[role="menuitemcheckbox"]')].slice(0, 4)
  const times = []
  for (let step = 1; step < 16; step += 1) times.push(await timed(() => items[Math.log2(step & -step)].click()))
  return times
})()`

/** How often each change of the list is made. */
const ROUNDS = 3

/** Runs in the page: changes its address as a filter or a saved view does, and returns the milliseconds until the rows are painted. */
const changeTo = (search: string) => `(${timed})(() => {
  history.pushState(null, '', location.pathname + ${JSON.stringify(search)})
  dispatchEvent(new PopStateEvent('popstate'))
})`

/** Makes each change, from the list of all open findings and back to it. */
async function changeAll(page: Page, changes: Record<string, string>): Promise<void> {
  const back: number[] = []
  for (const [what, search] of Object.entries(changes)) {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      times.push(await page.evaluate<number>(changeTo(`?${search}`)))
      back.push(await page.evaluate<number>(changeTo('')))
    }
    told(`Changed to ${what}`, times)
  }
  told('Back to all open findings', back)
}

const largestPaint = `new Promise((resolve) => new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
  .observe({ type: 'largest-contentful-paint', buffered: true }))`

const told = (what: string, times: readonly number[]) =>
  console.log(
    `${what}: median ${median(times).toFixed(0)} ms, longest ${Math.max(...times).toFixed(0)} ms of ${times.length}`,
  )

/** Loads the page five times: its largest contentful paint, and when what it is opened for was there. */
async function measurePaint(what: string, page: Page, path: string, shown: Locator): Promise<void> {
  const [paints, arrivals]: [number[], number[]] = [[], []]
  await page.goto(path)
  for (let round = 0; round < 5; round += 1) {
    await page.reload()
    await shown.waitFor()
    arrivals.push(await page.evaluate<number>('performance.now()'))
    paints.push(await page.evaluate<number>(largestPaint))
  }
  told(`Largest contentful paint of ${what}`, paints)
  told('  its content there', arrivals)
}

export async function run(): Promise<void> {
  const { port, key, companyId, assetIds, stop } = await openInstallation(ISSUES)
  const executablePath = findChromium() ?? undefined
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const browser = await chromium.launch({ executablePath, args: [...args, '--disable-dev-shm-usage'] })
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    const of = (name: string) => `http://127.0.0.1:${port}/companies/${companyId}/${name}`
    const list = of('findings')
    await page.goto(list)
    await page.getByLabel('API key').fill(key)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('row').nth(5).waitFor()
    for (const [what, narrowed] of Object.entries(lists)) {
      await page.goto(`${list}${narrowed}`)
      await page.getByRole('row').nth(5).waitFor()
      await page.getByRole('button', { name: 'Severity' }).first().click()
      await page.getByRole('menuitemcheckbox').first().waitFor()
      told(what, await page.evaluate<number[]>(clickThrough))
    }

    await page.goto(list)
    await page.getByRole('row').nth(5).waitFor()
    await changeAll(page, changesOf(assetIds[17] ?? ''))

    const rows = page.getByRole('row').nth(5)
    await measurePaint('the list', page, list, rows)
    await measurePaint('the list of assets', page, of('assets'), rows)
    await measurePaint('the overview', page, of('overview'), page.getByLabel('Key figures'))
  } finally {
    await browser.close()
    await stop()
  }
}
