// Tracker cards for many findings at once, from the page of their asset, with a tracker that counts as able to call.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { serveBoards } from '../../test/testkit/boards-fake.ts'
import { run } from '../../test/testkit/client.ts'
import { inside } from '../../test/testkit/inside.ts'
import { newBoardsWorld, newFinding, WORK_ITEMS } from '../../test/testkit/trackers.ts'
import { withAsset } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories, signIn } from './browser.ts'
import { picture } from './picture.ts'

const openPage = browserStories()

test('cards are created for the open findings of an asset that have none, from a minimum severity on', async () => {
  await serveBoards()
  const tracked = await newBoardsWorld()
  for (const severity of ['CRITICAL', 'HIGH', 'LOW']) await newFinding(tracked, { severity, title: `${severity} one` })
  const { companyId, owner, assetId } = tracked
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/assets/${assetId}`)
  const dialog = page.getByRole('dialog', { name: 'Create cards' })
  const make = () => page.getByRole('button', { name: 'Create cards…' }).click()

  await make()
  const options = dialog.getByLabel('Tracker').locator('option')
  await options.first().waitFor({ state: 'attached' })
  const trackers = await options.allTextContents()
  const faults = await accessibilityFaults(page)
  await picture(page, 'cards')
  await dialog.getByRole('button', { name: 'Create cards' }).click()
  await page.getByText('2 cards requested. They appear in a moment.').waitFor()
  await make()
  await dialog.getByRole('button', { name: 'Create cards' }).click()
  await page.getByText('All these findings already have a card.').waitFor()
  const { workItems } = await run(owner.key, WORK_ITEMS, { companyId })

  expect({ faults, trackers, cards: workItems.metadata.totalCount }).toEqual({
    faults: [],
    trackers: ['Azure DevOps, acme'],
    cards: 2,
  })
})

test('cards are offered even where more boards are mapped than fit on one page', async () => {
  await serveBoards()
  const { companyId, owner, integrationId, assetId } = await newBoardsWorld()
  const { db } = await inside()
  // newer than the company's own board, which therefore comes last
  await sql`
    with made as (
      insert into asset (company_id, name) select ${companyId}, 'asset ' || n from generate_series(1, 201) n returning id)
    insert into defect_tracker_configuration (company_id, integration_id, asset_id, list, status_mappings)
    select ${companyId}, ${integrationId}, id, '{"id": "1", "name": "A list"}', '[]' from made`.execute(db)
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/assets/${assetId}`)

  await page.getByRole('button', { name: 'Create cards…' }).click()

  const options = page.getByRole('dialog', { name: 'Create cards' }).getByLabel('Tracker').locator('option')
  await options.first().waitFor({ state: 'attached' })
  await expect.poll(() => options.allTextContents()).toEqual(['Azure DevOps, acme'])
})

test('without a mapped board the dialog says so, and links to where one is mapped', async () => {
  const { companyId, owner, asset } = await withAsset()
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/assets/${asset.id}`)

  await page.getByRole('button', { name: 'Create cards…' }).click()
  await page.getByText('No board or list is mapped for this asset yet.').waitFor()
  await page.getByRole('link', { name: 'Go to integrations' }).click()

  await page.waitForURL('**/integrations')
})
