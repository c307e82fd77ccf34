// Whole tasks on what the quick start really produces: its scanner's report, its two commits, and the findings that come of them.

import { beforeAll, expect, test } from 'vitest'
import { somePort } from '../../test/operations/server.ts'
import { serveBoards } from '../../test/testkit/boards-fake.ts'
import { type Service, services, startService } from '../../test/testkit/service.ts'
import { accessibilityFaults, browserStories, signIn } from './browser.ts'
import { dropOn } from './files.ts'
import { picture } from './picture.ts'
import { type Checkout, newCheckout, newDeployed } from './quick-start.ts'

const openPage = browserStories()

let checkout: Checkout
let report: Awaited<ReturnType<Checkout['scan']>>

beforeAll(async () => {
  checkout = await newCheckout()
  report = await checkout.scan('eslint.sarif')
})

/** A company whose pipeline has deployed the first commit and sent the report of it. */
async function newReported() {
  const deployed = await newDeployed(checkout)
  await deployed.report(report.path)
  return deployed
}

test('a requirement is violated by what the scanner found, and waived with a reason and an end date', async () => {
  const { companyId, key } = await newReported()
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/requirements`)

  await page.getByRole('button', { name: 'New requirement' }).click()
  const made = page.getByRole('dialog', { name: 'New requirement' })
  await made.getByLabel('Title').fill('Files stay below their directory')
  await made.getByLabel('Attack patterns').fill('CAPEC-126')
  await made.getByRole('button', { name: 'Create requirement' }).click()
  await page.getByRole('row', { name: /Files stay below their directory/ }).click()
  const panel = page.getByRole('complementary', { name: 'Requirement' })
  await panel.getByText('Violated').waitFor()
  await panel.getByRole('link', { name: 'detect non literal fs filename' }).first().waitFor()
  await panel.getByRole('tab', { name: 'Graph' }).click()
  await panel.getByRole('link', { name: 'CWE-22', exact: true }).waitFor()
  await panel.getByRole('tab', { name: 'Checks' }).click()

  await panel.getByRole('button', { name: 'Waive…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Waive check' })
  await dialog.getByLabel('Reason').fill('The service is shut down in May')
  await dialog.getByLabel('Until').fill('2099-05-31')
  await dialog.getByRole('button', { name: 'Waive' }).click()

  await panel.getByText('Waived', { exact: true }).waitFor()
  await expect.poll(() => panel.textContent()).toContain('The service is shut down in May')
})

test('a tracker is connected and mapped, and the preview says which of the findings get cards', async () => {
  await serveBoards()
  const { companyId, key } = await newReported()
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/integrations`)

  await page.getByRole('button', { name: 'Connect Azure DevOps' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect Azure DevOps' })
  await dialog.getByLabel('Organisation').fill('acme')
  await dialog.getByLabel('Personal access token').fill('pat')
  await dialog.getByRole('button', { name: 'Verify and connect' }).click()
  for (const field of ['Project', 'Team', 'Board']) {
    await dialog.getByLabel(field, { exact: true }).selectOption({ index: 1 })
  }
  await dialog.getByLabel('Add a state to Identified').selectOption('New')
  const preview = dialog.getByRole('region', { name: 'Preview' })
  await preview.getByText(`${report.results.length} open findings can get one manually`).waitFor()
  await dialog.getByLabel('Create cards').selectOption('LOW')
  await preview.getByText(`In the last 30 days there were ${report.results.length} such findings`).waitFor()
  await dialog.getByRole('button', { name: 'Check and map' }).click()

  await dialog.getByText('No changes: all cards').waitFor()
})

test('a seal is created, its picture opens, and its page says that the signature holds', async () => {
  const { companyId, key } = await newReported()
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/seals`)

  await page.getByRole('button', { name: 'New seal' }).click()
  const dialog = page.getByRole('dialog', { name: 'New seal' })
  await dialog.getByLabel('Asset').getByText('merlon').waitFor()
  await dialog.getByRole('button', { name: 'Create seal' }).click()
  const seal = page.getByRole('article', { name: 'Seal of merlon' })
  const badge = seal.getByRole('img').first()
  await badge.waitFor()
  const widthOf = () => page.evaluate<number>("document.querySelector('article img').naturalWidth")
  await expect.poll(widthOf).toBeGreaterThan(0)
  const [opened] = await Promise.all([
    page.waitForEvent('popup'),
    seal.getByRole('link', { name: /signature$/ }).click(),
  ])
  await opened.getByText('Valid', { exact: true }).waitFor()
  await opened.goto(new URL((await badge.getAttribute('src')) ?? '', page.url()).href)

  expect(await opened.evaluate<string>('document.documentElement.localName')).toBe('svg')
})

test('a session that ends during a decision is renewed over it, and a status that is not permitted says why', async () => {
  const { companyId, key } = await newReported()
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/findings`)
  await page.getByText(`${report.results.length} findings`, { exact: true }).waitFor()

  for (const press of ['j', 'd']) await page.keyboard.press(press)
  const dialog = page.getByRole('dialog', { name: 'Decide' })
  const refused = dialog.getByRole('radio', { name: 'Awaiting validation – not from Created' })
  await refused.waitFor()
  const isRefused = await refused.isDisabled()
  await dialog.getByRole('radio', { name: 'Risk accepted' }).check()
  await dialog.getByLabel('Reason').fill('The path is a constant')
  const [service] = await services()
  await service?.app.db.deleteFrom('session').execute()
  service?.app.parts.forgetViewers()
  await page.keyboard.press('Control+Enter')
  const again = page.getByRole('dialog', { name: 'Your session has ended' })
  await again.getByLabel('API key').fill(key)
  await page.keyboard.press('Enter')

  await page.getByText(`${report.results.length - 1} findings`, { exact: true }).waitFor()
  expect(isRefused).toBe(true)
})

test('when the server is stopped and started again, the page says so, keeps its content, and continues', async () => {
  const { companyId, key } = await newReported()
  const PORT = String(await somePort())
  let own: Service = await startService({ PORT })
  const { page, complaints } = await openPage({ baseURL: own.url })
  await signIn(page, key, `/companies/${companyId}/findings`)
  const counted = page.getByText(`${report.results.length} findings`, { exact: true })
  await counted.waitFor()

  await own.app.stop(0)
  await page.getByRole('columnheader', { name: 'Title' }).getByRole('button').click()
  await page.getByText('The server cannot be reached').waitFor()
  const isKept = await counted.isVisible()
  own = await startService({ PORT })
  await page.getByRole('button', { name: 'Try again' }).click()

  await page.getByText('The server cannot be reached').waitFor({ state: 'detached' })
  await page
    .getByRole('row', { name: /detect/ })
    .first()
    .waitFor()
  await page.close()
  await own.app.stop(0)
  expect(isKept).toBe(true)
  // The browser logs the requests that nobody answered; nothing else may have gone wrong.
  expect(complaints.filter((complaint) => !complaint.includes('ERR_CONNECTION_REFUSED'))).toEqual([])
  complaints.length = 0
})

test('a report is dropped, ten findings are decided by keyboard, and the gate of the next deploy blocks what it brings', async () => {
  const { companyId, key, assetId, deploy } = await newDeployed(checkout)
  const asset = `/companies/${companyId}/assets/${assetId}`
  const count = report.results.length
  const { page } = await openPage()
  await signIn(page, key, asset)
  const drop = page.getByRole('region', { name: 'Import a report' })

  await drop.getByLabel('Scanned deploy').selectOption({ index: 1 })
  await dropOn(page, page.getByRole('heading', { name: 'merlon' }), report.path)
  await drop.getByText(`${count} new`).waitFor()
  await page.getByRole('tab', { name: 'Imports' }).click()
  await page.getByRole('row', { name: /eslint\.sarif/ }).click()
  await page.getByText('Matched by').waitFor()
  await page.goBack()
  await page.getByRole('tab', { name: 'About' }).click()
  await page
    .getByRole('link', { name: `${count} open findings` })
    .first()
    .click()
  await page.getByText(`${count} findings`, { exact: true }).waitFor()
  for (let number = 0; number < 10; number++) for (const press of ['j', 'x']) await page.keyboard.press(press)
  await page.keyboard.press('d')
  const dialog = page.getByRole('dialog', { name: 'Decide on 10 findings' })
  await dialog.getByRole('radio', { name: 'Risk accepted' }).check()
  await dialog.getByLabel('Reason').fill('Paths come from the build')
  await page.keyboard.press('Control+Enter')
  await page.getByText(`${count - 10} findings`, { exact: true }).waitFor()

  await page.goto(`${asset}?tab=gate`)
  await page.getByRole('button', { name: 'Add rule' }).click()
  const rule = page.getByRole('dialog', { name: 'Add rule' })
  for (const severity of ['Medium', 'Low']) await rule.getByRole('checkbox', { name: severity }).check()
  await rule.getByRole('button', { name: 'Add rule' }).click()
  await rule.waitFor({ state: 'detached' })

  const second = await checkout.change()
  const after = await checkout.scan('eslint-again.sarif')
  await deploy()
  await page.goto(asset)
  await drop.getByLabel('Scanned deploy').selectOption({ index: 1 })
  await dropOn(page, page.getByRole('heading', { name: 'merlon' }), after.path)
  await drop.getByText('1 new').waitFor()

  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Deploys' }).click()
  await page
    .getByRole('row', { name: new RegExp(second.slice(0, 10)) })
    .getByRole('link')
    .first()
    .click()
  const gate = page.getByRole('region', { name: 'Gate verdict' })
  await gate.getByText('Blocked', { exact: true }).waitFor()
  await gate.getByText(/1 introduced finding of .* severity/).waitFor()
  const introduced = page.getByRole('region', { name: 'Introduced' })
  await introduced.getByRole('link', { name: 'detect non literal fs filename' }).waitFor()
  const line = page
    .getByRole('row')
    .filter({ has: page.getByText(/^introduced$/) })
    .locator('xpath=preceding-sibling::tr[1]')
  await line.scrollIntoViewIfNeeded()
  const touched = page.getByRole('region', { name: 'Touched' }).getByRole('listitem')
  await touched.first().waitFor()
  const told = {
    places: await introduced.getByText('added-by-quick-start.ts:4').count(),
    introduced: await introduced.getByRole('listitem').count(),
    touched: await touched.count(),
    line: await line.innerText(),
    faults: await accessibilityFaults(page),
  }
  await picture(page, 'quick-start-gate')
  await introduced.getByRole('link').click()
  await page.getByRole('region', { name: 'Code of src/added-by-quick-start.ts' }).getByText('readFileSync').waitFor()

  expect(told).toEqual({
    places: 1,
    introduced: 1,
    touched: 1,
    line: expect.stringContaining('export const load = (path: string) => readFileSync(path)'),
    faults: [],
  })
})
