// Moving through every page by Tab: everything is reached, the focus is always visible, and nothing traps it.

import { expect, test } from 'vitest'
import { browserStories, signIn } from './browser.ts'
import { newFurnished, pagesOf } from './furnished.ts'
import { withKeyboard } from './keyboard.ts'

const openPage = browserStories()

test.each([1280, 390])('every page can be tabbed through to its end, at %i', { timeout: 400_000 }, async (width) => {
  const furnished = await newFurnished()
  const { page } = await openPage({ viewport: { width, height: 800 }, reducedMotion: 'reduce' })
  await signIn(page, furnished.key, `/companies/${furnished.companyId}/settings/limits`)
  const by = await withKeyboard(page)

  const faults: Record<string, string[]> = {}
  for (const { name, path, shows } of pagesOf(furnished)) {
    await page.goto(path)
    await page.locator('main').getByText(shows).first().waitFor()
    await page.waitForLoadState('networkidle')
    // the counts in the rail come after the page, and would be a stop that was passed already
    if (width === 1280) await page.getByRole('link', { name: /running or queued/ }).waitFor()
    const wrong = await by.walk()
    if (wrong.length > 0) faults[name] = wrong
  }

  expect(faults).toEqual({})
})
