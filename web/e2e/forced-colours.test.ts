// Forced colours, for people who need more contrast: what is selected can still be told from what is not.

import { expect, test } from 'vitest'
import { accessibilityFaults, browserStories, signIn } from './browser.ts'
import { newFurnished } from './furnished.ts'
import { picture } from './picture.ts'

const openPage = browserStories()

test('the current page, the open row, selections and pressed buttons are visible in forced colours', async () => {
  const { companyId, key, issueId } = await newFurnished('Product search')
  const { page } = await openPage({ forcedColors: 'active' })
  await signIn(page, key, `/companies/${companyId}/findings/${issueId}`)
  const backgroundOf = (selector: string) =>
    page.evaluate<string>(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).backgroundColor`)
  const outlineOf = (selector: string) =>
    page.evaluate<string>(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).outlineStyle`)

  await page.locator('tr[data-open]').waitFor()
  const here = await backgroundOf('nav [aria-current=page]')
  const elsewhere = await backgroundOf('nav a:not([aria-current])')
  const open = await outlineOf('tr[data-open]')
  const closed = await outlineOf('tr[data-index]:not([data-open])')
  await picture(page, 'forced-finding')
  await page.goto(`/companies/${companyId}/requirements`)
  await page.getByRole('row').nth(1).waitFor()
  // the system sets the colours, which axe does not know
  const faults = await accessibilityFaults(page, ['color-contrast'])

  expect(here).not.toBe(elsewhere)
  expect({ open, closed, faults }).toEqual({ open: 'solid', closed: 'none', faults: [] })
})
