// Every page of the console: shown, free of what axe finds, and holding what anybody writes as text.

import { expect, test } from 'vitest'
import { accessibilityFaults, browserStories, signIn } from './browser.ts'
import { newFurnished, pagesOf } from './furnished.ts'

const openPage = browserStories()

test.each(['light', 'dark'] as const)('axe finds nothing on any page in %s', async (colorScheme) => {
  const furnished = await newFurnished()
  const { page } = await openPage({ colorScheme, reducedMotion: 'reduce' })
  await signIn(page, furnished.key, `/companies/${furnished.companyId}/settings/limits`)

  const faults: Record<string, string[]> = {}
  for (const { name, path, shows } of pagesOf(furnished)) {
    await page.goto(path)
    await page.locator('main').getByText(shows).first().waitFor()
    const found = await accessibilityFaults(page)
    if (found.length > 0) faults[name] = found
  }

  expect(faults).toEqual({})
})

const corpus = [
  '<img src=x onerror=alert(1)><script>alert(2)</script>',
  '"><svg/onload=alert(3)>',
  "';alert(4)//--></title></textarea><iframe srcdoc='<script>alert(5)</script>'>",
]

test.each(corpus)('what anybody writes is text on every page: %s', async (words) => {
  const furnished = await newFurnished(words)
  const { page } = await openPage()
  await signIn(page, furnished.key, `/companies/${furnished.companyId}/settings/limits`)

  const made: string[] = []
  for (const { name, path, shows } of pagesOf(furnished)) {
    await page.goto(path)
    await page.locator('main').getByText(shows).first().waitFor()
    const count = await page.locator('main img[src="x"], main script, main iframe, main svg[onload]').count()
    if (count > 0) made.push(name)
  }

  expect(made).toEqual([])
})

test('every page is readable on a phone', async () => {
  const furnished = await newFurnished()
  const { page } = await openPage({ viewport: { width: 360, height: 740 } })
  await signIn(page, furnished.key, `/companies/${furnished.companyId}/settings/limits`)

  const wide: string[] = []
  for (const { name, path, shows } of pagesOf(furnished)) {
    await page.goto(path)
    await page.locator('main').getByText(shows).first().waitFor()
    const isWide = await page.evaluate(
      'document.documentElement.scrollWidth > document.documentElement.clientWidth + 1',
    )
    if (isWide) wide.push(name)
  }

  expect(wide).toEqual([])
})
