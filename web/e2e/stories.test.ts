// Tasks of people at work: files are dropped, the palette leads anywhere, what is not permitted says why, and the chart is read.

import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { awayFromMidnight } from '../../test/testkit/midnight.ts'
import { imported } from '../../test/testkit/reports.ts'
import { newAsset, newPerson, newWorld } from '../../test/testkit/world.ts'
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

test('a report whose format is not recognised can be imported as the format that a person names', async () => {
  const { companyId, owner } = await newWorld()
  const asset = await newAsset(owner.key, companyId)
  const { page } = await openPage({ viewport: { width: 390, height: 780 } })
  await signIn(page, owner.key, `/companies/${companyId}/assets/${asset.id}`)
  const drop = page.getByRole('region', { name: 'Import a report' })
  const format = drop.getByLabel('Format')
  const importIt = drop.getByRole('button', { name: 'Import as this format' })

  await choose(page, drop.getByText('choose a file'), fileOf('empty.json', '[]'))
  await drop.getByRole('alert').getByText('was not recognised; name it: ').waitFor()
  const faults = await accessibilityFaults(page)
  await format.fill('sarf')
  await importIt.click()
  await drop.getByRole('alert').getByText('There is no report format "sarf"').waitFor()
  await format.fill('npm-audit')
  await page.keyboard.press('Enter')

  await drop.getByText('no findings', { exact: true }).waitFor()
  expect(faults).toEqual([])
})

test('what an asset shows of its findings is up to date as soon as a report is imported', async () => {
  const { companyId, owner } = await newWorld()
  const asset = await newAsset(owner.key, companyId)
  await imported({ key: owner.key, companyId, assetId: asset.id }, sarif(2))
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/assets/${asset.id}`)
  await page.getByRole('figure').getByRole('link', { name: 'High 2' }).waitFor()

  await dropOn(page, page.getByRole('main'), fileOf('later.sarif', sarif(5)))

  await page.getByRole('figure').getByRole('link', { name: 'High 5' }).waitFor()
  const urgent = page.getByRole('heading', { name: 'Most urgent' }).locator('..')
  await expect.poll(() => urgent.getByRole('listitem').count()).toBe(5)
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

test('open findings are one bar on the first day, and from the second on a chart of the days so far', async () => {
  await awayFromMidnight()
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
