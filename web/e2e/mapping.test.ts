// Mapping a board: its states are assigned to statuses by mouse and by keyboard, and an unreachable tracker is reported.

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { BOARD, PROJECT, STATES, serveBoards, TEAM } from '../../test/testkit/boards-fake.ts'
import { run } from '../../test/testkit/client.ts'
import { BOARDS, saved, TASKS } from '../../test/testkit/integrations.ts'
import { serveTasks } from '../../test/testkit/tasks-fake.ts'
import { LIST_ID, STATUSES } from '../../test/testkit/tasks-list.ts'
import { newWorld } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories, signIn } from './browser.ts'

const openPage = browserStories()

const MAPPED = `query ($companyId: ID!) { defectTrackerConfigurations(companyId: $companyId) { collection {
  boardsTrackerDetail { statusMappings { internalIssueStatus externalIssueStatus alsoExternalIssueStatuses } } } } }`

async function openMapping(page: Page) {
  await page.getByRole('button', { name: 'Map a board' }).click()
  return page.getByRole('dialog', { name: 'Map a board' })
}

/** A company with a connected tracker of boards. */
async function connected() {
  const { companyId, owner } = await newWorld()
  const fake = await serveBoards()
  await saved(owner.key, BOARDS, { companyId, personalToken: 'pat', organizationName: 'acme' })
  return { companyId, key: owner.key, fake }
}

test('the states of a board are mapped by dragging and by keyboard, with the same effect', async () => {
  const { companyId, key } = await connected()
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/integrations`)
  const dialog = await openMapping(page)
  await dialog.getByLabel('Project').selectOption({ label: PROJECT.name })
  await dialog.getByLabel('Team').selectOption({ label: TEAM.name })
  await dialog.getByLabel('Board', { exact: true }).selectOption({ label: BOARD.name })
  const states = dialog.getByRole('list', { name: 'States of the board' })
  await states.waitFor()
  const told = await states.getByRole('listitem').allTextContents()
  const save = dialog.getByRole('button', { name: 'Check and map' })
  const isHeldBack = await save.getAttribute('aria-disabled')

  await states.getByText('New', { exact: true }).dragTo(dialog.getByRole('region', { name: 'Identified' }))
  await states.getByText('Blocked').dragTo(dialog.getByRole('region', { name: 'Identified' }))
  await dialog
    .getByRole('region', { name: 'Identified' })
    .getByText('Blocked', { exact: true })
    .dragTo(dialog.getByRole('region', { name: 'In progress' }))
  await dialog.getByLabel('Add a state to Identified').focus()
  await page.keyboard.type('Act')
  await page.keyboard.press('Enter')
  await dialog.getByLabel('Add a state to Fix accepted').selectOption('Closed')
  await dialog.getByLabel('Add a state to Risk accepted').selectOption('Closed')
  await dialog.getByLabel('Add a state to False positive').selectOption('Resolved')
  await dialog.getByRole('button', { name: 'Remove Resolved from False positive' }).focus()
  await page.keyboard.press('Enter')
  await dialog.getByRole('status').getByText('Resolved removed from False positive.', { exact: true }).waitFor()
  const faults = await accessibilityFaults(page)
  await save.click()
  await page.getByRole('dialog', { name: 'First sync preview' }).getByText('No changes: all cards').waitFor()

  const { defectTrackerConfigurations } = await run(key, MAPPED, { companyId })
  const mapping = (internalIssueStatus: string, [externalIssueStatus, ...alsoExternalIssueStatuses]: string[]) => ({
    internalIssueStatus,
    externalIssueStatus,
    alsoExternalIssueStatuses,
  })
  expect({ told, isHeldBack, faults }).toEqual({
    told: STATES,
    isHeldBack: 'true',
    faults: [],
  })
  expect(defectTrackerConfigurations.collection[0].boardsTrackerDetail.statusMappings).toEqual([
    mapping('IDENTIFIED', ['New', 'Active']),
    mapping('IN_PROGRESS', ['Blocked']),
    mapping('FIX_ACCEPTED', ['Closed']),
    mapping('RISK_ACCEPTED', ['Closed']),
  ])
})

test('a board that cannot be asked for its states says so in place, and can be retried', async () => {
  const { companyId, key, fake } = await connected()
  const { page } = await openPage({ viewport: { width: 390, height: 780 }, colorScheme: 'dark' })
  await signIn(page, key, `/companies/${companyId}/integrations`)
  const dialog = await openMapping(page)
  await dialog.getByLabel('Project').selectOption({ label: PROJECT.name })
  await dialog.getByLabel('Team').selectOption({ label: TEAM.name })
  fake.trouble = ({ path }) =>
    path.includes('workitemtypes') ? { write: (response) => void response.writeHead(403).end('{}') } : null

  await dialog.getByLabel('Board', { exact: true }).selectOption({ label: BOARD.name })
  const alert = dialog.getByRole('alert')
  await alert.waitFor()
  const words = await alert.textContent()
  fake.trouble = null
  await alert.getByRole('button', { name: 'Try again' }).click()
  await dialog.getByRole('list', { name: 'States of the board' }).waitFor()

  expect(words).toContain('Azure DevOps does not permit this with the credential')
  expect(await accessibilityFaults(page)).toEqual([])
})

test('the statuses of a list are offered once its number has been entered', async () => {
  const { companyId, owner } = await newWorld()
  await serveTasks()
  await saved(owner.key, TASKS, { companyId, personalToken: 'pk_1' })
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/integrations`)
  const dialog = await openMapping(page)

  await dialog.getByLabel('List ID').fill(LIST_ID)
  await dialog.getByLabel('List name').fill('Findings')
  const list = dialog.getByRole('list', { name: 'States of the board' })
  await list.waitFor()
  const states = await list.getByRole('listitem').allTextContents()
  await dialog.getByLabel('Add a state to Identified').selectOption(STATUSES[0] ?? '')
  await dialog.getByRole('button', { name: 'Check and map' }).click()
  await page.getByRole('dialog', { name: 'First sync preview' }).getByText('No changes: all cards').waitFor()

  expect(states).toEqual(STATUSES)
})

test('a second tracker is connected next to the first, and its boards are requested with its own credential', async () => {
  const { companyId, key, fake } = await connected()
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/integrations`)
  await page.getByRole('button', { name: 'Add another Azure DevOps' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect another Azure DevOps' })
  await dialog.getByLabel('Organisation').fill('zenith')
  await dialog.getByLabel('Personal access token').fill('another')
  await dialog.getByRole('button', { name: 'Verify and connect' }).click()
  await dialog.getByRole('button', { name: 'Skip' }).click()
  await dialog.getByRole('button', { name: 'Done' }).click()
  const added = page.getByText('zenith', { exact: true })
  await added.waitFor()
  const organizations = [await page.getByText('acme', { exact: true }).count(), await added.count()]
  const faults = await accessibilityFaults(page)
  const from = fake.seen.length

  // the newest comes first
  await page.getByRole('button', { name: 'Map a board' }).first().click()
  const mapping = page.getByRole('dialog', { name: 'Map a board' })
  await mapping.getByLabel('Project').selectOption({ label: PROJECT.name })
  await mapping.getByLabel('Team').selectOption({ label: TEAM.name })
  await mapping.getByLabel('Board', { exact: true }).selectOption({ label: BOARD.name })
  await mapping.getByRole('list', { name: 'States of the board' }).waitFor()

  const asked = fake.seen.slice(from)
  expect({ organizations, faults }).toEqual({ organizations: [1, 1], faults: [] })
  expect(new Set(asked.map(({ headers }) => headers.authorization))).toEqual(
    new Set([`Basic ${Buffer.from(':another').toString('base64')}`]),
  )
  expect(asked.every(({ path }) => path.startsWith('/zenith/'))).toBe(true)
})
