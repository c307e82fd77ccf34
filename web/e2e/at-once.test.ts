// Actions that usually run by themselves, requested at once; and the review of new deploys, set for a company and for one asset.

import { expect, test } from 'vitest'
import { serveBoards } from '../../test/testkit/boards-fake.ts'
import { run } from '../../test/testkit/client.ts'
import { BOARDS, saved } from '../../test/testkit/integrations.ts'
import { newAsset, newWorld } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories, signIn } from './browser.ts'
import { picture } from './picture.ts'

const openPage = browserStories()

test('an asset that no outside tool follows gives the reason at the button why none can be asked', async () => {
  const { companyId, owner } = await newWorld()
  const asset = await newAsset(owner.key, companyId)
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/assets/${asset.id}`)

  const button = page.getByRole('button', { name: 'Sync now' })

  await expect
    .poll(() => button.getAttribute('aria-description'))
    .toMatch(/^It is not linked to a project of another tool/)
  expect(await button.isEnabled()).toBe(false)
})

test('a tracker can be asked at once what has changed', async () => {
  const { companyId, owner } = await newWorld()
  await serveBoards()
  await saved(owner.key, BOARDS, { companyId, personalToken: 'pat', organizationName: 'acme' })
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/integrations`)

  await page.getByRole('button', { name: 'Sync now with Azure DevOps' }).click()

  await page.getByText(/^Sync with Azure DevOps started/).waitFor()
  await picture(page, 'integrations-sync')
  expect(await accessibilityFaults(page)).toEqual([])
})

test('new deploys are reviewed as the company’s setting says, until an asset overrides it', async () => {
  const { companyId, owner } = await newWorld()
  const asset = await newAsset(owner.key, companyId)
  const { page } = await openPage()
  const reading = page.getByLabel('Deploy review')
  const settings = async () => {
    const { deployReviewSettings } = await run(
      owner.key,
      'query ($companyId: ID!) { deployReviewSettings(companyId: $companyId) { assetId isOn } }',
      { companyId },
    )
    return deployReviewSettings
  }
  await signIn(page, owner.key, `/companies/${companyId}/settings/policies`)

  await reading.selectOption('Off')
  await expect.poll(settings).toEqual([{ assetId: null, isOn: false }])
  const faults = await accessibilityFaults(page)
  await page.goto(`/companies/${companyId}/assets/${asset.id}?tab=gate`)
  await reading.getByText('Company default: off').waitFor({ state: 'attached' })
  await reading.selectOption('On')
  await expect.poll(settings).toContainEqual({ assetId: asset.id, isOn: true })
  await picture(page, 'asset-gate-reading')
  faults.push(...(await accessibilityFaults(page)))

  expect(faults).toEqual([])
})

test('a configured scanner is removed after a confirmation', async () => {
  const { companyId, owner } = await newWorld()
  const asset = await newAsset(owner.key, companyId)
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/assets/${asset.id}?tab=scanner`)
  const remove = page.getByRole('button', { name: 'Delete scanner configuration…' })

  await page.getByLabel('Target URL').fill('https://service.example.test/')
  await page.getByRole('button', { name: 'Save' }).click()
  await remove.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete scanner configuration' }).click()
  await remove.waitFor({ state: 'detached' })

  await expect.poll(() => page.getByLabel('Target URL').inputValue()).toBe('')
})
