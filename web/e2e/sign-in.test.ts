// Signing in through an OpenID provider, as a browser does it: redirected there and back, refused in words, and over a page that stays.

import { expect, onTestFinished, test } from 'vitest'
import { unique } from '../../test/testkit/client.ts'
import { newHome, sast, upsert } from '../../test/testkit/findings.ts'
import { type OpenidProvider, startOpenidProvider } from '../../test/testkit/openid-provider.ts'
import { startService } from '../../test/testkit/service.ts'
import { newPerson } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories } from './browser.ts'

const openPage = browserStories()

/** A company with a finding, and a service at which its analyst signs in through a provider. */
async function newPlace() {
  const home = await newHome()
  await upsert(home.key, sast(home.assetId, { title: 'Weak hash' }))
  const person = await newPerson(home.companyId, 'ANALYST')
  const provider = await startOpenidProvider()
  const service = await startService(provider.settings)
  onTestFinished(() => service.app.stop(0))
  provider.register(service.url)
  const subject = unique('subject')
  provider.accounts.set(subject, { email: person.email, email_verified: true })
  const name = `Sign in with ${new URL(provider.issuer).host}`
  return { ...home, person, provider, service, subject, name }
}

type Page = Awaited<ReturnType<typeof openPage>>['page']

/** Fills in the provider's own page. */
async function continueAs(page: Page, { issuer }: OpenidProvider, subject: string): Promise<void> {
  await page.waitForURL(`${issuer}/interaction/**`)
  await page.getByLabel('Account').fill(subject)
  await page.getByRole('button', { name: 'Continue' }).click()
}

test('signing in through the provider leads to the requested page, and signing out leaves it', async () => {
  const { companyId, provider, service, subject, name } = await newPlace()
  const { page } = await openPage({ baseURL: service.url })
  const path = `/companies/${companyId}/findings?severity=HIGH`
  await page.goto(path)

  await page.getByRole('link', { name }).click()
  await continueAs(page, provider, subject)
  await page.getByRole('heading', { name: 'Findings', level: 1 }).waitFor()
  const cookies = await page.context().cookies(service.url)

  expect(page.url()).toBe(service.url + path)
  expect(cookies).toMatchObject([{ name: 'merlon', httpOnly: true, sameSite: 'Strict' }])

  await page.getByRole('button', { name: 'Account: A person' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('link', { name }).waitFor()
  expect(await page.context().cookies(service.url)).toEqual([])
})

test('a user whom the provider’s sign-in does not admit reads why on the sign-in page', async () => {
  const { provider, service, name } = await newPlace()
  provider.accounts.set('stranger', { email: 'stranger@example.test', email_verified: true })
  const { page } = await openPage({ baseURL: service.url })
  await page.goto('/')

  await page.getByRole('link', { name }).click()
  await continueAs(page, provider, 'stranger')

  await page.getByRole('alert').getByText('No user has your email address.').waitFor()
  expect(page.url()).toBe(`${service.url}/`)
  expect(await accessibilityFaults(page)).toEqual([])
})

test('without a provider, the sign-in page offers only keys', async () => {
  const { page } = await openPage()

  await page.goto('/')
  await page.getByLabel('API key').waitFor()

  expect(await page.getByRole('link', { name: /^Sign in with/ }).count()).toBe(0)
})

test('a session that ended continues over the same page after signing in through the provider in another tab', async () => {
  const { companyId, provider, service, subject, name } = await newPlace()
  const { page } = await openPage({ baseURL: service.url })
  await page.goto(`/companies/${companyId}/findings`)
  await page.getByRole('link', { name }).click()
  await continueAs(page, provider, subject)
  await page.getByRole('row', { name: /Weak hash/ }).click()
  await page.getByRole('complementary').getByRole('button', { name: 'Decide' }).click()
  const dialog = page.getByRole('dialog', { name: 'Decide' })
  await dialog.getByRole('radio', { name: 'False positive' }).check()
  await dialog.getByLabel('Reason').fill('The input is a constant')

  await service.app.db.deleteFrom('session').execute()
  service.app.parts.forgetViewers()
  await dialog.getByRole('button', { name: 'Decide' }).click()
  const opened = page.context().waitForEvent('page')
  await page.getByRole('dialog', { name: 'Your session has ended' }).getByRole('link', { name }).click()
  const tab = await opened
  // the provider still has its own session, so it does not ask again
  await tab.getByRole('navigation', { name: 'Sections' }).waitFor()
  await tab.close()
  await page.bringToFront()
  await page.evaluate('window.dispatchEvent(new Event("focus"))')

  await page.getByRole('region', { name: 'Timeline' }).getByText('Created → False positive').waitFor()
})
