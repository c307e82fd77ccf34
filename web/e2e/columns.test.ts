// The view of the list of findings: its columns, time spans, and known exploitation; also deploys filtered by their gate.

import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { administratorKey, run, upload } from '../../test/testkit/client.ts'
import { startWorkingService, until } from '../../test/testkit/events.ts'
import { newHome, sast, upsert } from '../../test/testkit/findings.ts'
import { newDeployed } from '../../test/testkit/gates.ts'
import { inside } from '../../test/testkit/inside.ts'
import { awayFromMidnight } from '../../test/testkit/midnight.ts'
import { services } from '../../test/testkit/service.ts'
import { newDeploy, newProject } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories, signIn } from './browser.ts'

const openPage = browserStories()

beforeEach(awayFromMidnight)

const heads = '[...document.querySelectorAll("[role=grid] thead th")].map((head) => head.textContent).filter(Boolean)'

test('columns are chosen by keyboard, kept in the address and in saved views, and reset to the defaults', async () => {
  const { key, companyId, assetId } = await newHome()
  await upsert(key, sast(assetId, { title: 'SQL built from input', category: 'CWE-89', toolName: 'Semgrep' }))
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/findings`)
  await page.getByText('1 finding', { exact: true }).waitFor()
  const usual = await page.evaluate<string[]>(heads)

  await page.getByRole('button', { name: 'Columns' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitemcheckbox', { name: 'Weakness' }).focus()
  await page.keyboard.press('Space')
  await page.getByRole('menuitemcheckbox', { name: 'Location' }).focus()
  await page.keyboard.press('Space')
  await page.getByRole('columnheader', { name: 'Weakness' }).waitFor()
  await page.keyboard.press('Escape')
  expect(await accessibilityFaults(page)).toEqual([])

  await page.getByRole('gridcell', { name: 'CWE-89' }).waitFor()
  const chosen = usual.filter((head) => head !== 'Location').toSpliced(4, 0, 'Weakness')
  await expect.poll(() => page.evaluate<string[]>(heads)).toEqual(chosen)
  expect(new URL(page.url()).searchParams.get('columns')).toBe('asset,type,weakness,status,due,found')
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Save view…' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('By weakness')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.goto(`/companies/${companyId}/findings`)
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitemradio', { name: 'By weakness' }).click()
  await page.getByRole('columnheader', { name: 'Weakness' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or run a command' }).fill('columns')
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Reset to default' }).click()
  await page.getByRole('columnheader', { name: 'Location' }).waitFor()
  await expect.poll(() => page.evaluate<string[]>(heads)).toEqual(usual)
})

test('choices made faster than the page renders are all kept', async () => {
  const { key, companyId, assetId } = await newHome()
  await upsert(key, sast(assetId, { title: 'SQL built from input', category: 'CWE-89' }))
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/findings`)
  await page.getByText('1 finding', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Weakness' }).waitFor()
  const browser = await page.context().newCDPSession(page)
  await browser.send('Emulation.setCPUThrottlingRate', { rate: 20 })

  await page.evaluate(`(async () => {
    const choices = [...document.querySelectorAll('[role=menuitemcheckbox]')]
    for (const name of ['Weakness', 'Location', 'Tool']) {
      choices.find((choice) => choice.textContent === name).click()
      await new Promise((resolve) => setTimeout(resolve))
    }
  })()`)

  await expect
    .poll(() => new URL(page.url()).searchParams.get('columns'))
    .toBe('asset,type,tool,weakness,status,due,found')
})

test('all columns can be shown at once, and the table scrolls rather than squeezing them', async () => {
  const { key, companyId, assetId } = await newHome()
  const project = await newProject(key, companyId)
  const more = { projectId: Number(project.id), cvssScore: 9.8, category: 'CWE-89', toolName: 'Semgrep' }
  await upsert(key, sast(assetId, { title: 'SQL built from input', branchName: 'main', ...more }))
  const { page } = await openPage()
  const all = 'asset,place,branch,type,tool,weakness,project,assigned,priority,cvss,epss,status,due,found,changed'
  await signIn(page, key, `/companies/${companyId}/findings?columns=${all}`)

  const row = page.getByRole('row', { name: /SQL built from input/ })
  for (const told of ['main', 'Semgrep', 'CWE-89', project.label, '9.8']) {
    await row.getByRole('gridcell', { name: told }).waitFor()
  }

  const title = await page.getByRole('columnheader', { name: 'Title' }).boundingBox()
  expect(title?.width).toBeGreaterThan(180)
  expect(await accessibilityFaults(page)).toEqual([])
})

const DEEP = 'src/main/java/org/owasp/benchmark/testcode/BenchmarkTest02651.java'

test('a location has room for the name of its file where a laptop shows the usual columns, and more where there are fewer', async () => {
  const { key, companyId, assetId } = await newHome()
  await upsert(key, sast(assetId, { title: 'SQL built from input', fileName: DEEP, vulnerableLine: 62, firstLine: 62 }))
  const { page } = await openPage({ viewport: { width: 1280, height: 800 } })
  const room = async () => (await page.getByRole('columnheader', { name: 'Location' }).boundingBox())?.width ?? 0
  await signIn(page, key, `/companies/${companyId}/findings`)
  await page.getByText('1 finding', { exact: true }).waitFor()

  const usual = await room()
  await page.goto(`/companies/${companyId}/findings?columns=place,tool`)
  await page.getByRole('columnheader', { name: 'Tool' }).waitFor()
  const few = await room()

  const name = await page.evaluate<number>(widthOfName)
  expect(usual).toBeGreaterThan(name)
  expect(few).toBeGreaterThan(usual + 100)
})

/** The width, in pixels, that a cell needs for a place with nothing but the name of its file. */
const widthOfName = `(() => {
  const [place] = [...document.querySelectorAll('td bdi')].filter(({ textContent }) => textContent.includes('BenchmarkTest02651'))
  const name = place.cloneNode()
  name.textContent = '…BenchmarkTest02651.java:62'
  place.after(name)
  const { width } = name.getBoundingClientRect()
  name.remove()
  return width + 16
})()`

test('a chosen column is shown or, where there is no room for it, the menu says so', async () => {
  const { key, companyId, assetId } = await newHome()
  await upsert(key, sast(assetId, { title: 'SQL built from input', toolName: 'Semgrep' }))
  const { page } = await openPage({ viewport: { width: 1280, height: 800 } })
  const withoutRoom = async () => {
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Type' }).waitFor()
    return page.getByRole('menuitemcheckbox', { name: 'no room at this width' }).allTextContents()
  }
  await signIn(page, key, `/companies/${companyId}/findings`)
  await page.getByText('1 finding', { exact: true }).waitFor()

  const usual = await withoutRoom()
  const faults = await accessibilityFaults(page)
  await page.getByRole('menuitemcheckbox', { name: 'Tool' }).click()
  await page.getByRole('columnheader', { name: 'Type' }).waitFor()
  await page.getByRole('menuitemcheckbox', { name: 'no room at this width' }).waitFor({ state: 'detached' })
  await page.setViewportSize({ width: 768, height: 800 })
  await page.getByRole('columnheader', { name: 'Type' }).waitFor({ state: 'hidden' })
  await page.keyboard.press('Escape')
  const narrow = await withoutRoom()

  expect(usual).toEqual(['Typeno room at this width'])
  expect(faults).toEqual([])
  expect(narrow.map((said) => said.replace('no room at this width', ''))).toEqual([
    'Asset',
    'Location',
    'Type',
    'Tool',
    'Due',
    'Found',
  ])
})

test('findings new today or within seven days are filtered by a time span, which the address keeps', async () => {
  const { key, companyId, assetId } = await newHome()
  const report = (title: string, index: number) =>
    upsert(key, sast(assetId, { title, fileName: `src/${index}.ts`, codeSnippet: `f${index}()` }))
  await report('Of today', 1)
  const { issue: recent } = await report('Of some days ago', 2)
  const { issue: old } = await report('Of last month', 3)
  const [service] = await services()
  if (!service) throw new Error('No service was started')
  for (const [id, days] of [[recent.id, 3] as const, [old.id, 20] as const]) {
    await sql`update issue set created_at = now() - make_interval(days => ${days}::int)
      where company_id = ${companyId} and id = ${id}`.execute(service.app.db)
  }
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/findings`)
  await page.getByText('3 findings', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Found', exact: true }).first().click()
  await page.getByRole('menuitemradio', { name: 'last 7 days' }).click()
  await page.getByText('2 findings', { exact: true }).waitFor()
  expect(new URL(page.url()).searchParams.get('since')).toBe('7d')
  await page.getByRole('button', { name: 'Found: last 7 days' }).click()
  await page.getByRole('menuitemradio', { name: 'today' }).click()
  await page.getByText('1 finding', { exact: true }).waitFor()
  await page.getByText('Of today').waitFor()
  await page.getByRole('button', { name: 'Found: today' }).click()
  await page.getByRole('menuitem', { name: 'Clear' }).click()
  await page.getByText('3 findings', { exact: true }).waitFor()

  const moment = new Date(Date.now() - 5 * 86_400_000).toISOString()
  await page.goto(`/companies/${companyId}/findings?since=${encodeURIComponent(moment)}`)
  await page.getByText('2 findings', { exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Found: since 5 days ago' }).getAttribute('title')).toMatch(/^Since \d/)
})

test('known exploitation is marked in the list, can be filtered by, and links to other findings with the vulnerability', async () => {
  const { key, companyId, assetId } = await newHome()
  const cve = `CVE-2099-${10_000 + Math.floor(Math.random() * 89_999)}`
  const catalogue = {
    catalogVersion: '2026.11.20',
    dateReleased: '2026-11-20T15:00:00.0000Z',
    vulnerabilities: [
      { cveID: cve, dateAdded: '2026-11-01', dueDate: '2026-11-22', knownRansomwareCampaignUse: 'Unknown' },
    ],
  }
  await upload(
    administratorKey(),
    'mutation ($kev: Upload) { importExploitationData(input: { kev: $kev }) { feeds { name } } }',
    {},
    { kev: { content: JSON.stringify(catalogue), filename: 'kev.json' } },
  )
  const known = (home: { key: string; assetId: number }, title: string, name: string) =>
    run(
      home.key,
      'mutation ($input: CreateOrUpdateScaFindingInput!) { createOrUpdateScaFinding(input: $input) { issue { id } } }',
      { input: { assetId: home.assetId, title, description: '', package: name, affectedVersion: '1.0.0', cve } },
    )
  await known({ key, assetId }, 'Old parser', 'parser')
  await known(await newHome(), 'Parser of others', 'parser')
  await upsert(key, sast(assetId, { title: 'SQL built from input' }))
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/findings`)
  await page.getByText('2 findings', { exact: true }).waitFor()

  expect(
    await page
      .getByRole('row', { name: /Old parser/ })
      .getByText('KEV')
      .getAttribute('title'),
  ).toMatch(/CISA/)
  expect(
    await page
      .getByRole('row', { name: /SQL built/ })
      .getByText('KEV')
      .count(),
  ).toBe(0)
  await page.getByRole('button', { name: 'Exploited' }).click()
  await page.getByRole('menuitemradio', { name: 'not known' }).click()
  await page.getByText('1 finding', { exact: true }).waitFor()
  await page.getByText('SQL built from input').waitFor()
  await page.getByRole('button', { name: 'Exploited: not known' }).click()
  await page.getByRole('menuitemradio', { name: 'known (KEV)' }).click()
  await page.getByText('Old parser').waitFor()
  expect(new URL(page.url()).searchParams.get('exploited')).toBe('yes')
  expect(await accessibilityFaults(page)).toEqual([])

  await known({ key, assetId }, 'Old reader', 'reader')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or run a command' }).fill(cve.toLowerCase())
  await page.getByRole('option', { name: /Old reader/ }).waitFor()
  const offered = await page.getByRole('option').allTextContents()
  const faults = await accessibilityFaults(page)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: new RegExp(cve, 'i') }).waitFor()
  await page.getByText('2 findings', { exact: true }).waitFor()

  expect(offered.map((text) => /All findings with|Old reader|Old parser/.exec(text)?.[0])).toEqual([
    'All findings with',
    'Old reader',
    'Old parser',
  ])
  expect(faults).toEqual([])
})

const JUDGED = `query ($companyId: ID!) {
  deploys(companyId: $companyId, decisions: [PASS, WARN, BLOCK]) { metadata { totalCount } } }`

test('the figure of blocked deploys links to them, and the list is filtered by gate decision', async () => {
  const { key, companyId, assetId, report, deployId } = await newDeployed()
  await report('CRITICAL')
  const passed = await newDeploy(key, String(assetId), '', { branchName: 'other', currentCommit: 'f'.repeat(40) })
  const { app } = await startWorkingService()
  await until(async () => (await run(key, JUDGED, { companyId })).deploys.metadata.totalCount === 2)
  await app.stop(0)
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/overview`)

  await page.getByRole('link', { name: /^Blocked deploys\s*1/ }).click()

  await page.getByRole('button', { name: 'Gate: Blocked' }).waitFor()
  const links = page.getByRole('grid', { name: 'Deploys' }).getByRole('link')
  await expect.poll(() => links.count()).toBe(1)
  expect(await links.first().getAttribute('href')).toBe(`/companies/${companyId}/deploys/${deployId}`)
  await page.getByRole('button', { name: 'Gate: Blocked' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Blocked' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Passed' }).click()
  await page.keyboard.press('Escape')
  await expect.poll(() => links.first().getAttribute('href')).toBe(`/companies/${companyId}/deploys/${passed.id}`)
  await page.goto(`/companies/${companyId}/deploys?gate=WARN`)
  await page.getByText('No deploys match the filters').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
})

test('a list longer than the window takes the whole width of a phone, whichever columns are hidden', async () => {
  const { key, companyId, assetId } = await newHome()
  const { db } = await inside()
  await sql`insert into asset (company_id, name) select ${companyId}, 'service-' || n from generate_series(1, 80) n`.execute(
    db,
  )
  await upsert(key, sast(assetId, { title: 'SQL built from input' }))
  const { page } = await openPage({ viewport: { width: 390, height: 780 } })
  await signIn(page, key, `/companies/${companyId}/assets`)
  await page.getByText('81 assets', { exact: true }).waitFor()

  const right = await page.evaluate<number>(
    `Math.max(...[...document.querySelectorAll('thead th')].map((head) => head.getBoundingClientRect().right))`,
  )

  expect(await page.locator('tr[aria-hidden]').count()).toBeGreaterThan(0)
  expect(right).toBeGreaterThan(370)
})
