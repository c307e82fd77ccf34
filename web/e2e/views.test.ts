// Saved views of the list of findings: saved under a name, applied, edited and deleted, for each person separately.

import { expect, test } from 'vitest'
import { newHome, sast, upsert } from '../../test/testkit/findings.ts'
import { newPerson } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories, signIn } from './browser.ts'
import { picture } from './picture.ts'

const openPage = browserStories()

test('filters are saved under a name, applied on another day, and deleted', async () => {
  const { key, companyId, assetId } = await newHome()
  await upsert(key, sast(assetId, { title: 'SQL built from input', severity: 'CRITICAL' }))
  await upsert(key, sast(assetId, { title: 'Weak hash', severity: 'LOW', fileName: 'src/hash.ts' }))
  const reader = await newPerson(companyId, 'READER')
  const { page } = await openPage()
  await signIn(page, reader.key, `/companies/${companyId}/findings?severity=CRITICAL&order=TITLE-ASC`)
  await page.getByText('1 finding', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Save view…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save view' })
  await dialog.getByLabel('Name').fill('Urgent')
  expect(await accessibilityFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('View “Urgent” saved.').waitFor()
  await page.getByRole('button', { name: 'View: Urgent' }).waitFor()

  await page.goto(`/companies/${companyId}/findings`)
  await page.getByText('2 findings', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitemradio', { name: 'Urgent' }).click()
  await page.getByText('1 finding', { exact: true }).waitFor()
  expect(new URL(page.url()).search).toBe('?severity=CRITICAL&order=TITLE-ASC')

  await page.getByRole('button', { name: 'View: Urgent' }).click()
  await page.getByRole('menuitem', { name: 'Delete “Urgent”…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete view' }).click()
  await page.getByText('View “Urgent” deleted.').waitFor()
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Save view…' }).waitFor()
  await expect.poll(() => page.getByRole('menuitemradio').count()).toBe(0)
})

test('a view that cannot be saved says why beside its name', async () => {
  const { key, companyId } = await newHome()
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/findings`)

  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Save view…' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('   ')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()

  await page.getByRole('alert').getByText('name has 1 to 100 characters').waitFor()
})

test('a user who may not save views reads why in the menu', async () => {
  const { companyId } = await newHome()
  const { key } = await newPerson(companyId, 'READER', ['read'])
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/findings`)

  await page.getByRole('button', { name: 'Views' }).click()
  const item = page.getByRole('menuitem', { name: 'Save view…' })
  await item.getByText('This requires a key with the scope write').waitFor()
  expect(await item.getAttribute('aria-disabled')).toBe('true')
  expect(await accessibilityFaults(page)).toEqual([])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')

  await item.waitFor()
  expect(await page.getByRole('dialog', { name: 'Save view' }).count()).toBe(0)
  await picture(page, 'view-refused')
})
