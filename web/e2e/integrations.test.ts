// A tool is connected in steps and tested, its mapping is changed after a preview, and failed exchanges are retried.

import { expect, test } from 'vitest'
import { tellScanner } from '../../src/modules/pulls/decisions.ts'
import { serveAllVendors } from '../../test/testkit/all-vendors.ts'
import { BOARD, PROJECT, serveBoards, TEAM } from '../../test/testkit/boards-fake.ts'
import { run } from '../../test/testkit/client.ts'
import { sast, upsert } from '../../test/testkit/findings.ts'
import { inside } from '../../test/testkit/inside.ts'
import { ignorePath, issue, newSnykHome, pulled, SNYK, snykHas } from '../../test/testkit/scanners.ts'
import { createItem, newBoardsWorld, newFinding, sync } from '../../test/testkit/trackers.ts'
import { serverError } from '../../test/testkit/vendor-answers.ts'
import { fakeVendor, json, post } from '../../test/testkit/vendor-fake.ts'
import { newAsset, newPerson, newWorld } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories, signIn } from './browser.ts'
import { picture } from './picture.ts'

const openPage = browserStories()

const MAPPED = `query ($companyId: ID!) { defectTrackerConfigurations(companyId: $companyId) { collection {
  boardsTrackerDetail { statusMappings { internalIssueStatus externalIssueStatus } } } } }`

/** A board with a card that cannot be moved, and that a sync has tried to move. */
async function withTrouble() {
  const fake = await serveBoards()
  const world = await newBoardsWorld()
  const { id } = await newFinding(world, { title: 'SQL built from input' })
  await createItem(world, id)
  await sync(world)
  fake.move(1, 'Blocked')
  await sync(world)
  return { fake, world }
}

test('a tracker is connected in three steps: its credential, its board with the mapping, and a test', async () => {
  const { companyId, owner } = await newWorld()
  const asset = await newAsset(owner.key, companyId)
  await upsert(owner.key, sast(Number(asset.id), { severity: 'CRITICAL' }))
  await upsert(owner.key, sast(Number(asset.id), { severity: 'LOW', ruleId: 'other' }))
  await serveBoards()
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/integrations`)

  await page.getByRole('button', { name: 'Connect Azure DevOps' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect Azure DevOps' })
  const steps = dialog.getByRole('list', { name: 'Steps' })
  const stepNow = () => steps.locator('[aria-current=step]').textContent()
  const names = [await stepNow()]
  await dialog.getByLabel('Organisation').fill('acme')
  await dialog.getByLabel('Personal access token').fill('pat')
  await dialog.getByRole('button', { name: 'Verify and connect' }).click()
  await dialog.getByLabel('Project').selectOption({ label: PROJECT.name })
  names.push(await stepNow())
  await dialog.getByLabel('Team').selectOption({ label: TEAM.name })
  await dialog.getByLabel('Board', { exact: true }).selectOption({ label: BOARD.name })
  await dialog.getByLabel('Add a state to Identified').selectOption('New')
  const preview = dialog.getByRole('region', { name: 'Preview' })
  await preview.getByText('Cards are not created automatically. 2 open findings can get one manually').waitFor()
  await dialog.getByLabel('Create cards').selectOption('HIGH')
  await preview.getByText('get a card in New. In the last 30 days there was 1 such finding.').waitFor()
  await preview.getByText('no state is mapped: In progress').waitFor()
  const faults = await accessibilityFaults(page)
  await picture(page, 'connect-include')
  await dialog.getByRole('button', { name: 'Check and map' }).click()
  await dialog.getByText('No changes: all cards').waitFor()
  names.push(await stepNow())
  await dialog.getByRole('button', { name: 'Test Azure DevOps' }).click()
  await dialog.getByText('Azure DevOps accepts the credential.').waitFor()
  faults.push(...(await accessibilityFaults(page)))
  await picture(page, 'connect-test')
  await dialog.getByRole('button', { name: 'Done' }).click()

  await page.getByText('Last successful request').waitFor()
  await page.getByText(`All assets → ${PROJECT.name} / ${BOARD.name}`).waitFor()
  expect({ names, faults }).toEqual({ names: ['Credential', 'Board and mapping', 'Test'], faults: [] })
})

test('a scanner is connected in the region that is chosen, which an edit of its token leaves as it is', async () => {
  const { companyId, owner } = await newWorld()
  await serveAllVendors()
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/integrations`)

  await page.getByRole('button', { name: 'Connect Snyk' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect Snyk' })
  await dialog.getByLabel('API token').fill('first')
  await dialog.getByLabel('Region').selectOption({ label: 'EU-1' })
  await dialog.getByRole('button', { name: 'Verify and connect' }).click()
  await dialog.getByRole('button', { name: 'Skip' }).click()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByText('EU-1', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Edit…' }).click()
  const editing = page.getByRole('dialog', { name: 'Edit Snyk' })
  await editing.getByLabel('API token').fill('second')
  const unchanged = await editing.getByLabel('Region').locator('option:checked').textContent()
  await editing.getByRole('button', { name: 'Verify and save' }).click()
  await editing.waitFor({ state: 'detached' })

  const { integrations } = await run(
    owner.key,
    'query ($companyId: ID!) { integrations(companyId: $companyId, pagination: {}) { collection { ... on ScannerBIntegration { region } } } }',
    { companyId },
  )
  expect({ unchanged, integrations }).toEqual({
    unchanged: 'Unchanged',
    integrations: { collection: [{ region: 'EU_1' }] },
  })
})

test('a tool that rejects its credential says so when tested, and the page keeps saying it', async () => {
  const fake = await serveBoards()
  const world = await newBoardsWorld()
  fake.trouble = () => ({ write: (response) => void response.writeHead(401).end('{}') })
  const { page } = await openPage({ colorScheme: 'dark' })
  await signIn(page, world.owner.key, `/companies/${world.companyId}/integrations`)

  await page.getByRole('button', { name: 'Test Azure DevOps' }).click()
  const told = page.getByRole('status').filter({ hasText: 'Refused' })
  await told.getByText('does not accept the credential').waitFor()
  await page.getByText(/Last failure .*does not accept the credential/).waitFor()
  await picture(page, 'integration-refused-dark')
  expect(await accessibilityFaults(page)).toEqual([])
})

test('a mapping is changed after a preview of the next sync, and deleted', async () => {
  const { fake, world } = await withTrouble()
  const { companyId, owner } = world
  fake.move(1, 'Closed')
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/integrations`)

  await page.getByRole('button', { name: /^Edit mapping of/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit mapping' })
  await dialog.getByLabel('Add a state to In progress').selectOption('Blocked')
  await dialog.getByRole('button', { name: 'Remove Closed from Fix accepted' }).click()
  await dialog.getByLabel('Add a state to In progress').selectOption('Closed')
  await dialog.getByRole('button', { name: 'Preview sync' }).click()
  const preview = dialog.getByRole('region', { name: 'Preview' })
  await preview.getByText('Identified → In progress').waitFor()
  await dialog.getByLabel('Add a state to False positive').selectOption('Resolved')
  await preview.getByText('Mapping changed since this preview.').waitFor()
  const faults = await accessibilityFaults(page)
  await picture(page, 'remap')
  await dialog.getByRole('button', { name: 'Verify and save' }).click()
  await page.getByText('Mapping saved.').waitFor()
  const { defectTrackerConfigurations: changed } = await run(owner.key, MAPPED, { companyId })

  await page.getByRole('button', { name: /^Delete mapping of/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete mapping' }).click()
  await page.getByText('Mapping deleted.').waitFor()
  const { defectTrackerConfigurations: left } = await run(owner.key, MAPPED, { companyId })

  const [{ boardsTrackerDetail }] = changed.collection
  const mapping = (internalIssueStatus: string, externalIssueStatus: string) => ({
    internalIssueStatus,
    externalIssueStatus,
  })
  expect(boardsTrackerDetail.statusMappings).toEqual([
    mapping('IDENTIFIED', 'New'),
    mapping('IN_PROGRESS', 'Active'),
    mapping('AWAITING_VALIDATION', 'Resolved'),
    mapping('FALSE_POSITIVE', 'Resolved'),
  ])
  expect({ left: left.collection, faults }).toEqual({ left: [], faults: [] })
})

test('exchanges are filtered by outcome, and retried where that is allowed and useful', async () => {
  const { world } = await withTrouble()
  const { companyId, owner } = world
  const reader = await newPerson(companyId, 'READER', ['read'])
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/integrations?tab=exchanges`)
  const rows = page.getByRole('row')
  const skipped = rows.filter({ hasText: 'Skipped' })
  await skipped.waitFor()
  await skipped.getByText('The mapping has no status for “Blocked”; the finding stays “Identified”').waitFor()
  await skipped.getByRole('gridcell', { name: 'SQL built from input', exact: true }).waitFor()
  const again = (row: typeof rows) => row.getByRole('button', { name: /^Retry/ })
  const reasonDone = await again(rows.filter({ hasText: /Done/ }).first()).getAttribute('aria-description')
  const faults = await accessibilityFaults(page)
  await picture(page, 'exchanges')

  await page.getByRole('button', { name: 'Outcome' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Skipped' }).click()
  await page.keyboard.press('Escape')
  await rows.filter({ hasText: /Done/ }).first().waitFor({ state: 'detached' })
  await again(skipped).click()
  await page.getByText('1 card queued for retry.').waitFor()

  const { page: theirs } = await openPage()
  await signIn(theirs, reader.key, `/companies/${companyId}/integrations?tab=exchanges`)
  const held = theirs
    .getByRole('row')
    .filter({ hasText: 'Skipped' })
    .first()
    .getByRole('button', { name: /^Retry/ })
  expect({ reasonDone, faults, mayNot: await held.getAttribute('aria-description') }).toEqual({
    reasonDone: 'Already done.',
    faults: [],
    mayNot: expect.stringContaining('This requires'),
  })
})

test('a preview that the tracker does not answer is reported beside the mapping', async () => {
  const { fake, world } = await withTrouble()
  const { page } = await openPage({ viewport: { width: 390, height: 780 } })
  await signIn(page, world.owner.key, `/companies/${world.companyId}/integrations`)
  await page.getByRole('button', { name: /^Edit mapping of/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit mapping' })
  await dialog.getByRole('list', { name: 'States of the board' }).waitFor()
  fake.trouble = () => serverError(503)

  await dialog.getByRole('button', { name: 'Preview sync' }).click()
  await dialog.getByRole('region', { name: 'Preview' }).getByRole('alert').waitFor()
  await picture(page, 'remap-phone')
  expect(await accessibilityFaults(page)).toEqual([])
})

test('decisions sent to a scanner are listed with their findings, and a refused one with its reason', async () => {
  const home = await newSnykHome()
  const accepted = await fakeVendor(SNYK, snykHas([issue('SNYK-JS-QS-1'), issue('SNYK-JS-QS-2')]))
  await pulled(home)
  await accepted.end()
  const { issues } = await run(
    home.key,
    'query ($companyId: ID!) { issues(companyId: $companyId, pagination: {}) { collection { id title } } }',
    home,
  )
  await fakeVendor(SNYK, [
    post(ignorePath('SNYK-JS-QS-1'), json({})),
    post(ignorePath('SNYK-JS-QS-2'), json({ message: 'not here' }, { status: 404 })),
  ])
  for (const { id } of issues.collection) {
    await run(
      home.key,
      'mutation ($input: ChangeIssueStatusInput!) { changeIssueStatus(input: $input) { issue { id } } }',
      { input: { id, status: 'FALSE_POSITIVE', reason: 'It is not reached' } },
    )
  }
  await tellScanner(await inside(), { companyId: home.companyId, id: home.integrationId })
  const { page } = await openPage()
  await signIn(page, home.key, `/companies/${home.companyId}/integrations?tab=decisions`)

  const rows = page.getByRole('grid', { name: 'Decisions sent to the scanner' }).getByRole('row')
  await rows.filter({ hasText: 'Delivered' }).getByText('It is not reached', { exact: true }).waitFor()
  await rows.filter({ hasText: /Given up|Pending|Unsupported/ }).waitFor()
  const faults = await accessibilityFaults(page)
  await picture(page, 'decisions-told')
  await rows.filter({ hasText: 'Delivered' }).getByRole('link').click()
  await page.getByRole('complementary', { name: 'Finding' }).waitFor()

  expect(faults).toEqual([])
})
