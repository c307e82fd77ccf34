// Figures show their trend over a month, and link to exactly the scans and findings that they count.

import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { sast, upsert } from '../../test/testkit/findings.ts'
import { inside } from '../../test/testkit/inside.ts'
import { awayFromMidnight } from '../../test/testkit/midnight.ts'
import { newAsset, newDeploy, newWorld } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories, choose, signIn } from './browser.ts'
import { newFurnished } from './furnished.ts'
import { picture } from './picture.ts'
import { newScans } from './runs.ts'

const openPage = browserStories()

beforeEach(awayFromMidnight)

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

test('failed and running scans are listed as they are counted, and a new one is started from there', async () => {
  const { companyId, key, assetId } = await measured()
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/overview`)

  await page.getByRole('link', { name: /^Failed scans\s*1/ }).click()
  await page.getByText('1 scan', { exact: true }).waitFor()
  await page.getByText('The address did not answer').first().waitFor()
  await page.getByRole('button', { name: /Started: last 7 days/ }).click()
  await page.getByText('2 scans', { exact: true }).waitFor()
  await page.goBack()
  await page.goBack()
  const running = page.getByRole('heading', { name: /^Running scans/ }).getByRole('link')
  const many = await running.textContent()
  await running.click()
  await page.getByText(`${many} scans`, { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Start a scan…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Start a scan' })
  await choose(dialog.getByLabel('Asset'), 'storefront')
  const faults = await accessibilityFaults(page)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(`**/companies/${companyId}/assets/${assetId}?tab=scanner`)
  await page.getByText('Scan profile', { exact: true }).waitFor()
  expect(faults).toEqual([])
})

test('a blocked deploy needs attention until a newer one of its branch, or somebody’s decision, takes its place', async () => {
  const { companyId, key, assetId, deployId } = await newFurnished('Product search')
  // it came late, and so takes no place
  await newDeploy(key, assetId, '', { currentCommit: 'a'.repeat(40), branchName: 'main' })
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/overview`)
  const needs = page.getByRole('region', { name: 'Needs attention' })

  await needs.getByRole('link', { name: /bbbbbbbb$/ }).waitFor()
  const earlier = await needs.getByRole('link', { name: /aaaaaaaa$/ }).count()
  await needs.getByRole('link', { name: /bbbbbbbb$/ }).click()
  await page.waitForURL(`**/companies/${companyId}/deploys/${deployId}`)
  await page.getByRole('button', { name: 'Mark as reviewed' }).click()
  await page.getByText('Reviewed', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Overview' }).click()
  await needs.getByRole('link', { name: /failed$/ }).waitFor()

  expect(earlier).toBe(0)
  await expect.poll(() => needs.getByRole('link', { name: /bbbbbbbb$/ }).count()).toBe(0)
})

test('the new findings of a severity, and the open ones beside the overdue, link to exactly these', async () => {
  const { companyId, key } = await measured()
  const { page } = await openPage({ viewport: { width: 390, height: 780 } })
  await signIn(page, key, `/companies/${companyId}/overview`)
  const figures = page.getByRole('list', { name: 'Key figures' })

  await figures.getByRole('link', { name: 'Critical 2' }).click()
  await page.getByText('2 findings', { exact: true }).waitFor()
  await page.getByRole('button', { name: /^Found: since/ }).waitFor()
  await page.goBack()
  await figures.getByRole('link', { name: '3 open findings' }).click()
  await page.getByText('3 findings', { exact: true }).waitFor()
  await page.goBack()
  // everywhere else, a figure leads to its own list
  await figures.getByText('3 opened in 30 days').click({ force: true })
  await page.getByText('3 findings', { exact: true }).waitFor()

  await page.getByRole('button', { name: /^Found: since/ }).waitFor()
})

test('counts by severity link to the findings that they count, of all assets and of one', async () => {
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

test('the navigation counts new findings and running scans, and each count leads to exactly these', async () => {
  const { companyId, key } = await measured()
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/findings`)
  const rail = page.getByRole('navigation', { name: 'Sections' })

  await rail.getByRole('link', { name: '3 new since last week' }).click()
  await page.getByText('3 findings', { exact: true }).waitFor()
  await page.getByRole('button', { name: /^Found: since/ }).waitFor()
  const faults = await accessibilityFaults(page)
  await rail.getByRole('link', { name: '4 running or queued' }).click()
  await page.getByText('4 scans', { exact: true }).waitFor()
  const cancel = page.getByRole('button', { name: /^Cancel the scan/ })
  await cancel.first().click()
  await rail.getByRole('link', { name: '3 running or queued' }).waitFor()

  expect(faults).toEqual([])
})

test('counts by severity above the findings narrow the list when pressed, and widen it when pressed again', async () => {
  const { companyId, key, assetId } = await measured()
  const { page } = await openPage({ viewport: { width: 390, height: 780 } })
  await signIn(page, key, `/companies/${companyId}/findings`)
  const chips = page.getByRole('group', { name: 'By severity' })
  const told = () => chips.getByRole('button').allInnerTexts()
  const pressed = () => chips.getByRole('button', { pressed: true }).count()

  await chips.getByRole('button', { name: 'Critical 2' }).click()
  await page.getByText('2 findings', { exact: true }).waitFor()
  const one = { told: (await told()).length, pressed: await pressed() }
  await chips.getByRole('button', { name: 'Low 1' }).click()
  await page.getByText('3 findings', { exact: true }).waitFor()
  const faults = await accessibilityFaults(page)
  await chips.getByRole('button', { name: 'Critical 2' }).click()
  await page.getByText('1 finding', { exact: true }).waitFor()
  const address = new URL(page.url()).search
  await page.goto(`/companies/${companyId}/findings?asset=${assetId}`)
  await chips.getByRole('button', { name: 'Critical 1' }).waitFor()

  expect({ one, address, faults, pressed: await pressed() }).toEqual({
    one: { told: 2, pressed: 1 },
    address: '?severity=LOW',
    faults: [],
    pressed: 0,
  })
})

test('an asset shows its most urgent findings and its last deploys and scans, each with a link', async () => {
  const { companyId, key, assetId } = await measured()
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/assets/${assetId}`)
  const part = (name: string) =>
    page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) })

  await part('Most urgent').getByRole('link').first().waitFor()
  const urgent = await part('Most urgent').getByRole('link').allTextContents()
  const scans = part('Latest scans')
  await scans.getByText('3 findings', { exact: true }).waitFor()
  await part('Latest deploys').getByText('No deploys yet.').waitFor()
  const faults = await accessibilityFaults(page)
  await picture(page, 'asset-now')
  await scans.getByRole('link', { name: 'All scans' }).click()
  await page.getByText('6 scans', { exact: true }).waitFor()

  expect({ urgent, faults }).toEqual({ urgent: ['Finding a', 'Finding b'], faults: [] })
})

/** Findings, deploys and scans of several weeks; each figure differs from the others and from its own past. */
async function aged() {
  const { companyId, owner } = await newWorld()
  const { key } = owner
  const asset = await newAsset(key, companyId, { name: 'storefront' })
  const { db } = await inside()
  for (const [days, severity] of [
    [50, 'CRITICAL'],
    [40, 'HIGH'],
    [20, 'CRITICAL'],
    [3, 'LOW'],
    [3, 'LOW'],
  ] as const) {
    const place = { severity, ruleId: `rule-${days}`, fileName: `src/${Math.random()}.ts` }
    const { issue } = await upsert(key, sast(Number(asset.id), place))
    await sql`update issue_event set at = now() - make_interval(days => ${days}::int) where issue_id = ${issue.id}`.execute(
      db,
    )
    await sql`
      update issue set created_at = now() - make_interval(days => ${days}::int),
        sla_started_at = sla_started_at - make_interval(days => ${days}::int), revalue_at = now() where id = ${issue.id}`.execute(
      db,
    )
  }
  await sql`
    insert into scan (company_id, asset_id, integration, status, created_at)
    select ${companyId}, ${asset.id}, 'SCANNER_A', 'FAILED', now() - make_interval(days => days)
    from unnest('{1,9,9,35}'::int[]) as days`.execute(db)
  await sql`
    with made as (
      insert into deploy (company_id, asset_id, branch, previous_commit, current_commit, diff_state, lineage, is_carried, status, created_at)
      select ${companyId}, ${asset.id}, 'main', repeat('0', 40), lpad(to_hex(days), 40, '0'), 'PARSED', 'FOLLOWS', true, 'PENDING',
        now() - make_interval(days => days)
      from unnest('{4,5,45}'::int[]) as days returning company_id, id)
    insert into deploy_verdict (company_id, deploy_id, decision) select company_id, id, 'BLOCK' from made`.execute(db)
  return { companyId, key }
}

/** Each figure's words, the number of days in its line, and its tooltip. */
async function trendsShown(page: Page) {
  const figures = page.getByRole('list', { name: 'Key figures' }).locator('> li')
  await figures.locator('polyline').nth(3).waitFor({ state: 'attached' })
  const shown = []
  for (const figure of await figures.all()) {
    const text = (await figure.innerText()).replaceAll('\u00a0', ' ').split('\n').at(-1)
    const line = figure.locator('svg[aria-hidden] polyline')
    const isDrawn = (await line.count()) > 0
    const days = isDrawn ? (await line.getAttribute('points'))?.split(' ').length : 0
    const hint = await figure.getAttribute('title')
    shown.push({ text, days, hint: hint?.replace(/\d+ [A-Z][a-z]+/g, '…') })
  }
  return shown
}

test('each figure shows its trend over thirty days, and says the same in words', async () => {
  const { companyId, key } = await aged()
  const { page } = await openPage()

  await signIn(page, key, `/companies/${companyId}/overview`)

  expect(await trendsShown(page)).toEqual([
    { text: '3 opened in 30 days, 2 in the 30 before', days: 30, hint: 'By day since …: peak 2 on …' },
    { text: '2 more than 30 days ago', days: 30, hint: 'By day since …: peak 3 on …' },
    { text: '2 in 30 days, 1 in the 30 before', days: 30, hint: 'By day since …: peak 1 on …' },
    { text: 'in CISA’s KEV catalog', days: 0, hint: undefined },
    { text: '3 in 30 days, 1 in the 30 before', days: 30, hint: 'By day since …: peak 2 on …' },
  ])
  expect(await accessibilityFaults(page)).toEqual([])
})

test('without any events, the lines are flat and the words say so', async () => {
  const { companyId, owner } = await newWorld()
  await newAsset(owner.key, companyId)
  const { page } = await openPage()

  await signIn(page, owner.key, `/companies/${companyId}/overview`)

  const shown = await trendsShown(page)
  const drawn = shown.filter(({ days }) => days === 30)
  const points = await page.locator('svg[aria-hidden] polyline').first().getAttribute('points')
  expect(drawn.map(({ text }) => text)).toEqual([
    'None opened in 60 days',
    'None, same as 30 days ago',
    'None in 60 days',
    'None in 60 days',
  ])
  expect(drawn.map(({ hint }) => hint)).toEqual(drawn.map(() => 'By day since …: none'))
  expect(new Set(points?.split(' ').map((point) => point.split(',')[1])).size).toBe(1)
})
