// Selects that save at once: the new choice shows while it is being saved, and the old value returns if it is refused.

import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { administratorKey, run } from '../../test/testkit/client.ts'
import { newPerson, newProject, newWorld, type Person } from '../../test/testkit/world.ts'
import { browserStories, signIn } from './browser.ts'

const openPage = browserStories()

/** Holds the named mutation from now on, until the returned function is called. */
async function held(page: Page, name: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes(`mutation ${name}(`)) await promise
    await route.continue()
  })
  return resolve
}

const demote = (companyId: string, { id }: Person) =>
  run(
    administratorKey(),
    'mutation ($input: UpdatePortalUserAccessInput!) { updatePortalUserAccess(input: $input) { clientMutationId } }',
    { input: { companyId, id, role: 'READER' } },
  )

/** Chooses `value` while the mutation is held, runs `meanwhile` (the person loses their role), and returns what the select showed then. */
async function refused(page: Page, select: Locator, name: string, value: string, meanwhile: () => Promise<unknown>) {
  const before = await select.inputValue()
  const letGo = await held(page, name)
  await select.selectOption(value)
  await meanwhile()
  const during = await select.inputValue()
  letGo()
  await page.getByRole('alert').filter({ hasText: 'requires the role ANALYST' }).waitFor()
  await expect.poll(() => select.inputValue()).toBe(before)
  return during
}

test('the review setting shows a new choice while it is being saved, and the old value if it is refused', async () => {
  const { companyId } = await newWorld()
  const analyst = await newPerson(companyId, 'ANALYST')
  const { page } = await openPage()
  await signIn(page, analyst.key, `/companies/${companyId}/settings/policies`)
  const reading = page.getByLabel('Deploy review')
  const other = (await reading.inputValue()) === 'true' ? 'false' : 'true'

  const shown = await refused(page, reading, 'SetDeployReview', other, () => demote(companyId, analyst))

  expect(shown).toBe(other)
})

test('an activity shows a new status while it is being saved, and the old one if it is refused', async () => {
  const { companyId, owner } = await newWorld()
  const analyst = await newPerson(companyId, 'ANALYST')
  const project = await newProject(owner.key, companyId)
  await run(
    owner.key,
    'mutation ($input: CreateProjectRequirementInput!) { createProjectRequirement(input: $input) { clientMutationId } }',
    { input: { projectId: project.id, label: 'Queries take parameters', activities: [{ label: 'Read the queries' }] } },
  )
  const { page } = await openPage()
  await signIn(page, analyst.key, `/companies/${companyId}/projects/${project.id}`)
  const status = page.getByLabel('Status of Read the queries')

  const shown = await refused(page, status, 'ChangeActivity', 'DONE', () => demote(companyId, analyst))

  expect(shown).toBe('DONE')
})
