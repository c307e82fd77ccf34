// A person's own API keys over their life: made until a day, copied, and replaced by a new one that the old one ends with.

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ask, run } from '../../test/testkit/client.ts'
import { newWorld } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories, signIn } from './browser.ts'
import { picture } from './picture.ts'

const openPage = browserStories()

const opens = async (key: string): Promise<boolean> => (await ask(key, '{ viewer { id } }')).errors.length === 0

/** The page of the keys of an owner whose pipeline has a key; what is copied there can be read. */
async function atKeys() {
  const { companyId, owner } = await newWorld()
  const { createApiKey } = await run(
    owner.key,
    'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { key } }',
    { input: { name: 'Pipeline', scopes: ['read', 'write'] } },
  )
  const { page } = await openPage({ permissions: ['clipboard-read', 'clipboard-write'] })
  await signIn(page, owner.key, `/companies/${companyId}/settings/keys`)
  await page.getByRole('row', { name: /Pipeline/ }).waitFor()
  return { owner, page, pipeline: createApiKey.key as string }
}

/** Copies the key that is shown once, and closes its dialog; resolves to what the clipboard then holds. */
async function copied(page: Page, name: string): Promise<string> {
  const shown = page.getByRole('dialog', { name: `API key “${name}”` })
  await shown.getByRole('button', { name: 'Copy the key' }).click()
  await page.getByText('Copied the key.').waitFor()
  const text = await page.evaluate<string>('navigator.clipboard.readText()')
  expect(await shown.locator('code').textContent()).toBe(text)
  await shown.getByRole('button', { name: 'I’ve stored it' }).click()
  await shown.waitFor({ state: 'detached' })
  return text
}

test('a key is created until a day, copied to the clipboard, and its row says when it ends', async () => {
  const { page } = await atKeys()

  await page.getByRole('button', { name: 'New API key' }).click()
  const form = page.getByRole('dialog', { name: 'New API key' })
  await form.getByLabel('Name').fill('Until spring')
  await form.getByLabel('Expiry date').fill('2099-03-20')
  await form.getByRole('button', { name: 'Create key' }).click()
  const key = await copied(page, 'Until spring')

  const row = page.getByRole('row', { name: /Until spring/ })
  const said = await row.getByText(/^expires/).textContent()
  const { apiKeys } = await run(key, '{ apiKeys { name expiresAt } }')
  const made = apiKeys.find(({ name }: { name: string }) => name === 'Until spring')
  expect({ said, faults: await accessibilityFaults(page) }).toEqual({
    said: expect.stringMatching(/^expires in \d+ y/),
    faults: [],
  })
  expect(made.expiresAt).toMatch(/^2099-03-/)
})

test('an expiry in the past is refused beside the field, and no key is made', async () => {
  const { page } = await atKeys()

  await page.getByRole('button', { name: 'New API key' }).click()
  const form = page.getByRole('dialog', { name: 'New API key' })
  await form.getByLabel('Name').fill('Too late')
  await form.getByLabel('Expiry date').fill('2020-03-20')
  await form.getByRole('button', { name: 'Create key' }).click()
  await expect.poll(() => form.getByLabel('Expiry date').getAttribute('aria-invalid')).toBe('true')

  await page.keyboard.press('Escape')
  await form.waitFor({ state: 'detached' })
  expect(await page.getByRole('row', { name: /Too late/ }).count()).toBe(0)
})

test('a rotated key ends at once, and the new one that takes its place can be copied and works', async () => {
  const { page, pipeline } = await atKeys()
  const before = await opens(pipeline)

  await page.getByRole('button', { name: 'Rotate Pipeline' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rotate “Pipeline”' })
  const faults = await accessibilityFaults(page)
  await picture(page, 'key-rotate')
  await dialog.getByRole('button', { name: 'Rotate key' }).click()
  const key = await copied(page, 'Pipeline')

  const rows = page.getByRole('row', { name: /Pipeline/ })
  await rows.getByText(/^revoked/).waitFor()
  await rows.getByText('until revoked').waitFor()
  expect({ before, old: await opens(pipeline), now: await opens(key), faults }).toEqual({
    before: true,
    old: false,
    now: true,
    faults: [],
  })
})

test('whoever rotates the key of their own session sees the new one, with which the session continues', async () => {
  const { page, owner } = await atKeys()
  const refused: string[] = []
  page.on('response', (response) => response.status() === 401 && refused.push(response.url()))

  await page.getByRole('button', { name: 'Rotate A key' }).click()
  await page.getByText('This session continues with the new key.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }).click()
  const key = await copied(page, 'A key')
  await page.reload()

  const row = page.getByRole('row', { name: /A key.*current session/ })
  await row.getByText('until revoked').waitFor()
  await picture(page, 'key-rotate-own')
  expect({ old: await opens(owner.key), now: await opens(key), refused }).toEqual({
    old: false,
    now: true,
    refused: [],
  })
})
