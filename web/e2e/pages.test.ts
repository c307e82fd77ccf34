// Every page of the console, wide and narrow, in light and dark: shown, free of what axe finds, and no wider than its window.

import { expect, test } from 'vitest'
import { accessibilityFaults, browserStories, signIn } from './browser.ts'
import { newFurnished, pagesOf } from './furnished.ts'
import { picture } from './picture.ts'

const openPage = browserStories()

/** Columns that say what a row is, and are too narrow for a word of it. */
const SQUEEZED = `[...document.querySelectorAll('th')]
  .filter((head) => /^(Name|Title|Asset|File|Project|Requirement|E-mail|What|In words|Component|Event|Finding|Why)$/.test(head.textContent.trim()))
  .filter((head) => head.offsetParent !== null && head.offsetWidth < 72)
  .map((head) => head.textContent)`

test.each([
  { colorScheme: 'light', width: 1280, height: 800 },
  { colorScheme: 'dark', width: 1280, height: 800 },
  { colorScheme: 'light', width: 360, height: 740 },
  { colorScheme: 'dark', width: 360, height: 740 },
] as const)(
  'every page is in order in $colorScheme at $width',
  { timeout: 300_000 },
  async ({ colorScheme, ...viewport }) => {
    const furnished = await newFurnished()
    const { page } = await openPage({ colorScheme, viewport, reducedMotion: 'reduce' })
    const faults: Record<string, string[]> = {}
    await page.goto('/')
    await page.getByLabel('API key').waitFor()
    await picture(page, `sign-in-${colorScheme}-${viewport.width}`)
    const before = await accessibilityFaults(page)
    if (before.length > 0) faults['sign-in'] = before
    await signIn(page, furnished.key, `/companies/${furnished.companyId}/settings/limits`)

    for (const { name, path, shows } of pagesOf(furnished)) {
      await page.goto(path)
      await page.locator('main').getByText(shows).first().waitFor()
      await picture(page, `${name}-${colorScheme}-${viewport.width}`)
      const found = await accessibilityFaults(page)
      const isWide = await page.evaluate<boolean>(
        'document.documentElement.scrollWidth > document.documentElement.clientWidth + 1',
      )
      if (isWide) found.push('It is wider than its window')
      for (const column of await page.evaluate<string[]>(SQUEEZED)) found.push(`The column ${column} has no room`)
      if (found.length > 0) faults[name] = found
    }

    expect(faults).toEqual({})
  },
)
