// The console in a real browser: from the click on a filter to the painted rows, of a million findings, all of them, on a branch and of
// a search; and its largest contentful paint.

import { chromium } from 'playwright-core'
import { findChromium } from '../src/scanner/chromium.ts'
import { openInstallation } from './installation.ts'
import { median } from './load.ts'

const ISSUES = Number(process.env.MERLON_BENCH_ISSUES ?? 1_000_000)

/** What the list is narrowed to beside the clicks, as its address has it. */
const lists = {
  'A filter changed, rows painted': '',
  'The same on a branch that all are on': '?branch=main',
  'The same of a search that all match': '?search=request+handler',
  'The same of a search that one in 10,000 matches': '?search=handler+4321',
}

/** In the page: each click toggles one severity, by a Gray code, so that no list is asked for twice; milliseconds of each. */
const clickThrough = `(async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const grid = document.querySelector('[role="grid"]')
  const items = [...document.querySelectorAll('[role="menuitemcheckbox"]')].slice(0, 4)
  const times = []
  for (let step = 1; step < 16; step += 1) {
    const item = items[Math.log2(step & -step)]
    const began = performance.now()
    item.click()
    let hasBegun = false
    while (performance.now() - began < 10_000) {
      await frame()
      const isBusy = grid.getAttribute('aria-busy') === 'true'
      if (hasBegun && !isBusy) break
      hasBegun ||= isBusy
    }
    await frame()
    times.push(performance.now() - began)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return times
})()`

const largestPaint = `new Promise((resolve) => new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
  .observe({ type: 'largest-contentful-paint', buffered: true }))`

const told = (what: string, times: readonly number[]) =>
  console.log(
    `${what}: median ${median(times).toFixed(0)} ms, longest ${Math.max(...times).toFixed(0)} ms of ${times.length}`,
  )

export async function run(): Promise<void> {
  const { port, key, companyId, stop } = await openInstallation(ISSUES)
  const executablePath = findChromium() ?? undefined
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const browser = await chromium.launch({ executablePath, args: [...args, '--disable-dev-shm-usage'] })
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    const list = `http://127.0.0.1:${port}/companies/${companyId}/findings`
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
    const paints: number[] = []
    for (let round = 0; round < 5; round += 1) {
      await page.reload()
      await page.getByRole('row').nth(5).waitFor()
      paints.push(await page.evaluate<number>(largestPaint))
    }
    told('Largest contentful paint of the list', paints)
  } finally {
    await browser.close()
    await stop()
  }
}
