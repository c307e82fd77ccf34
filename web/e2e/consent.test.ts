// Connecting a host by consent: to the vendor, back to the console, and on with what to include, or to the reason why it failed.

import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { run } from '../../test/testkit/client.ts'
import { type Service, startService } from '../../test/testkit/service.ts'
import { vendorContracts } from '../../test/testkit/vendor-contract.ts'
import { fakeVendor, get, json, post } from '../../test/testkit/vendor-fake.ts'
import { newWorld } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories, signIn } from './browser.ts'
import { bundles } from './corpus.ts'
import { type Look, lookAt, noteViolations } from './look.ts'
import { picture } from './picture.ts'

const openPage = browserStories()
const ORIGIN = 'https://git.example.test'

let service: Service

beforeAll(async () => {
  service = await startService({
    MERLON_HOST_B_CLIENT_ID: 'application',
    MERLON_HOST_B_CLIENT_SECRET: 'application-secret',
    MERLON_HOST_B_INSTANCE_URL: ORIGIN,
    MERLON_OAUTH_REDIRECT_URL: 'https://merlon.example.test/consent',
  })
  return () => service.app.stop(0)
})

const KEPT = 'query ($companyId: ID!) { integrations(companyId: $companyId) { collection { id hasCredential } } }'

/** The vendor's consent page: two links back to the console. */
const serveConsent = (page: Page) =>
  page.route(`${ORIGIN}/oauth/authorize**`, (route) => {
    const state = new URL(route.request().url()).searchParams.get('state')
    const back = (search: string) => `${service.url}/consent?${search}&state=${state}`
    return route.fulfill({
      contentType: 'text/html',
      body: `<title>Vendor</title><a href="${back('code=the-code')}">Allow</a> <a href="${back('error=access_denied')}">Refuse</a>`,
    })
  })

async function atConsent() {
  const { companyId, owner } = await newWorld()
  const { page } = await openPage({ baseURL: service.url })
  await serveConsent(page)
  await signIn(page, owner.key, `/companies/${companyId}/integrations`)
  await page.getByRole('button', { name: 'Connect GitLab' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect GitLab' })
  await dialog.getByLabel(/^Instance URL/).fill(ORIGIN)
  await dialog.getByLabel('Create a deploy for each push and merge').check()
  const kept = async () => (await run(owner.key, KEPT, { companyId })).integrations.collection
  return { companyId, page, dialog, kept }
}

test('after consent at the host, the tool is connected and the dialog continues with what to include', async () => {
  const { companyId, page, dialog, kept } = await atConsent()
  await fakeVendor(
    ORIGIN,
    [
      post('/oauth/token', json({ access_token: 'a', token_type: 'Bearer', refresh_token: 'r', expires_in: 7200 })),
      get('/api/v4/user', json({ id: 1 })),
      get('/api/v4/projects', json([])),
    ],
    vendorContracts(['own/oauth', 'gitlab/gitlab']),
  )
  const faults = await accessibilityFaults(page)
  await picture(page, 'consent')

  await dialog.getByRole('button', { name: 'Authorize with GitLab…' }).click()
  await page.getByRole('link', { name: 'Allow' }).click()

  const next = page.getByRole('dialog', { name: 'Connect GitLab' })
  await next.getByText('Credential verified and saved.').waitFor()
  await page.getByText('GitLab connected.').waitFor()
  await next.getByLabel('Project').click()
  await page.getByText('No projects yet.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Choose from projects' }).waitFor({ state: 'detached' })
  expect(await next.locator('[aria-current=step]').textContent()).toBe('Projects')
  await next.getByRole('button', { name: 'Skip' }).click()
  await next.getByRole('button', { name: 'Done' }).click()
  await next.waitFor({ state: 'detached' })
  expect(await kept()).toMatchObject([{ hasCredential: true }])
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(`/companies/${companyId}/integrations`)
  expect(faults).toEqual([])
})

test('a refused consent is reported and stores nothing, and an address that was used before says what it is', async () => {
  const { page, dialog, kept } = await atConsent()

  await dialog.getByRole('button', { name: 'Authorize with GitLab…' }).click()
  await page.getByRole('link', { name: 'Refuse' }).click()

  await page.getByText('Access was denied at GitLab.').waitFor()
  const faults = await accessibilityFaults(page)
  await page.getByRole('link', { name: 'Back to integrations' }).click()
  await page.getByRole('button', { name: 'Connect GitLab' }).waitFor()
  await page.goto('/consent?code=stolen&state=unknown')
  await page.getByText('This authorization was not started in this tab').waitFor()
  expect(new URL(page.url()).search).toBe('')
  expect({ kept: await kept(), faults }).toEqual({ kept: [], faults: [] })
})

test('a code that the host rejects is reported in the server’s words, and without a client no consent is offered', async () => {
  const { page, dialog, kept } = await atConsent()
  await fakeVendor(
    ORIGIN,
    [post('/oauth/token', json({ error: 'invalid_grant' }, { status: 400 }))],
    vendorContracts(['own/oauth', 'gitlab/gitlab']),
  )

  await dialog.getByRole('button', { name: 'Authorize with GitLab…' }).click()
  await page.getByRole('link', { name: 'Allow' }).click()
  await page.getByRole('alert').getByText('GitLab does not accept the credential').waitFor()
  await page.getByRole('link', { name: 'Back to integrations' }).click()
  await page.getByRole('button', { name: 'Connect Bitbucket Cloud' }).click()
  const consent = page.getByRole('button', { name: 'Authorize with Bitbucket Cloud…' })
  await page.getByText('No OAuth client for Bitbucket Cloud is configured in this installation; use a token.').waitFor()
  await consent.click({ force: true })

  expect(await consent.getAttribute('aria-disabled')).toBe('true')
  expect(await consent.getAttribute('aria-description')).toContain('No OAuth client for Bitbucket Cloud')
  expect(await page.getByRole('alert').count()).toBe(0)
  expect(await kept()).toEqual([])
})

test('whatever the host says of its refusal stays text', async () => {
  const { page, dialog, kept } = await atConsent()
  await noteViolations(page)
  const looks: Look[] = []
  for (const tricks of [['Plain words'], ...bundles]) {
    const words = encodeURIComponent(tricks.join(' '))
    await page.route(`${ORIGIN}/oauth/authorize**`, (route) => {
      const state = new URL(route.request().url()).searchParams.get('state')
      const location = `${service.url}/consent?error=${words}&error_description=${words}&error_uri=${words}&state=${state}`
      return route.fulfill({ status: 302, headers: { location } })
    })
    await dialog.getByRole('button', { name: 'Authorize with GitLab…' }).click()
    await page.getByText(`GitLab refused authorization: ${tricks[0]?.slice(0, 3)}`).waitFor()
    looks.push(await lookAt(page))
    await page.getByRole('link', { name: 'Back to integrations' }).click()
    await page.getByRole('button', { name: 'Connect GitLab' }).click()
    await dialog.getByLabel(/^Instance URL/).fill(ORIGIN)
  }

  const [plain, ...hostile] = looks
  expect(hostile).toEqual(bundles.map(() => ({ kinds: plain?.kinds, runs: [], violations: [] })))
  expect(await kept()).toEqual([])
})
