// Every page, wide and narrow, in light and dark: it loads, axe finds nothing, and it is no wider than its window.

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { accessibilityFaults, browserStories, colourFaults, signIn } from './browser.ts'
import { newFurnished, pagesOf } from './furnished.ts'
import { picture } from './picture.ts'

const openPage = browserStories()

/** Columns that identify a row, but are too narrow for a word of it. */
const SQUEEZED = `[...document.querySelectorAll('th')]
  .filter((head) => /^(Name|Title|Asset|File|Project|Requirement|E-mail|Email|What|Action|Details|Component|Event|Finding|Why|Reason|Subject)$/.test(head.textContent.trim()))
  .filter((head) => head.offsetParent !== null && head.offsetWidth < 72)
  .map((head) => head.textContent)`

/** What is wrong with a page as it is: everything is tested in light; in dark only the colours, since nothing else differs. */
async function looked(page: Page, name: string, width: number): Promise<string[]> {
  await picture(page, `${name}-light-${width}`)
  const found = await accessibilityFaults(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await picture(page, `${name}-dark-${width}`)
  for (const fault of await colourFaults(page)) found.push(`In dark: ${fault}`)
  await page.emulateMedia({ colorScheme: 'light' })
  return found
}

test.each([
  { width: 1280, height: 800 },
  { width: 360, height: 740 },
])('every page is in order in light and dark at $width', { timeout: 300_000 }, async (viewport) => {
  const furnished = await newFurnished()
  const { page } = await openPage({ colorScheme: 'light', viewport, reducedMotion: 'reduce' })
  const faults: Record<string, string[]> = {}
  await page.goto('/')
  await page.getByLabel('API key').waitFor()
  const before = await looked(page, 'sign-in', viewport.width)
  if (before.length > 0) faults['sign-in'] = before
  await signIn(page, furnished.key, `/companies/${furnished.companyId}/settings/limits`)

  for (const { name, path, shows } of pagesOf(furnished)) {
    await page.goto(path)
    await page.locator('main').getByText(shows).first().waitFor()
    const found = await looked(page, name, viewport.width)
    const isWide = await page.evaluate<boolean>(
      'document.documentElement.scrollWidth > document.documentElement.clientWidth + 1',
    )
    if (isWide) found.push('It is wider than its window')
    const isLong = await page.evaluate<boolean>(
      'document.documentElement.scrollHeight > document.documentElement.clientHeight + 1',
    )
    if (isLong) found.push('Its frame scrolls')
    const current = await page.getByRole('navigation', { name: 'Sections' }).locator('[aria-current=page]').count()
    if (current !== 1) found.push(`${current} sections are current`)
    for (const column of await page.evaluate<string[]>(SQUEEZED)) found.push(`The column ${column} has no room`)
    if (found.length > 0) faults[name] = found
  }

  expect(faults).toEqual({})
})
