// Errors of a button in a row appear next to that button, and disappear when it is tried again.

import { expect, test } from 'vitest'
import { run } from '../../test/testkit/client.ts'
import { newProjectRequirement } from '../../test/testkit/requirements.ts'
import { newAsset, newProject, newWorld } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories, signIn } from './browser.ts'
import { picture } from './picture.ts'
import { newScans } from './runs.ts'

const openPage = browserStories()

const change = (key: string, field: string, input: Record<string, unknown>) =>
  run(
    key,
    `mutation ($input: ${field[0]?.toUpperCase()}${field.slice(1)}Input!) { ${field}(input: $input) { clientMutationId } }`,
    { input },
  )

test('cancelling a scan that no longer exists shows the error at the cancel button', async () => {
  const { companyId, owner } = await newWorld()
  const asset = await newAsset(owner.key, companyId, { name: 'harbour-shop' })
  await newScans(owner.key, [asset.id], 'It did not answer')
  const { page } = await openPage({ viewport: { width: 390, height: 780 } })
  const asked: Promise<unknown>[] = []
  const { promise: isSeen, resolve: letGo } = Promise.withResolvers<void>()
  let isHeld = false
  await page.route('**/graphql', async (route) => {
    if (/query Scans\b/.test(route.request().postData() ?? '')) {
      if (isHeld) await isSeen
      else asked.push(route.request().response())
    }
    await route.continue()
  })
  await signIn(page, owner.key, `/companies/${companyId}/scans`)
  const button = page.getByRole('button', { name: 'Cancel the scan of harbour-shop' }).first()
  await button.waitFor()
  const { scanHistories } = await run(
    owner.key,
    'query ($companyId: ID!) { scanHistories(companyId: $companyId, pagination: { perPage: 20 }) { collection { id } } }',
    { companyId },
  )
  // keeps the list from noticing, even through a query that is already on its way
  isHeld = true
  await Promise.all(asked)
  const { collection } = scanHistories
  for (const { id } of collection) await change(owner.key, 'deleteControlSyncStatus', { id })

  await button.click()

  const told = page.getByRole('dialog', { name: 'Error' })
  await told.getByRole('alert').waitFor()
  const [at, said] = [await button.boundingBox(), await told.boundingBox()]
  await picture(page, 'beside-phone')
  expect(await told.innerText()).toMatch(/ was not found$/)
  expect(await accessibilityFaults(page)).toEqual([])
  expect(Math.abs((said?.y ?? 0) - (at?.y ?? 0))).toBeLessThan(80)
  await page.keyboard.press('Escape')
  await told.waitFor({ state: 'detached' })
  letGo()
})

test('switching off a webhook that no longer exists shows the error at its switch', async () => {
  const { companyId, owner } = await newWorld()
  const { createWebhook } = await run(
    owner.key,
    'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id } } }',
    { input: { companyId, url: 'https://hooks.example.test/a' } },
  )
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/settings/webhooks`)
  const row = page.getByRole('list', { name: 'Webhooks' }).getByRole('listitem')
  await row.waitFor()
  await change(owner.key, 'deleteWebhook', { id: createWebhook.webhook.id })

  await row.getByRole('button', { name: /^Disable/ }).click()

  const told = page.getByRole('dialog', { name: 'Error' })
  await told.getByRole('alert').waitFor()
  expect(await told.innerText()).toBe(`The webhook ${createWebhook.webhook.id} was not found`)
  expect(await page.getByRole('region', { name: 'Messages' }).innerText()).toBe('')
  await row
    .getByRole('button', { name: /^Disable/ })
    .and(page.locator(':focus'))
    .waitFor()
})

test('changing an activity that no longer exists shows the error beside its status', async () => {
  const { companyId, owner } = await newWorld()
  const { id: projectId } = await newProject(owner.key, companyId)
  const { id, activities } = await newProjectRequirement(owner.key, projectId, ['Test the inputs'])
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/projects/${projectId}`)
  const activity = page.getByRole('listitem').filter({ hasText: 'Test the inputs' })
  await activity.waitFor()
  await change(owner.key, 'deleteProjectRequirement', { id })

  await activity.getByRole('combobox').selectOption('DONE')

  await activity.getByRole('alert').waitFor()
  expect(await activity.getByRole('alert').innerText()).toBe(`The activity ${activities[0]?.id} was not found`)
  await expect.poll(() => activity.getByRole('combobox').inputValue()).toBe('NOT_STARTED')
})

test('Escape closes only a refusal within a dialog, and a key that is shown once survives a click outside', async () => {
  const { companyId, owner } = await newWorld()
  const { page } = await openPage()
  await page.addInitScript('navigator.clipboard.writeText = () => Promise.reject(new Error("refused"))')
  await signIn(page, owner.key, `/companies/${companyId}/settings/keys`)
  await page.getByRole('button', { name: 'New API key' }).click()
  await page.getByLabel('Name').fill('pipeline')
  await page.getByRole('checkbox').first().check()
  await page.getByRole('button', { name: 'Create key' }).click()
  const shown = page.getByRole('dialog', { name: 'API key “pipeline”' })
  await shown.getByRole('button', { name: 'Copy the key' }).click()
  const told = page.getByRole('dialog', { name: 'Error' })
  await told.getByText('The browser blocked copying').waitFor()

  await page.keyboard.press('Escape')
  await told.waitFor({ state: 'detached' })
  // a click outside the dialog may have been meant for something else
  await page.mouse.click(5, 5)
  const isKept = await shown.getByRole('button', { name: 'I’ve stored it' }).isVisible()
  await page.keyboard.press('Escape')
  await shown.waitFor({ state: 'detached' })

  expect(isKept).toBe(true)
})
