// The audit log: searched on the server, so that records that are not loaded are found as well.

import { expect, test } from 'vitest'
import { newAsset, newPerson, newWorld } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories, signIn } from './browser.ts'

const openPage = browserStories()

test('the oldest record, beyond the first page, is found by its author, and the search stays in the address', async () => {
  const { companyId, owner } = await newWorld()
  const developer = await newPerson(companyId, 'DEVELOPER')
  const { id } = await newAsset(developer.key, companyId)
  for (let number = 1; number <= 101; number++) await newAsset(owner.key, companyId)
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/settings/audit`)
  await page
    .getByText(/^createAsset/)
    .first()
    .waitFor()

  await page.getByRole('searchbox', { name: 'Search the audit log' }).fill(developer.email.toUpperCase())
  await page.getByText('1 record', { exact: true }).waitFor()
  const object = page.getByRole('gridcell', { name: new RegExp(` ${id}$`) })
  await object.waitFor()
  await page.reload()
  await object.waitFor()
  expect(await object.getByRole('link').getAttribute('href')).toBe(`/companies/${companyId}/assets/${id}`)
  const faults = await accessibilityFaults(page)
  await page.getByRole('searchbox', { name: 'Search the audit log' }).fill('nobody-did-this')
  await page.getByText('No matching records').waitFor()
  await page.getByRole('link', { name: 'Show all records' }).click()

  await page
    .getByText(/^createAsset/)
    .first()
    .waitFor()
  expect(faults).toEqual([])
})

test('a table with flexible columns declares a minimum width that browsers accept', async () => {
  const { companyId, owner } = await newWorld()
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/settings/audit`)
  await page.getByRole('grid').waitFor()

  const isUnderstood = await page.evaluate<boolean>(
    "CSS.supports('min-width', getComputedStyle(document.querySelector('[role=grid]')).getPropertyValue('--least'))",
  )

  expect(isUnderstood).toBe(true)
})
