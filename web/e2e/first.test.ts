// The first use of an installation: a company is created in the console, which then leads to each next step.

import { expect, test } from 'vitest'
import { administratorKey, run } from '../../test/testkit/client.ts'
import { newInstallation } from '../../test/testkit/installation.ts'
import { newPerson, newWorld } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories } from './browser.ts'
import { picture } from './picture.ts'

const openPage = browserStories()

test('the first administrator creates a company, is led to its first asset, and cannot scan before that', async () => {
  const { url, key, end } = await newInstallation()
  const { page } = await openPage({ baseURL: url })
  await page.goto('/')
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()

  await page.getByText('No company yet').waitFor()
  const faults = await accessibilityFaults(page)
  await picture(page, 'first')
  await page.keyboard.type('Harbour Shop')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Company: Harbour Shop' }).waitFor()
  await page.getByRole('link', { name: 'Scans' }).click()
  await page.getByRole('button', { name: 'Start a scan…' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'add one' }).click()
  await page.getByRole('heading', { name: 'Assets', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Overview' }).click()
  await page.getByRole('link', { name: 'Go to assets' }).click()
  await page.getByRole('button', { name: 'New asset' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('storefront')
  await page.keyboard.press('Enter')

  await page.getByRole('heading', { name: 'storefront' }).waitFor()
  expect(faults).toEqual([])
  await page.close()
  await end()
})

test('a user without a company is told who can change that', async () => {
  const { companyId } = await newWorld()
  const left = await newPerson(companyId, 'READER')
  await run(
    administratorKey(),
    'mutation ($input: UpdatePortalUserAccessInput!) { updatePortalUserAccess(input: $input) { clientMutationId } }',
    { input: { companyId, id: left.id } },
  )
  const { page } = await openPage()
  await page.goto('/')
  await page.getByLabel('API key').fill(left.key)
  await page.getByRole('button', { name: 'Sign in' }).click()

  await page.getByText('Ask an administrator to create one or add you to one.').waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('API key').waitFor()
})
