// The components of an asset: a bill of materials dropped next to their list replaces them.

import { expect, test } from 'vitest'
import { newAsset, newWorld } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories, signIn } from './browser.ts'
import { dropOn, fileOf } from './files.ts'
import { picture } from './picture.ts'

const openPage = browserStories()

const billOf = (...names: string[]): string =>
  JSON.stringify({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    components: names.map((name) => ({ type: 'library', name, version: '1.0.0', purl: `pkg:npm/${name}@1.0.0` })),
  })

test('a dropped bill of materials replaces the components that were listed', async () => {
  const { companyId, owner } = await newWorld()
  const asset = await newAsset(owner.key, companyId, { name: 'storefront' })
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/assets/${asset.id}?tab=components`)
  const drop = page.getByRole('region', { name: 'Import a bill of materials' })
  const heading = page.getByRole('heading', { name: 'storefront' })

  await dropOn(page, heading, fileOf('first.json', billOf('left-pad', 'lodash')))
  await drop.getByText('2 components').waitFor()
  await page.getByRole('row', { name: /left-pad/ }).waitFor()
  await drop.getByRole('button', { name: 'Import another bill of materials' }).click()
  await dropOn(page, heading, fileOf('second.json', billOf('lodash', 'undici')))
  await page.getByRole('row', { name: /undici/ }).waitFor()
  await picture(page, 'asset-components')

  expect(await page.getByRole('row', { name: /left-pad/ }).count()).toBe(0)
  expect(await accessibilityFaults(page)).toEqual([])
})

test('a report that lists no components says so, and leaves the components as they are', async () => {
  const { companyId, owner } = await newWorld()
  const asset = await newAsset(owner.key, companyId)
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/assets/${asset.id}?tab=components`)
  const drop = page.getByRole('region', { name: 'Import a bill of materials' })
  const report = JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'semgrep' } }, results: [] }] })

  await dropOn(page, drop, fileOf('semgrep.sarif', report))

  await drop.getByText(/The file lists no component/).waitFor()
})

test('the outcome of an import stays while another tab of the asset is shown, where the drop zone says what it takes next', async () => {
  const { companyId, owner } = await newWorld()
  const asset = await newAsset(owner.key, companyId, { name: 'storefront' })
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/assets/${asset.id}`)
  const report = JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'semgrep' } }, results: [] }] })
  const drop = page.getByRole('region', { name: 'Import a report' })

  await dropOn(page, page.getByRole('heading', { name: 'storefront' }), fileOf('semgrep.sarif', report))
  await drop.getByRole('link', { name: 'semgrep.sarif' }).waitFor()
  await page.getByRole('tab', { name: 'Components' }).click()
  await page.getByRole('tab', { name: 'Components', selected: true }).waitFor()
  await picture(page, 'asset-report-beside-components')
  await drop.getByRole('button', { name: 'Import a bill of materials' }).click()

  await page.getByText('Drop a bill of materials here').waitFor()
})
