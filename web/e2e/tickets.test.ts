// Tickets and their domains: the counts respect the filters, and a click on a domain filters the list by it.

import { expect, test } from 'vitest'
import { run } from '../../test/testkit/client.ts'
import { newTicket } from '../../test/testkit/tickets.ts'
import { newPerson, newWorld } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories, signIn } from './browser.ts'
import { picture } from './picture.ts'

const openPage = browserStories()

test('domains are counted under the current filters, for all types or for one', async () => {
  const { companyId, owner } = await newWorld()
  const create = (title: string, domainName: string, type: string, priority: string) =>
    run(owner.key, 'mutation ($input: CreateTicketInput!) { createTicket(input: $input) { ticket { id } } }', {
      input: { companyId, title, description: title, domainName, type, priority },
    })
  await create('The sign-in is slow', 'Access', 'BUG', 'P1')
  await create('Keys that expire', 'Access', 'FEATURE_REQUEST', 'P2')
  await create('A second provider', 'Access', 'FEATURE_REQUEST', 'P3')
  await create('The report has no cover', 'Reports', 'BUG', 'P1')
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/tickets`)
  const domains = page.getByRole('list', { name: 'Domains' })
  const told = () => domains.getByRole('button').allTextContents()

  await domains.getByRole('button', { name: 'Access 3' }).waitFor()
  const all = await told()
  await page.getByRole('button', { name: 'Priority' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'P1' }).click()
  await page.keyboard.press('Escape')
  await domains.getByRole('button', { name: 'Access 1' }).waitFor()
  const urgent = await told()
  await domains.getByRole('button', { name: 'Reports 1' }).click()
  await page.getByText('1 ticket', { exact: true }).waitFor()
  const faults = await accessibilityFaults(page)
  await picture(page, 'tickets')
  await page.goto(`/companies/${companyId}/tickets?type=FEATURE_REQUEST`)
  await domains.getByRole('button', { name: 'Access 2' }).waitFor()

  expect({ all, urgent, ofType: await told(), faults }).toEqual({
    all: ['Access 3', 'Reports 1'],
    urgent: ['Access 1', 'Reports 1'],
    ofType: ['Access 2'],
    faults: [],
  })
})

test('editing a ticket of somebody who left the company keeps it assigned to them until somebody else takes it', async () => {
  const { companyId, owner } = await newWorld()
  const analyst = await newPerson(companyId, 'ANALYST')
  const { createTicket } = await run(
    owner.key,
    'mutation ($input: CreateTicketInput!) { createTicket(input: $input) { ticket { id } } }',
    {
      input: {
        companyId,
        title: 'The sign-in is slow',
        description: 'It takes a minute',
        domainName: 'Access',
        type: 'BUG',
        priority: 'P1',
        assigneeEmail: analyst.email,
      },
    },
  )
  await run(
    owner.key,
    'mutation ($input: UpdatePortalUserAccessInput!) { updatePortalUserAccess(input: $input) { clientMutationId } }',
    { input: { companyId, id: analyst.id, role: null } },
  )
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/tickets/${createTicket.ticket.id}`)
  const dialog = page.getByRole('dialog')

  await page.getByRole('button', { name: 'Edit…' }).click()
  await dialog.getByLabel('Title').fill('The sign-in takes a minute')
  await dialog.getByRole('button', { name: 'Save' }).click()

  await page.getByRole('heading', { name: 'The sign-in takes a minute' }).waitFor()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => page.getByText('Assigned to').count()).toBe(1)
})

test('a domain is created before it has tickets, and deleted only when it has none', async () => {
  const world = await newWorld()
  const { companyId, owner } = world
  await newTicket(world, { domainName: 'Access' })
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/tickets`)
  await page.getByRole('button', { name: 'Domains…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Ticket domains' })
  const all = dialog.getByRole('list', { name: 'All domains' })

  await dialog.getByLabel('New domain').fill('Reports')
  await page.keyboard.press('Enter')
  await all.getByText('Reports').waitFor()
  await dialog.getByLabel('New domain').and(page.locator(':focus')).waitFor()
  const faults = await accessibilityFaults(page)
  await picture(page, 'ticket-domains')
  await dialog.getByRole('button', { name: 'Delete the domain Access' }).click()
  await page.getByText('Access has tickets; move them first').waitFor()
  await dialog.getByLabel('New domain').fill('Half of a na')
  await dialog.getByRole('button', { name: 'Delete the domain Reports' }).click()
  await all.getByText('Reports').waitFor({ state: 'detached' })
  const typed = await dialog.getByLabel('New domain').inputValue()

  await expect.poll(() => all.getByRole('listitem').count()).toBe(1)
  expect({ faults, typed }).toEqual({ faults: [], typed: 'Half of a na' })
})
