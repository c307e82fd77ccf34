// Applications: created from assets, edited and deleted.

import { expect, test } from 'vitest'
import { run } from '../../test/testkit/client.ts'
import { newAsset, newWorld } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories, signIn } from './browser.ts'
import { picture } from './picture.ts'

const openPage = browserStories()

const APPLICATIONS = `query ($companyId: ID!) { applications(companyId: $companyId) {
  name description url assets { name } } }`

test('an application is created from assets, edited, and deleted', async () => {
  const { companyId, owner } = await newWorld()
  await newAsset(owner.key, companyId, { name: 'page' })
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/assets`)
  await page.getByRole('link', { name: 'Applications' }).click()
  const dialog = page.getByRole('dialog').first()
  const told = () => run(owner.key, APPLICATIONS, { companyId }).then(({ applications }) => applications)

  await page.getByRole('button', { name: 'New application' }).click()
  await dialog.getByLabel('Name').fill('Shop')
  await dialog.getByLabel('Description').fill('Where people buy')
  await dialog.getByRole('combobox', { name: 'Assets' }).click()
  await page
    .getByRole('dialog', { name: /^Choose from/ })
    .getByRole('option', { name: 'page' })
    .click()
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Create application' }).click()
  const row = page.getByRole('row', { name: /Shop/ })
  await row.waitFor()
  await dialog.waitFor({ state: 'detached' })
  const made = await told()
  const faults = await accessibilityFaults(page)
  await picture(page, 'applications')

  await row.press('Enter')
  await dialog.getByLabel('URL').fill('https://shop.example.test/')
  await dialog.getByLabel('Description').fill('')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  const changed = await told()
  await row.press('Enter')
  await dialog.getByRole('button', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete application' }).click()
  await page.getByRole('heading', { name: 'No applications yet' }).waitFor()

  expect({ made, changed, faults }).toEqual({
    made: [{ name: 'Shop', description: 'Where people buy', url: null, assets: [{ name: 'page' }] }],
    changed: [{ name: 'Shop', description: null, url: 'https://shop.example.test/', assets: [{ name: 'page' }] }],
    faults: [],
  })
})
