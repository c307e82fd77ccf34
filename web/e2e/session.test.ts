// Signing in, staying signed in, and the user's own keys.

import { expect, test } from 'vitest'
import { administratorKey, run, unique } from '../../test/testkit/client.ts'
import { newHome, sast, upsert } from '../../test/testkit/findings.ts'
import { services } from '../../test/testkit/service.ts'
import { newPerson, newWorld } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories, signIn } from './browser.ts'
import { foundDaysAgo } from './earlier.ts'

const openPage = browserStories()

test('signing in leads to the requested page, and signing out leaves it', async () => {
  const { owner, companyId } = await newWorld()
  const { page } = await openPage()
  const path = `/companies/${companyId}/settings/keys`

  await signIn(page, owner.key, path)
  await page.getByRole('heading', { name: 'API keys' }).waitFor()
  const cookies = await page.context().cookies()

  expect(new URL(page.url()).pathname).toBe(path)
  expect(cookies).toMatchObject([{ name: 'merlon', httpOnly: true, sameSite: 'Strict' }])
  expect(await page.evaluate('document.cookie + JSON.stringify({ ...localStorage })')).not.toContain('mrl_')

  await page.getByRole('button', { name: 'Account: A person' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in to Merlon' }).waitFor()
  expect(await page.context().cookies()).toEqual([])
})

test('an invalid key is refused in the server’s words', async () => {
  const { page } = await openPage()
  await page.goto('/')
  await page.getByLabel('API key').fill('mrl_wrong')

  await page.getByRole('button', { name: 'Sign in' }).click()

  await page.getByRole('alert').getByText('This key is not valid here').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
})

test('a session that ends asks to sign in again over the page, which stays as it is and continues', async () => {
  const { key, companyId, assetId } = await newHome()
  await upsert(key, sast(assetId, { title: 'Weak hash' }))
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/findings`)
  await page.getByRole('row', { name: /Weak hash/ }).click()
  await page.getByRole('complementary').getByRole('button', { name: 'Decide' }).click()
  const dialog = page.getByRole('dialog', { name: 'Decide' })
  await dialog.getByRole('radio', { name: 'False positive' }).check()
  await dialog.getByLabel('Reason').fill('The input is a constant')

  const [service] = await services()
  await service?.app.db.deleteFrom('session').execute()
  service?.app.parts.forgetViewers()
  await dialog.getByRole('button', { name: 'Decide' }).click()
  const again = page.getByRole('dialog', { name: 'Your session has ended' })
  await again.getByLabel('API key').fill(key)
  await again.getByRole('button', { name: 'Sign in' }).click()

  await page.getByRole('region', { name: 'Timeline' }).getByText('Created → False positive').waitFor()
})

test('a key is created and shown once, opens what its scopes allow, and is revoked with the keys it issued', async () => {
  const { companyId } = await newWorld()
  const person = await newPerson(companyId, 'ANALYST')
  const { page, url } = await openPage()
  await signIn(page, person.key, `/companies/${companyId}/settings/keys`)

  await page.getByRole('button', { name: 'New API key' }).click()
  const form = page.getByRole('dialog', { name: 'New API key' })
  await form.getByLabel('Name').fill('Pipeline')
  await form.getByLabel('write').check()
  await form.getByRole('button', { name: 'Create key' }).click()
  const shown = page.getByRole('dialog', { name: 'API key “Pipeline”' })
  const made = (await shown.locator('code').textContent()) ?? ''
  await shown.getByRole('button', { name: 'I’ve stored it' }).click()

  const ask = (key: string, query = '{ viewer { email } }') =>
    fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify({ query }),
    })
  expect((await ask(made)).status).toBe(200)
  expect(await page.content()).not.toContain(made)
  const issued = await ask(made, 'mutation { createApiKey(input: { name: "Another" }) { key } }')
  const { data } = (await issued.json()) as { data: { createApiKey: { key: string } } }
  await page.reload()

  await page.getByRole('button', { name: 'Revoke Pipeline' }).click()
  const revoking = page.getByRole('dialog', { name: 'Revoke “Pipeline”' })
  await revoking.getByLabel(/^Also revoke every key issued from it/).check()
  expect(await accessibilityFaults(page)).toEqual([])
  await revoking.getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('Key “Pipeline” revoked, with 1 key it issued.').waitFor()
  expect((await ask(made)).status).toBe(401)
  expect((await ask(data.createApiKey.key)).status).toBe(401)
  await page.getByRole('row', { name: /Pipeline.*revoked/ }).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
})

test('an unknown address says so, and links back', async () => {
  const { owner, companyId } = await newWorld()
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/findings`)

  await page.goto(`/companies/${companyId}/nothing`)

  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await page.getByRole('main').waitFor()
  await page.getByRole('link', { name: 'Go to the start page' }).click()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
})

test('the theme follows the system until one is chosen, which is remembered', async () => {
  const { owner, companyId } = await newWorld()
  const { page } = await openPage({ colorScheme: 'dark' })
  await signIn(page, owner.key, `/companies/${companyId}/findings`)
  const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
  const dark = await background()

  await page.getByRole('button', { name: 'Account: A person' }).click()
  await page.getByRole('menuitemradio', { name: 'Light' }).click()
  await expect.poll(background).not.toBe(dark)
  const light = await background()
  await page.reload()
  await page.getByRole('heading', { name: 'Findings', level: 1 }).waitFor()

  expect(await background()).toBe(light)
})

test('the keyboard shortcuts of a page are listed under ?', async () => {
  const { owner, companyId } = await newWorld()
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/findings`)

  await page.keyboard.press('?')

  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Select or deselect the row').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
})

test.each([
  ['findings', 'Weak hash'],
  ['overview', 'As a table'],
])('the first load of %s is less than 200 kB of compressed script', async (section, shows) => {
  const { key, companyId, assetId } = await newHome()
  const { issue } = await upsert(key, sast(assetId, { title: 'Weak hash' }))
  await foundDaysAgo(companyId, issue.id, 30)
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/${section}`)
  await page.goto(`/companies/${companyId}/${section}`)
  await page.locator('main').getByText(shows).first().waitFor()

  const loaded = await page.evaluate<number>(
    `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`,
  )

  console.info(`${section}: ${loaded} bytes`)
  expect(loaded).toBeGreaterThan(50_000)
  expect(loaded).toBeLessThan(200_000)
})

test('signing out or in in one tab does so in all tabs', async () => {
  const { companyId, owner } = await newWorld()
  const other = await newPerson(companyId, 'READER')
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/settings`)
  const second = await page.context().newPage()
  await second.goto(`/companies/${companyId}/settings/limits`)

  await second.getByRole('button', { name: /^Account/ }).click()
  await second.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in to Merlon' }).waitFor()
  await second.getByLabel('API key').fill(other.key)
  await second.getByRole('button', { name: 'Sign in' }).click()

  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menu').getByText(other.email).waitFor()
})

test('the start page opens the company viewed last in any tab, or the first one if that is gone', async () => {
  const one = await newWorld()
  const label = unique('A company that goes')
  const { createCompany } = await run(
    administratorKey(),
    'mutation ($label: String!) { createCompany(input: { label: $label }) { company { id } } }',
    { label },
  )
  const other = createCompany.company.id as string
  const { page } = await openPage()
  await signIn(page, administratorKey(), `/companies/${one.companyId}/settings/limits`)
  const second = await page.context().newPage()
  await second.goto(`/companies/${other}/settings/limits`)
  await second.getByRole('heading', { name: 'Limits and API' }).waitFor()

  await page.goto('/')
  await page.waitForURL(`**/companies/${other}/overview`)
  await run(
    administratorKey(),
    'mutation ($input: DeleteCompanyInput!) { deleteCompany(input: $input) { clientMutationId } }',
    { input: { id: other, label } },
  )
  await page.goto('/')

  await page.waitForURL(/companies\/\d+\/overview$/)
  expect(page.url()).not.toContain(`/companies/${other}/`)
})
