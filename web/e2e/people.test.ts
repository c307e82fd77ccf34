// The people of a company: an administrator shuts one of them out of everything, and lets them in again.

import { expect, test } from 'vitest'
import { administratorKey, ask, run } from '../../test/testkit/client.ts'
import { newPerson, newWorld } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories, signIn } from './browser.ts'
import { picture } from './picture.ts'

const openPage = browserStories()

test('an administrator shuts a person out after a confirmation, and lets them in again', async () => {
  const { companyId } = await newWorld()
  const person = await newPerson(companyId, 'ANALYST')
  const { page } = await openPage()
  const isIn = async () => (await ask(person.key, '{ viewer { id } }')).errors.length === 0
  await signIn(page, administratorKey(), `/companies/${companyId}/settings/users`)
  const row = page.getByRole('row', { name: new RegExp(person.email) })

  await row.getByRole('button', { name: /^Disable / }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disable person' }).click()
  await row.getByText(/^disabled/).waitFor()
  const wasIn = await isIn()
  await picture(page, 'people-shut-out')
  const faults = await accessibilityFaults(page)
  await row.getByRole('button', { name: /^Enable / }).click()
  await row.getByRole('button', { name: /^Disable / }).waitFor()

  expect(wasIn).toBe(false)
  expect(await isIn()).toBe(true)
  expect(faults).toEqual([])
})

test('a user who is not an administrator is told why they cannot shut people out', async () => {
  const { companyId, owner } = await newWorld()
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/settings/users`)

  const button = page.getByRole('button', { name: /^Disable / }).first()

  await expect.poll(() => button.getAttribute('aria-description')).toMatch(/Only administrators/)
})

test('on a phone an administrator sees who is shut out, and lets them in again', async () => {
  const { companyId } = await newWorld()
  const person = await newPerson(companyId, 'ANALYST')
  await run(
    administratorKey(),
    'mutation ($input: DisablePortalUserInput!) { disablePortalUser(input: $input) { clientMutationId } }',
    { input: { id: person.id } },
  )
  const { page } = await openPage({ viewport: { width: 390, height: 780 } })
  await signIn(page, administratorKey(), `/companies/${companyId}/settings/users`)
  const row = page.getByRole('row', { name: /A person – disabled/ })

  await row.getByText('– disabled').waitFor()
  await picture(page, 'people-phone')
  const faults = await accessibilityFaults(page)
  await row.getByRole('button', { name: /^Enable / }).click()
  await page.getByText('A person enabled. Their API keys work again.').waitFor()
  await row.waitFor({ state: 'detached' })

  expect(faults).toEqual([])
})

test('a user whose role is too low is told both roles in words', async () => {
  const { companyId } = await newWorld()
  const reader = await newPerson(companyId, 'READER')
  const { page } = await openPage()
  await signIn(page, reader.key, `/companies/${companyId}/settings/users`)

  const button = page.getByRole('button', { name: 'Add person' })

  expect(await button.getAttribute('aria-description')).toBe(
    'This requires the role owner in this company; yours is reader.',
  )
})
