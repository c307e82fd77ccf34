// Low windows, as at a zoom of 400 % or on a phone in landscape: the head of a page does not block the way to its list.

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'

import { accessibilityFaults, browserStories, signIn } from './browser.ts'
import { newFurnished } from './furnished.ts'
import { picture } from './picture.ts'

const openPage = browserStories()

/** Controls in the head of the page or among its filters that something else covers. */
const COVERED = `[...document.querySelectorAll('main header button, main header a, main header ~ div button, main header ~ div input')]
  .filter((element) => {
    if (element.closest('table')) return false
    element.scrollIntoView({ block: 'center', inline: 'center' })
    const { left, top, width, height } = element.getBoundingClientRect()
    const seen = document.elementFromPoint(left + width / 2, top + height / 2)
    return !element.contains(seen) && !seen?.contains(element)
  })
  .map((element) => element.textContent || element.getAttribute('aria-label'))`

const isWide = (page: Page) => page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')

test.each([
  [320, 256],
  [844, 390],
])('at %i by %i every button is met and the rows of a list are read and opened', async (width, height) => {
  const { companyId, key, issueId } = await newFurnished('Product search')
  const { page } = await openPage({ viewport: { width, height } })
  await signIn(page, key, `/companies/${companyId}/settings/limits`)
  const wrong: Record<string, unknown> = {}
  for (const path of ['findings', 'assets', 'deploys', 'tickets', 'requirements', 'requirements?as=matrix', 'scans']) {
    await page.goto(`/companies/${companyId}/${path}`)
    const row = page.getByRole('row').nth(1)
    await row.waitFor()
    const covered = await page.evaluate<string[]>(COVERED)
    await row.scrollIntoViewIfNeeded()
    const { height: seen = 0 } =
      (await page.getByRole('table').or(page.getByRole('grid')).locator('..').boundingBox()) ?? {}
    const isTooWide = await isWide(page)
    if (covered.length > 0 || seen < height / 2 || isTooWide) wrong[path] = { covered, seen, isTooWide }
  }
  await page.goto(`/companies/${companyId}/findings`)
  await page.getByRole('row', { name: /Product search again/ }).waitFor()
  await picture(page, `short-${width}`)
  const faults = await accessibilityFaults(page)
  await page
    .getByRole('gridcell', { name: /^Product search(?! again)/ })
    .first()
    .click()
  await page.waitForURL(`**/findings/${issueId}`)

  expect({ wrong, faults }).toEqual({ wrong: {}, faults: [] })
})
