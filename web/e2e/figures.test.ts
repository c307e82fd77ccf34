// Figures lead to exactly what they count: scans in trouble, scans that run, findings of an asset by severity, and of a chart.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sast, upsert } from '../../test/testkit/findings.ts'
import { inside } from '../../test/testkit/inside.ts'
import { newAsset, newWorld } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories, choose, signIn } from './browser.ts'
import { newScans } from './runs.ts'

const openPage = browserStories()

async function measured() {
  const { companyId, owner } = await newWorld()
  const { key } = owner
  const asset = await newAsset(key, companyId, { name: 'storefront' })
  const other = await newAsset(key, companyId, { name: 'warehouse' })
  for (const [id, severity, rule] of [
    [asset.id, 'CRITICAL', 'a'],
    [asset.id, 'LOW', 'b'],
    [other.id, 'CRITICAL', 'c'],
  ] as const) {
    await upsert(key, sast(Number(id), { severity, ruleId: rule, title: `Finding ${rule}` }))
  }
  await newScans(key, [asset.id], 'The address did not answer')
  await newScans(key, [other.id], 'Long ago')
  const { db } = await inside()
  await sql`update scan set created_at = now() - interval '20 days' where company_id = ${companyId} and asset_id = ${other.id}`.execute(
    db,
  )
  return { companyId, key, assetId: asset.id as string }
}

test('scans in trouble and those that run are listed as they are counted, and another is begun from there', async () => {
  const { companyId, key, assetId } = await measured()
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/overview`)

  await page.getByRole('link', { name: /^Scans in trouble\s*1/ }).click()
  await page.getByText('1 scan', { exact: true }).waitFor()
  await page.getByText('The address did not answer').first().waitFor()
  await page.getByRole('button', { name: /Started in 7 days/ }).click()
  await page.getByText('2 scans', { exact: true }).waitFor()
  await page.goBack()
  await page.goBack()
  const running = page.getByRole('heading', { name: /^Scans running now/ }).getByRole('link')
  const many = await running.textContent()
  await running.click()
  await page.getByText(`${many} scans`, { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Start a scan…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Start a scan' })
  await choose(dialog.getByLabel('Of the asset'), 'storefront')
  const faults = await accessibilityFaults(page)
  await dialog.getByRole('button', { name: 'Go on' }).click()
  await page.waitForURL(`**/companies/${companyId}/assets/${assetId}?tab=scanner`)
  await page.getByText('How far it goes', { exact: true }).waitFor()
  expect(faults).toEqual([])
})

test('counts by severity lead to the findings that they count, of all assets and of one', async () => {
  const { companyId, key, assetId } = await measured()
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/overview`)

  await page.getByRole('figure').getByRole('link', { name: 'Critical 2' }).click()
  await page.getByText('2 findings', { exact: true }).waitFor()
  await page.goto(`/companies/${companyId}/assets/${assetId}`)
  await page.getByRole('link', { name: 'Critical 1' }).click()
  await page.getByText('1 finding', { exact: true }).waitFor()
  await page.getByText('Finding a').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
})
