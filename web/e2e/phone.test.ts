// Narrow lists: sentences and names can be read in full.

import { expect, test } from 'vitest'
import { run } from '../../test/testkit/client.ts'
import { sast, upsert } from '../../test/testkit/findings.ts'
import { newAsset, newWorld } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories, signIn } from './browser.ts'
import { newFurnished } from './furnished.ts'
import { picture } from './picture.ts'
import { newScans } from './runs.ts'

const openPage = browserStories()

/** The texts of cells that are wider than these, in the fonts that they will have. */
const CUT = `document.fonts.ready.then(() => [...document.querySelectorAll('td')]
  .filter((cell) => cell.offsetParent !== null && cell.scrollWidth > cell.clientWidth)
  .map((cell) => cell.textContent))`

test('the reason for a failed scan is not cut', async () => {
  const { companyId, owner } = await newWorld()
  const asset = await newAsset(owner.key, companyId, { name: 'shop' })
  const sentence = 'The address answered 503 five times: it is being maintained, and will be back on Monday'
  await newScans(owner.key, [asset.id], sentence)
  const { page } = await openPage({ viewport: { width: 390, height: 780 } })
  await signIn(page, owner.key, `/companies/${companyId}/scans`)

  await page.getByText(sentence).waitFor()
  await picture(page, 'scans-phone')

  expect(await page.evaluate<string[]>(CUT)).toEqual([])
})

test('names can be read in full: over several lines on a phone, by hovering elsewhere', async () => {
  const { companyId, owner } = await newWorld()
  const name =
    'reports-service-with-a-long-name-that-somebody-gave-it-in-2019 for_all_of_the_statements_of_accounts.json'
  await newAsset(owner.key, companyId, { name })
  await run(owner.key, 'mutation ($input: CreateTicketInput!) { createTicket(input: $input) { ticket { id } } }', {
    input: { companyId, title: name, description: name, type: 'BUG' },
  })
  const { page } = await openPage({ viewport: { width: 390, height: 780 } })
  const cut: Record<string, string[]> = {}
  await signIn(page, owner.key, `/companies/${companyId}/settings/users`)
  for (const path of ['settings/users', 'settings/keys', 'tickets', 'assets']) {
    await page.goto(`/companies/${companyId}/${path}`)
    await page.getByRole('gridcell').first().waitFor()
    cut[path] = await page.evaluate<string[]>(CUT)
  }
  await page.setViewportSize({ width: 780, height: 780 })
  const cell = page.getByRole('gridcell', { name })
  await cell.hover()

  expect(cut).toEqual({ 'settings/users': [], 'settings/keys': [], tickets: [], assets: [] })
  await expect.poll(() => cell.getAttribute('title')).toBe(name)
})

test('open counts of an asset, and the reasons why rows of a report were left out, are not cut', async () => {
  const { companyId, key, assetId, importId } = await newFurnished('Product search')
  for (const severity of ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'NOTIFICATION']) {
    for (let number = 0; number < 11; number++) {
      const title = `${severity} ${number}`
      await upsert(key, sast(Number(assetId), { title, severity, ruleId: title, fileName: `src/${number}.ts` }))
    }
  }
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/assets`)
  const cut: Record<string, string[]> = {}
  for (const [path, width] of [
    ['assets', 1000],
    ['assets', 768],
    ['assets', 390],
    [`assets/${assetId}?tab=imports`, 390],
    [`imports/${importId}`, 390],
  ] as const) {
    await page.setViewportSize({ width, height: 780 })
    await page.goto(`/companies/${companyId}/${path}`)
    await page.getByRole('gridcell').first().waitFor()
    await picture(page, `cut-${path.replaceAll(/\W/g, '-')}-${width}`)
    const found = await page.evaluate<string[]>(CUT)
    if (found.length > 0) cut[`${path} at ${width}`] = found
  }

  expect(cut).toEqual({})
})

test('titles of imported findings, states in the matrix, nodes of a graph and the actions of an asset are whole', async () => {
  const at = await newFurnished('Text from the search box of the shop becomes part of an SQL query')
  const wide = '検索欄に入力された文字列が、そのままSQLクエリの一部になる。상점의 검색어'
  await upsert(
    at.key,
    sast(Number(at.assetId), { title: wide, ruleId: 'wide', category: 'CWE-89', fileName: 'src/wide.ts' }),
  )
  const { page } = await openPage({ viewport: { width: 390, height: 780 } })
  const company = `/companies/${at.companyId}`
  await signIn(page, at.key, `${company}/settings/limits`)
  const whole = (role: 'button' | 'cell', name: string | RegExp) => page.getByRole(role, { name }).first().boundingBox()
  const [cut, right]: [Record<string, string[]>, Record<string, number>] = [{}, {}]
  const endOf = (box: { x: number; width: number } | null) => (box ? box.x + box.width : Number.POSITIVE_INFINITY)

  await page.goto(`${company}/overview`)
  await page.getByText('Riskiest assets').waitFor()
  cut.overview = await page.evaluate<string[]>(
    `[...document.querySelectorAll('li > .cut')].filter((line) => line.scrollWidth > line.clientWidth).map((line) => line.textContent)`,
  )
  await page.goto(`${company}/imports/${at.importId}`)
  await page.getByRole('gridcell').first().waitFor()
  cut.import = await page.evaluate<string[]>(CUT)
  await page.goto(`${company}/requirements?as=matrix`)
  await page.getByText('CAPEC-66').waitFor()
  right.state = endOf(await whole('cell', 'Violated'))
  await page.goto(`${company}/requirements/${at.requirementId}?view=graph`)
  await page.getByRole('region', { name: 'Requirement graph' }).getByRole('link').last().waitFor()
  await picture(page, 'graph-phone')
  cut.graph = await page.evaluate<string[]>(
    `[...document.querySelectorAll('foreignObject > div')].filter((node) => node.scrollHeight > node.clientHeight || node.scrollWidth > node.clientWidth).map((node) => node.textContent)`,
  )
  await page.goto(`${company}/findings/${at.issueId}`)
  const remaining = page.getByRole('complementary').getByText('Unassigned')
  const [assigned, away] = [await remaining.boundingBox(), await whole('button', 'Delete…')]
  await page.goto(`${company}/assets/${at.assetId}?tab=gate`)
  const [edit, remove] = [await whole('button', /^Edit rule/), await whole('button', /^Remove rule/)]
  right.delete = endOf(await whole('button', 'Delete…'))
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(`${company}/imports/${at.importId}`)
  await page.getByRole('gridcell').first().waitFor()
  cut.wideImport = await page.evaluate<string[]>(CUT)

  expect(cut).toEqual({ overview: [], import: [], graph: [], wideImport: [] })
  expect(Math.max(...Object.values(right))).toBeLessThanOrEqual(390)
  expect(remove?.y).toBe(edit?.y)
  expect(away && assigned && away.y <= assigned.y && assigned.y + assigned.height <= away.y + away.height).toBe(true)
})

test('what a phone has no columns for stands below what a row is called', async () => {
  const { companyId, key } = await newFurnished('Product search')
  const { page } = await openPage({ viewport: { width: 390, height: 780 }, colorScheme: 'dark' })
  await signIn(page, key, `/companies/${companyId}/settings/users`)
  const below: Record<string, string | undefined> = {}
  for (const path of ['deploys', 'assets', 'attachments', 'tickets', 'projects', 'secrets', 'settings/audit']) {
    await page.goto(`/companies/${companyId}/${path}`)
    await page.getByRole('gridcell').first().waitFor()
    const row = await page.locator('tr[data-index]').first().innerText()
    below[path] = row.split('\n').find((line) => line.includes(' · ') || /^[A-Z]\w+ \d+$/.test(line))
    if ((await accessibilityFaults(page)).length > 0) below[path] = 'axe finds something'
  }

  expect(below).toEqual({
    deploys: expect.stringMatching(/^main · /),
    assets: expect.stringMatching(/^\d+ points · risk \d+$/),
    attachments: expect.stringMatching(/^4 B · everyone$/),
    tickets: expect.stringMatching(/^Product search · Bug$/),
    projects: expect.stringMatching(/^TM-\d+ · /),
    secrets: expect.stringMatching(/^Bearer token · Product search$/),
    'settings/audit': expect.stringMatching(/^[A-Z]\w+ \d+ · Administrator$/),
  })
})

test('where a finding covers its list, the focus stays in it, and goes back to the row when it is closed', async () => {
  const { companyId, key } = await newFurnished('Product search')
  const { page } = await openPage({ viewport: { width: 390, height: 780 } })
  await signIn(page, key, `/companies/${companyId}/findings`)
  const panel = page.getByRole('complementary', { name: 'Finding' })
  const isInPanel = () => page.evaluate<boolean>('document.activeElement.closest("aside") !== null')
  await page
    .getByRole('row', { name: /Product search/ })
    .first()
    .waitFor()

  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await panel.getByRole('heading', { name: 'Locations' }).waitFor()
  const where = [await isInPanel()]
  await page.keyboard.press('j')
  await panel.getByRole('heading', { name: 'Product search again' }).waitFor()
  const faults = await accessibilityFaults(page)
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate('document.activeElement.closest("tr")?.getAttribute("data-index")')).toBe('1')
  await page.keyboard.press('Enter')
  await panel.getByRole('heading', { name: 'Locations' }).waitFor()
  for (let step = 0; step < 40; step++) {
    await page.keyboard.press('Tab')
    const isOnPage = await page.evaluate<boolean>('document.activeElement !== document.body')
    if (isOnPage) where.push(await isInPanel())
  }

  expect(where.length).toBeGreaterThan(20)
  expect(new Set(where)).toEqual(new Set([true]))
  expect(faults).toEqual([])
})
