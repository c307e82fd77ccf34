// Choices among more options than a list can show: the server searches while the user types, by keyboard alone, and cuts none off.

import { expect, test } from 'vitest'
import { administratorKey, run, unique, upload } from '../../test/testkit/client.ts'
import { sast, upsert } from '../../test/testkit/findings.ts'
import { newAsset, newPerson, newWorld } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories, choose, signIn } from './browser.ts'
import { picture } from './picture.ts'

const openPage = browserStories()

/** Sixty assets, ten more than a choice shows at first. */
async function manyAssets() {
  const { companyId, owner } = await newWorld()
  const ids: string[] = []
  for (let number = 1; number <= 60; number++) {
    const { id } = await newAsset(owner.key, companyId, { name: `service-${String(number).padStart(2, '0')}` })
    ids.push(id)
  }
  return { companyId, key: owner.key, last: ids.at(-1) ?? '', first: ids[0] ?? '' }
}

test('a scan is started for any asset, found by typing part of its name', async () => {
  const { companyId, key, last } = await manyAssets()
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/scans`)
  await page.getByRole('button', { name: 'Start a scan…' }).click()
  const field = page.getByRole('dialog', { name: 'Start a scan' }).getByLabel('Asset')

  await field.and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  const search = page.getByRole('dialog', { name: 'Choose from assets' })
  await search.getByText('First 50 of 60. Type to find others.').waitFor()
  const shown = await search.getByRole('option').count()
  const faults = await accessibilityFaults(page)
  await picture(page, 'choice-light')
  await page.keyboard.type('E-60')
  await search.getByRole('option', { name: 'service-60' }).waitFor()
  await expect.poll(() => search.getByRole('option').count()).toBe(1)
  await page.keyboard.press('Enter')
  await field.getByText('service-60').waitFor()
  await field.and(page.locator(':focus')).waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()

  await page.waitForURL(`**/companies/${companyId}/assets/${last}?tab=scanner`)
  expect(shown).toBe(50)
  expect(faults).toEqual([])
})

test('a form that requires an asset is not submitted without one, and says so at the field', async () => {
  const { companyId, key } = await manyAssets()
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/seals`)
  await page.getByRole('button', { name: 'New seal' }).click()
  const dialog = page.getByRole('dialog', { name: 'New seal' })

  await dialog.getByRole('button', { name: 'Create seal' }).click()
  await dialog.getByLabel('Asset').and(page.locator(':focus')).waitFor()
  await choose(dialog.getByLabel('Asset'), 'service-58')
  await dialog.getByRole('button', { name: 'Create seal' }).click()

  await page.getByRole('article', { name: 'Seal of service-58' }).waitFor()
})

test('findings are filtered by an asset beyond the first fifty, whose name stays in the filter after a reload', async () => {
  const { companyId, key, first, last } = await manyAssets()
  await upsert(key, sast(Number(first), { title: 'Of the first' }))
  await upsert(key, sast(Number(last), { title: 'Of the last' }))
  const { page } = await openPage({ viewport: { width: 390, height: 780 } })
  await signIn(page, key, `/companies/${companyId}/findings`)
  await page.getByText('2 findings', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Asset', exact: true }).click()
  const search = page.getByRole('dialog', { name: 'Choose from assets' })
  await search.getByRole('combobox').fill('-60')
  await search.getByRole('option', { name: 'service-60' }).click()
  await page.getByText('1 finding', { exact: true }).waitFor()
  const faults = await accessibilityFaults(page)
  await picture(page, 'choice-phone')
  await page.keyboard.press('Escape')
  await search.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('button', { name: 'Asset: service-60' }).click()
  await search.getByRole('option', { name: 'service-60', selected: true }).waitFor()
  await search.getByRole('option', { name: 'All assets' }).click()

  await page.getByText('2 findings', { exact: true }).waitFor()
  expect(faults).toEqual([])
})

test('a search without results says so, and one that fails says why', async () => {
  const { companyId, key } = await manyAssets()
  const { page, complaints } = await openPage()
  await signIn(page, key, `/companies/${companyId}/deploys`)
  await page.getByRole('button', { name: 'Asset', exact: true }).click()
  const search = page.getByRole('dialog', { name: 'Choose from assets' })
  await search.getByRole('option').first().waitFor()

  await search.getByRole('combobox').fill('no such thing')
  await search.getByText('No matching assets.').waitFor()
  await page.context().setOffline(true)
  await search.getByRole('combobox').fill('service-1')

  await search.getByText('The server cannot be reached.').waitFor()
  await page.context().setOffline(false)
  // the rail may have asked at the same time
  expect(new Set(complaints)).toEqual(new Set(['Failed to load resource: net::ERR_INTERNET_DISCONNECTED']))
  complaints.length = 0
})

test('any company is reached by part of its name, and a list of companies that is cut off says so', async () => {
  const part = unique('Harbour').replace(' ', '-')
  for (let number = 1; number <= 52; number++) {
    await run(
      administratorKey(),
      'mutation ($label: String!) { createCompany(input: { label: $label }) { clientMutationId } }',
      {
        label: `${part} ${String(number).padStart(2, '0')}`,
      },
    )
  }
  const { companyId } = await newWorld()
  const { page } = await openPage()
  await signIn(page, administratorKey(), `/companies/${companyId}/settings/limits`)

  await page.getByRole('button', { name: /^Company: / }).click()
  const search = page.getByRole('dialog', { name: 'Choose from companies' })
  await search.getByRole('combobox').fill(part)
  await search.getByText('First 50 of 52. Type to find others.').waitFor()
  await search.getByRole('combobox').fill(`${part} 52`)
  await search.getByRole('option', { name: `${part} 52` }).waitFor()
  const faults = await accessibilityFaults(page)
  await page.keyboard.press('Enter')

  await page.getByRole('button', { name: `Company: ${part} 52` }).waitFor()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  expect(faults).toEqual([])
})

test('companies that share a label are told apart by their ids', async () => {
  const label = unique('Twin')
  const ids: string[] = []
  for (const called of [label, label, `${label} alone`]) {
    const { createCompany } = await run(
      administratorKey(),
      'mutation ($label: String!) { createCompany(input: { label: $label }) { company { id } } }',
      { label: called },
    )
    ids.push(createCompany.company.id)
  }
  const { page } = await openPage()
  await signIn(page, administratorKey(), `/companies/${ids[0]}/settings/limits`)

  await page.getByRole('button', { name: `Company: ${label}` }).click()
  const search = page.getByRole('dialog', { name: 'Choose from companies' })
  await search.getByRole('combobox').fill(label)
  await search.getByRole('option', { name: `${label} alone`, exact: true }).waitFor()
  await search.getByRole('option', { name: `${label} ${ids[1]}` }).click()

  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  expect(new URL(page.url()).pathname).toContain(`/companies/${ids[1]}`)
})

test('a file is shown to some people, found by name or address, and to everybody again', async () => {
  const { companyId, owner } = await newWorld()
  const reader = await newPerson(companyId, 'READER')
  await upload(
    owner.key,
    'mutation ($companyId: ID!, $archive: Upload!) { createAttachment(input: { companyId: $companyId, archive: $archive }) { clientMutationId } }',
    { companyId },
    { archive: { content: 'text', filename: 'evidence.txt' } },
  )
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/attachments`)
  const whoSees = page.getByRole('dialog', { name: 'Access to evidence.txt' })
  const search = page.getByRole('dialog', { name: 'Choose from people' })
  const open = () =>
    page
      .getByRole('row', { name: /evidence/ })
      .getByRole('button', { name: /^Access to/ })
      .click()

  await open()
  await whoSees.getByLabel('Visible to').click()
  await search.getByRole('combobox').fill(reader.email.slice(0, -3))
  await search.getByRole('option', { name: new RegExp(reader.email) }).click()
  await page.keyboard.press('Escape')
  const faults = await accessibilityFaults(page)
  await whoSees.getByRole('button', { name: 'Save' }).click()
  await whoSees.waitFor({ state: 'detached' })
  const listed = await run(
    owner.key,
    'query ($id: ID!) { attachments(scopeId: $id) { collection { allowedPortalUsers { email } } } }',
    { id: companyId },
  )
  await open()
  await whoSees.getByLabel('Visible to').getByText('A person').waitFor()
  await whoSees.getByLabel('Visible to').click()
  await search.getByRole('option', { name: 'Everyone in the company' }).click()
  await page.keyboard.press('Escape')
  await whoSees.getByRole('button', { name: 'Save' }).click()
  await whoSees.waitFor({ state: 'detached' })

  expect(listed.attachments.collection).toEqual([{ allowedPortalUsers: [{ email: reader.email }] }])
  expect(faults).toEqual([])
})

test('a scanner signs in with any secret, found by part of its name, and keeps that setting', async () => {
  const { companyId, owner } = await newWorld()
  const asset = await newAsset(owner.key, companyId)
  for (let number = 1; number <= 52; number++) {
    await run(owner.key, 'mutation ($input: CreateSecretInput!) { createSecret(input: $input) { clientMutationId } }', {
      input: { companyId, name: `token-${number}`, type: 'BEARER_TOKEN', values: { token: 'abcdef' } },
    })
  }
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/assets/${asset.id}?tab=scanner`)

  await page.getByLabel('Credentials').click()
  const search = page.getByRole('dialog', { name: 'Choose from secrets' })
  await search.getByRole('combobox').fill('TOKEN-1')
  await search.getByRole('option', { name: /^token-1\s*Bearer/ }).click()
  await page.keyboard.press('Escape')
  await page.getByLabel('Target URL').fill('https://service.example.test/')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Scanner configuration saved.').waitFor()
  await page.reload()

  await page.getByLabel('Credentials').getByText('token-1', { exact: true }).waitFor()
})

test('over a list, a press beside an open choice only closes it, also on the half of a head that it leaves', async () => {
  const { companyId, owner } = await newWorld()
  const asset = await newAsset(owner.key, companyId)
  await upsert(owner.key, sast(Number(asset.id)))
  // a width at which the choice of people leaves a few pixels of the head of the titles
  const { page } = await openPage({ viewport: { width: 1024, height: 800 } })
  await signIn(page, owner.key, `/companies/${companyId}/findings`)
  await page.getByText('1 finding', { exact: true }).waitFor()
  const head = await page.getByRole('columnheader', { name: 'Title' }).boundingBox()

  await page.getByRole('button', { name: 'Assigned', exact: true }).click()
  const search = page.getByRole('dialog', { name: 'Choose from people' })
  await search.getByRole('option').first().waitFor()
  const faults = await accessibilityFaults(page)
  await page.mouse.click((head?.x ?? 0) + 2, (head?.y ?? 0) + 10)
  await search.waitFor({ state: 'detached' })

  expect(new URL(page.url()).search).toBe('')
  expect(faults).toEqual([])
})
