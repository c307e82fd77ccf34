// A printed list: every loaded row, not only the visible ones, and a sentence about those that are not loaded.

import { expect, test } from 'vitest'
import { sast, upsert } from '../../test/testkit/findings.ts'
import { newAsset, newWorld } from '../../test/testkit/world.ts'
import { browserStories, signIn } from './browser.ts'
import { newFurnished } from './furnished.ts'
import { picture } from './picture.ts'

const openPage = browserStories()

test('a list of findings is printed with all loaded rows, and says how many others there are', async () => {
  const { companyId, owner } = await newWorld()
  const asset = await newAsset(owner.key, companyId)
  for (let number = 1; number <= 130; number++) {
    const title = `Finding ${String(number).padStart(3, '0')}`
    await upsert(owner.key, sast(Number(asset.id), { title, ruleId: `rule-${number}`, fileName: `src/${number}.ts` }))
  }
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/findings?order=TITLE-ASC`)
  await page.getByRole('row', { name: /Finding 001/ }).waitFor()
  const rows = page.locator('tr[data-index]')
  expect(await rows.count()).toBeLessThan(60)

  await page.emulateMedia({ media: 'print' })
  await expect.poll(() => rows.count()).toBe(100)
  await page.getByText('The first 100 of 130: only loaded rows are printed.').waitFor()
  await picture(page, 'print')
  const cutOff = await page.evaluate<number>(
    'document.querySelector("table").parentElement.scrollHeight - document.querySelector("table").parentElement.clientHeight',
  )
  const pdf = await page.pdf({ format: 'A4' })
  await page.emulateMedia({ media: 'screen' })
  await expect.poll(() => rows.count()).toBeLessThan(60)

  expect(cutOff).toBeLessThan(2)
  expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(2)
})

test('printing by the browser’s own command, without emulation, includes everything as well', async () => {
  const { companyId, owner } = await newWorld()
  for (let number = 1; number <= 80; number++) await newAsset(owner.key, companyId)
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/assets`)
  await page.getByText('80 assets', { exact: true }).waitFor()

  await page.evaluate('window.dispatchEvent(new Event("beforeprint"))')
  const onPaper = await page.locator('tr[data-index]').count()
  const isMoreSaid = await page.getByText('those that were loaded').count()
  await page.evaluate('window.dispatchEvent(new Event("afterprint"))')

  expect({ onPaper, isMoreSaid }).toEqual({ onPaper: 80, isMoreSaid: 0 })
  await expect.poll(() => page.locator('tr[data-index]').count()).toBeLessThan(60)
})

test('a finding is printed with all its tabs once they are loaded, and without a word about loading', async () => {
  const at = await newFurnished('Product search')
  const { page } = await openPage()
  await signIn(page, at.key, `/companies/${at.companyId}/findings/${at.issueId}`)
  const panel = page.getByRole('complementary', { name: 'Finding' })
  await panel.getByRole('heading', { name: 'Locations' }).waitFor()
  await page.evaluate('window.print = () => { window.printed = document.querySelector("aside").textContent }')

  await page.keyboard.press('Control+p')
  await expect.poll(() => page.evaluate('window.printed')).toContain('Location history')
  const printed = await page.evaluate<string>('window.printed')
  await page.emulateMedia({ media: 'print' })
  const headings = panel.getByRole('heading', { level: 2 })
  await expect
    .poll(() => headings.allTextContents())
    .toEqual(['Product search', 'Overview', 'Identity', 'Priority', 'Requirements', 'Card'])
  await picture(page, 'print-finding')
  await page.emulateMedia({ media: 'screen' })
  await expect.poll(() => headings.count()).toBe(1)
  await page.evaluate('window.printed = undefined')
  await panel.getByRole('button', { name: 'Print finding' }).click()
  await expect.poll(() => page.evaluate('window.printed')).toContain('Location history')

  expect(printed).not.toContain('Loading')
})

test('in print there are no buttons, the lines of a diff wrap, a tab is named, and the matrix is in landscape', async () => {
  const at = await newFurnished('Product search')
  const { page } = await openPage()
  await signIn(page, at.key, `/companies/${at.companyId}/deploys/${at.deployId}`)
  await page.getByText('eval(name)').first().waitFor()
  await page.emulateMedia({ media: 'print' })
  // as wide as A4
  await page.setViewportSize({ width: 720, height: 1000 })

  await expect.poll(() => page.getByRole('button', { name: /Delete|Discard|Archive/ }).count()).toBe(0)
  const isCut = () =>
    page.evaluate<boolean>(
      `[...document.querySelectorAll('main *')].some(({ scrollWidth, clientWidth, tagName }) => tagName === 'TABLE' && scrollWidth > clientWidth + 1)`,
    )
  await expect.poll(isCut).toBe(false)
  await page.goto(`/companies/${at.companyId}/assets/${at.assetId}?tab=imports`)
  await page.getByText('report.sarif').waitFor()
  await expect.poll(() => page.getByRole('tab').count()).toBe(0)
  await page.getByRole('tabpanel').getByText('Imports', { exact: true }).first().waitFor()
  // otherwise the emulation would also apply to the printed pages
  await page.emulateMedia({ media: null })
  await page.goto(`/companies/${at.companyId}/requirements?as=matrix`)
  await page.getByText('CAPEC-66').first().waitFor()
  const pdf = (await page.pdf({ format: 'A4', preferCSSPageSize: true })).toString('latin1')
  const [, width, height] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf) ?? []

  expect(Number(width)).toBeGreaterThan(Number(height))
})

test('a requirement is printed with its checks and its graph, whichever of them is open', async () => {
  const at = await newFurnished('Product search')
  const { page } = await openPage()
  await signIn(page, at.key, `/companies/${at.companyId}/requirements/${at.requirementId}`)
  const panel = page.getByRole('complementary', { name: 'Requirement' })
  await panel.getByRole('button', { name: 'Waive…' }).first().waitFor()

  await page.emulateMedia({ media: 'print' })
  const headings = panel.getByRole('heading', { level: 2 })
  await expect.poll(() => headings.allTextContents()).toEqual(['Product search', 'Checks', 'Graph'])
  await panel.getByRole('region', { name: 'Requirement graph' }).waitFor()
  await page.emulateMedia({ media: 'screen' })

  await expect.poll(() => headings.count()).toBe(1)
})
