// A dialog closes only when its change is on the page behind it, so that reopening it at once shows the new values.

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { run } from '../../test/testkit/client.ts'
import { newProject, newWorld } from '../../test/testkit/world.ts'
import { browserStories, signIn } from './browser.ts'

const openPage = browserStories()

/** Delays the answer to the named query from now on. */
const answerLate = (page: Page, name: string) =>
  page.route('**/graphql', async (route) => {
    const isNamed = new RegExp(`query ${name}\\b`).test(route.request().postData() ?? '')
    if (isNamed) await new Promise((resolve) => setTimeout(resolve, 1500))
    await route.continue()
  })

test('an edited rule of the gate is not reverted by the next edit', async () => {
  const { companyId, owner } = await newWorld()
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/settings/policies`)
  const rules = page.getByRole('list', { name: 'Gate rules' })
  const change = rules.getByRole('button', { name: /^Edit/ }).first()
  const dialog = page.getByRole('dialog', { name: 'Edit rule' })
  await change.waitFor()
  await answerLate(page, 'Policies')

  await change.click()
  await dialog.getByLabel('Maximum allowed').fill('7')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await change.click()

  expect(await dialog.getByLabel('Maximum allowed').inputValue()).toBe('7')
})

test('a project whose status was just changed shows it when the dialog is opened again', async () => {
  const { companyId, owner } = await newWorld()
  const { id } = await newProject(owner.key, companyId)
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/projects/${id}`)
  const change = page.getByRole('button', { name: 'Change status…' })
  const dialog = page.getByRole('dialog', { name: 'Change status' })
  await change.waitFor()
  await answerLate(page, 'OneProject')

  await change.click()
  await dialog.getByLabel('Status', { exact: true }).selectOption('ANALYSIS')
  await dialog.getByRole('button', { name: 'Change status' }).click()
  await dialog.waitFor({ state: 'detached' })
  await change.click()

  expect(await dialog.getByLabel('Status', { exact: true }).inputValue()).toBe('ANALYSIS')
})

test('a waiver shows its reason when it is edited right after it was granted', async () => {
  const { companyId, owner } = await newWorld()
  await run(
    owner.key,
    'mutation ($input: CreateThreatModelingRequirementsInput!) { createThreatModelingRequirements(input: $input) { clientMutationId } }',
    { input: { companyId, requirements: [{ label: 'Queries take parameters', capecIds: ['66'] }] } },
  )
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/requirements`)
  await page.getByRole('link', { name: 'Queries take parameters' }).click()
  const panel = page.getByRole('complementary', { name: 'Requirement' })
  const dialog = page.getByRole('dialog', { name: 'Waive check' })
  await panel.getByRole('button', { name: 'Waive…' }).first().click()
  await answerLate(page, 'OneRequirement')

  await dialog.getByLabel('Reason').fill('It is behind a wall')
  await dialog.getByLabel('Until').fill('2099-01-01')
  await dialog.getByRole('button', { name: 'Waive' }).click()
  await dialog.waitFor({ state: 'detached' })
  await panel.getByRole('button', { name: 'Edit waiver…' }).click()

  expect(await dialog.getByLabel('Reason').inputValue()).toBe('It is behind a wall')
})
