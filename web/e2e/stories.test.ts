// Whole tasks of people at work: a report is dropped, a requirement violated, a seal created, a request refused, a server lost.

import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { run } from '../../test/testkit/client.ts'
import { imported } from '../../test/testkit/reports.ts'
import { newAsset, newDeploy, newPerson, newWorld } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories, signIn } from './browser.ts'
import { foundDaysAgo } from './earlier.ts'
import { choose, dropOn, fileOf } from './files.ts'
import { newFurnished } from './furnished.ts'

const openPage = browserStories()

const result = (number: number) => ({
  ruleId: `rule-${number}`,
  level: 'error',
  message: { text: `Finding number ${number}` },
  locations: [
    {
      physicalLocation: {
        artifactLocation: { uri: `src/file-${number}.ts` },
        region: { startLine: 2, snippet: { text: `danger(${number})` } },
      },
    },
  ],
})

const sarif = (count: number): string =>
  JSON.stringify({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'semgrep', rules: [] } },
        results: Array.from({ length: count }, (_, number) => result(number)),
      },
    ],
  })

test('a report is dropped on an asset, ten of its findings are decided on by keyboard, and the gate is checked', async () => {
  const { companyId, owner } = await newWorld()
  const asset = await newAsset(owner.key, companyId, { name: 'storefront' })
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/assets/${asset.id}`)

  const drop = page.getByRole('region', { name: 'Import a report' })
  // The drop zone accepts files anywhere on the page.
  await dropOn(page, page.getByRole('heading', { name: 'storefront' }), fileOf('semgrep.sarif', sarif(12)))
  await drop.getByText('12 new').waitFor()
  await page.getByRole('tab', { name: 'Imports' }).click()
  await page.getByRole('row', { name: /semgrep\.sarif/ }).click()
  await page.getByText('Matched by').waitFor()
  await expect.poll(() => page.getByRole('row').count()).toBeGreaterThan(10)

  await page.goto(`/companies/${companyId}/findings`)
  await page.getByText('12 findings', { exact: true }).waitFor()
  for (let number = 0; number < 10; number++) for (const key of ['j', 'x']) await page.keyboard.press(key)
  await page.keyboard.press('d')
  const dialog = page.getByRole('dialog', { name: 'Decide on 10 findings' })
  await dialog.getByRole('radio', { name: 'False positive' }).check()
  await dialog.getByLabel('Reason').fill('Generated code')
  await page.keyboard.press('Control+Enter')
  await page.getByText('2 findings', { exact: true }).waitFor()

  const deploy = await newDeploy(owner.key, asset.id, '', { branchName: 'main' })
  await page.goto(`/companies/${companyId}/deploys/${deploy.id}`)
  await page.getByRole('region', { name: 'Gate verdict' }).getByText('Passed').waitFor()
})

test('a file that is not a report is refused in the server’s words, and another one can be dropped', async () => {
  const { companyId, owner } = await newWorld()
  const asset = await newAsset(owner.key, companyId)
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/assets/${asset.id}`)
  const drop = page.getByRole('region', { name: 'Import a report' })

  await choose(page, drop.getByText('choose a file'), fileOf('notes.txt', 'nothing of a report'))
  await drop.getByRole('button', { name: 'Import another report' }).click()

  await drop.getByText('choose a file').waitFor()
})

test('a report without findings says so, and so does a finding without a file', async () => {
  const { companyId, owner } = await newWorld()
  const asset = await newAsset(owner.key, companyId, { repoUrl: 'https://git.example.test/shop' })
  const home = { key: owner.key, companyId, assetId: asset.id }
  await imported(home, sarif(1).replace(/"locations":\[[^\]]*\]/, '"locations":[]'))
  const { id } = await imported(home, sarif(0))
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/imports/${id}`)

  await page.getByText('The report has no findings').waitFor()
  await page.getByRole('link', { name: asset.name }).click()
  await page.getByRole('tab', { name: 'About' }).click()
  const repository = page.getByRole('link', { name: 'https://git.example.test/shop' })
  expect(await repository.getAttribute('rel')).toBe('noreferrer')
  await page.getByRole('link', { name: '1 open finding' }).click()
  await page.getByRole('row').nth(1).click()
  await page.getByRole('complementary').getByText('no file', { exact: true }).waitFor()
})

test('evidence is dropped among the attachments, and downloads unchanged', async () => {
  const { companyId, owner } = await newWorld()
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/attachments`)
  const area = page.getByRole('region', { name: 'Add files' })

  await dropOn(page, area, fileOf('evidence.txt', 'what was seen'), fileOf('notes.txt', 'what was thought'))
  await page.getByText('2 files', { exact: true }).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'evidence.txt' }).click(),
  ])

  expect(await readFile(await download.path(), 'utf8')).toBe('what was seen')
})

test('a list that is reloaded while an older query is in flight shows what arrived meanwhile', async () => {
  const { companyId, owner } = await newWorld()
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/attachments`)
  await page.getByText('No files yet').waitFor()
  await page.route('**/graphql', async (route) => {
    if (!route.request().postData()?.includes('query Attachments')) return route.fallback()
    const response = await route.fetch()
    await delay(1_500)
    return route.fulfill({ response })
  })

  await dropOn(page, page.getByRole('region', { name: 'Add files' }), fileOf('one.txt', '1'), fileOf('two.txt', '2'))

  await page.getByText('2 files', { exact: true }).waitFor()
  await expect.poll(() => page.getByRole('link', { name: /^(one|two)\.txt$/ }).count()).toBe(2)
})

test('a requirement is created, violated by a finding, and waived with a reason and an end date', async () => {
  const { companyId, owner } = await newWorld()
  const asset = await newAsset(owner.key, companyId)
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/requirements`)

  await page.getByRole('button', { name: 'New requirement' }).click()
  const made = page.getByRole('dialog', { name: 'New requirement' })
  await made.getByLabel('Title').fill('Queries take parameters')
  await made.getByLabel('Attack patterns').fill('CAPEC-66')
  await made.getByRole('button', { name: 'Create requirement' }).click()
  await page.getByRole('row', { name: /Queries take parameters/ }).waitFor()
  await run(
    owner.key,
    'mutation ($input: CreateOrUpdateSastFindingInput!) { createOrUpdateSastFinding(input: $input) { issue { id } } }',
    {
      input: {
        assetId: Number(asset.id),
        title: 'SQL built from input',
        description: 'Concatenated',
        codeSnippet: 'q + name',
        vulnerableLine: 3,
        firstLine: 3,
        fileName: 'a.ts',
        category: 'CWE-89',
      },
    },
  )
  await page.getByRole('row', { name: /Queries take parameters/ }).click()
  const panel = page.getByRole('complementary', { name: 'Requirement' })
  await panel.getByText('Violated').waitFor()
  await panel.getByRole('link', { name: 'SQL built from input' }).waitFor()
  await panel.getByRole('tab', { name: 'Graph' }).click()
  await panel.getByRole('link', { name: 'CWE-89' }).waitFor()
  await panel.getByRole('tab', { name: 'Checks' }).click()

  await panel.getByRole('button', { name: 'Waive…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Waive check' })
  await dialog.getByLabel('Reason').fill('The service is shut down in May')
  await dialog.getByLabel('Until').fill('2099-05-31')
  await dialog.getByRole('button', { name: 'Waive' }).click()

  await panel.getByText('Waived', { exact: true }).waitFor()
  await expect.poll(() => panel.textContent()).toContain('The service is shut down in May')
})

test('a seal is created, its image loads, and its statement can be verified', async () => {
  const { companyId, owner } = await newWorld()
  await newAsset(owner.key, companyId, { name: 'storefront' })
  const { page, url } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/seals`)

  await page.getByRole('button', { name: 'New seal' }).click()
  const dialog = page.getByRole('dialog', { name: 'New seal' })
  await dialog.getByLabel('Asset').getByText('storefront').waitFor()
  await dialog.getByRole('button', { name: 'Create seal' }).click()
  const seal = page.getByRole('article', { name: 'Seal of storefront' })
  const picture = seal.getByRole('img').first()
  await picture.waitFor()
  const svg = await fetch(new URL((await picture.getAttribute('src')) ?? '', url))
  const check = await fetch(
    new URL((await seal.getByRole('link', { name: /signature$/ }).getAttribute('href')) ?? '', url),
    {
      headers: { accept: 'application/json' },
    },
  )

  expect(svg.headers.get('content-type')).toContain('image/svg+xml')
  expect(await check.json()).toMatchObject({ signatureHolds: true })
})

test('Ctrl+K opens any page, finds a finding, and runs the actions of the page', async () => {
  const furnished = await newFurnished('Query of a stranger')
  const { page } = await openPage()
  await signIn(page, furnished.key, `/companies/${furnished.companyId}/tickets`)

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or run a command' }).fill('seals')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Seals', exact: true }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or run a command' }).fill('stranger again')
  await page.getByRole('option', { name: /Query of a stranger again/ }).waitFor()
  const faults = await accessibilityFaults(page)
  await page.getByRole('option', { name: /Query of a stranger again/ }).click()
  await page.getByRole('complementary', { name: 'Finding' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or run a command' }).fill(furnished.issueId)
  await page.getByRole('option', { name: `finding ${furnished.issueId} ` }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Query of a stranger', exact: true, level: 2 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or run a command' }).fill('go to assets')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Assets', exact: true }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or run a command' }).fill('new asset')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'New asset' }).waitFor()

  expect(faults).toEqual([])
})

test('a user without permission sees every button of every page, disabled and with the reason', async () => {
  const { companyId } = await newWorld()
  const reader = await newPerson(companyId, 'READER', ['read'])
  const { page } = await openPage()
  await signIn(page, reader.key, `/companies/${companyId}/assets`)

  for (const [path, name] of [
    ['assets', 'New asset'],
    ['tickets', 'New ticket'],
    ['secrets', 'New secret'],
    ['seals', 'New seal'],
    ['integrations', 'Connect GitLab'],
    ['requirements', 'New requirement'],
    ['settings/users', 'Add person'],
  ]) {
    await page.goto(`/companies/${companyId}/${path}`)
    const button = page.getByRole('button', { name: name ?? '' })
    await expect.poll(() => button.getAttribute('aria-description')).toMatch(/^This requires/)
  }
})

test('when the server goes away and comes back, the page says so, keeps its content, and continues', async () => {
  const furnished = await newFurnished()
  const { page, complaints } = await openPage()
  await signIn(page, furnished.key, `/companies/${furnished.companyId}/findings`)
  await page.getByText('2 findings', { exact: true }).waitFor()

  await page.route('**/graphql', (route) => route.abort())
  await page.getByRole('columnheader', { name: 'Title' }).getByRole('button').click()
  await page.getByText('The server cannot be reached').waitFor()
  await page.unroute('**/graphql')
  await page.getByRole('button', { name: 'Try again' }).click()

  await page.getByText('The server cannot be reached').waitFor({ state: 'detached' })
  await page.getByRole('row', { name: /Plain words again/ }).waitFor()
  // The browser logs the aborted requests; nothing else may have gone wrong.
  expect(complaints.every((complaint) => complaint.includes('ERR_FAILED'))).toBe(true)
  complaints.length = 0
})

test('open findings are one bar on the first day, and from the second on a chart of the days so far', async () => {
  const { companyId, key, issueId } = await newFurnished()
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/overview`)
  const figure = page.getByRole('figure')

  await page.getByRole('heading', { name: 'Open findings, today' }).waitFor()
  await figure.getByText('2 findings, the first of them today.').waitFor()
  const faults = await accessibilityFaults(page)
  const links = await figure.getByRole('link').count()
  await foundDaysAgo(companyId, issueId, 4)
  await page.reload()

  await page.getByRole('heading', { name: 'Open findings, 5 days' }).waitFor()
  await page.getByText('As a table').click()
  // plus the day before, from which the curve rises
  await expect.poll(() => page.getByRole('rowheader').count()).toBe(6)
  expect({ links, faults: [...faults, ...(await accessibilityFaults(page))] }).toEqual({ links: 2, faults: [] })
})

test('the chart of open findings can be read day by day with the arrow keys, and as a table', async () => {
  const { companyId, key, issueId } = await newFurnished()
  await foundDaysAgo(companyId, issueId, 100)
  const { page } = await openPage({ viewport: { width: 390, height: 780 } })
  await signIn(page, key, `/companies/${companyId}/overview`)
  const chart = page.getByRole('img', { name: /Open findings/ })
  const caption = page.getByRole('figure').locator('figcaption')

  // otherwise the chart would show the day under the pointer
  await page.mouse.move(0, 0)
  await caption.getByText('High 1').waitFor()
  const back = async () => {
    await chart.press('ArrowLeft')
    return caption.textContent()
  }
  await expect.poll(back).toContain('High 0')
  await page.getByText('As a table').click()
  await page.getByRole('rowheader').first().waitFor()

  await expect.poll(() => page.getByRole('rowheader').count()).toBeGreaterThan(80)
  await expect.poll(() => chart.locator('path').count()).toBe(5)
  expect(await accessibilityFaults(page)).toEqual([])
})
