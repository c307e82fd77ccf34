// Concurrent changes by others: a deleted record is reported with a way back, and a lost role is explained in words.

import { expect, test } from 'vitest'
import { run } from '../../test/testkit/client.ts'
import { newHome, sast, upsert } from '../../test/testkit/findings.ts'
import { newTicket } from '../../test/testkit/tickets.ts'
import { newAsset, newIssue, newPerson, newProject, newWorld } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories, signIn } from './browser.ts'
import { picture } from './picture.ts'

const openPage = browserStories()

test('the page of a ticket or project that was deleted meanwhile says so, offers no actions, and links back to the list', async () => {
  const world = await newWorld()
  const { companyId, owner } = world
  const ticketId = await newTicket(world)
  const { id: projectId } = await newProject(owner.key, companyId)
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/tickets/${ticketId}`)
  const main = page.locator('main')
  await main.getByRole('button', { name: 'Edit…' }).waitFor()
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()

  await run(owner.key, 'mutation ($input: DeleteTicketInput!) { deleteTicket(input: $input) { id } }', {
    input: { id: ticketId },
  })
  await page.goBack()
  await main.getByRole('alert').getByText(`The ticket ${ticketId} was not found`).waitFor()
  const buttons = await main.getByRole('button').allTextContents()
  const faults = await accessibilityFaults(page)
  await picture(page, 'ticket-gone')
  await main.getByRole('link', { name: 'Back to Tickets' }).click()
  await page.getByRole('heading', { name: 'Tickets', level: 1 }).waitFor()

  await page.goto(`/companies/${companyId}/projects/${projectId}`)
  await main.getByRole('button', { name: 'Change status…' }).click()
  await page.keyboard.press('Escape')
  await run(owner.key, 'mutation ($input: DeleteProjectInput!) { deleteProject(input: $input) { clientMutationId } }', {
    input: { id: projectId },
  })
  await page.reload()
  await main.getByRole('link', { name: 'Back to Projects' }).click()
  await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor()

  expect({ buttons, faults }).toEqual({ buttons: [], faults: [] })
})

test('what was typed stays while the server is away, and is sent once it is back', async () => {
  const { companyId, key, assetId } = await newHome()
  const { issue } = await upsert(key, sast(assetId, { title: 'Weak hash' }))
  const { page, complaints } = await openPage()
  await signIn(page, key, `/companies/${companyId}/findings/${issue.id}`)
  const panel = page.getByRole('complementary', { name: 'Finding' })
  await panel.getByRole('button', { name: 'Decide' }).click()
  const dialog = page.getByRole('dialog', { name: 'Decide' })
  await dialog.getByRole('radio', { name: 'False positive' }).check()
  await dialog.getByLabel('Reason').fill('The input is a constant')

  await page.context().setOffline(true)
  await dialog.getByRole('button', { name: 'Decide' }).click()
  await dialog.getByText('The server cannot be reached').first().waitFor()
  await dialog.getByRole('button', { name: 'Try again' }).waitFor()
  const reason = await dialog.getByLabel('Reason').inputValue()
  const faults = await accessibilityFaults(page)
  await page.context().setOffline(false)
  await dialog.getByRole('button', { name: 'Decide' }).click()

  await page.getByRole('region', { name: 'Timeline' }).getByText('Created → False positive').waitFor()
  await page.getByRole('region', { name: 'Timeline' }).getByText('The input is a constant').waitFor()
  expect({ reason, faults }).toEqual({ reason: 'The input is a constant', faults: [] })
  // what the browser logs of the network is not ours
  complaints.length = 0
})

test('the panel of a deleted finding can be closed with its button, as that of a requirement can', async () => {
  const { companyId, owner } = await newWorld()
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/findings/999999999`)
  const panel = page.getByRole('complementary', { name: 'Finding' })
  await panel.getByText('was not found').waitFor()
  const faults = await accessibilityFaults(page)

  await panel.getByRole('button', { name: 'Close' }).click()
  await panel.waitFor({ state: 'detached' })
  await page.goto(`/companies/${companyId}/requirements/999999999`)
  const other = page.getByRole('complementary', { name: 'Requirement' })
  await other.getByText('was not found').waitFor()
  await other.getByRole('button', { name: 'Close' }).click()
  await other.waitFor({ state: 'detached' })

  expect(faults).toEqual([])
})

test('a role lost meanwhile is explained in the console’s words for it', async () => {
  const { companyId, owner } = await newWorld()
  const analyst = await newPerson(companyId, 'ANALYST')
  const asset = await newAsset(owner.key, companyId)
  const issue = await newIssue(owner.key, asset.id)
  const { page } = await openPage()
  await signIn(page, analyst.key, `/companies/${companyId}/findings/${issue.id}`)
  await page.getByRole('region', { name: 'Timeline' }).waitFor()

  await run(
    owner.key,
    'mutation ($input: UpdatePortalUserAccessInput!) { updatePortalUserAccess(input: $input) { clientMutationId } }',
    { input: { companyId, id: analyst.id, role: 'READER' } },
  )
  await page.keyboard.press('d')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'Identified' }).check()
  await dialog.getByLabel(/^Reason/).fill('It is as it should be')
  await dialog.getByRole('button', { name: 'Decide' }).click()

  const told = await dialog.getByRole('alert').textContent()
  expect(told).toBe('This requires the role developer in this company; yours is reader')
})
