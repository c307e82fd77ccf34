// The rules of a gate: removal asks first, and nobody overwrites what somebody else has set meanwhile.

import { expect, test } from 'vitest'
import { run } from '../../test/testkit/client.ts'
import { newAsset, newWorld } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories, signIn } from './browser.ts'

const openPage = browserStories()

const rule = (limit: number) => ({ subject: 'INTRODUCED', severities: ['CRITICAL'], limit, decision: 'BLOCK' })

const set = (key: string, companyId: string, rules: object[]) =>
  run(key, 'mutation ($input: SetGatePolicyInput!) { setGatePolicy(input: $input) { clientMutationId } }', {
    input: { companyId, rules },
  })

const limitsOf = async (key: string, companyId: string): Promise<number[]> => {
  const { gatePolicy } = await run(
    key,
    'query ($companyId: ID!) { gatePolicy(companyId: $companyId) { rules { limit } } }',
    { companyId },
  )
  return gatePolicy.rules.map(({ limit }: { limit: number }) => limit)
}

const bottomOf = (box: { y: number; height: number } | null): number => (box ? box.y + box.height : Number.NaN)

async function opened() {
  const { companyId, owner } = await newWorld()
  await set(owner.key, companyId, [rule(1), rule(2)])
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/settings/policies`)
  const rules = page.getByRole('list', { name: 'Gate rules' })
  await rules.getByText(/more than 2/).waitFor()
  return { companyId, key: owner.key, page, rules, dialog: page.getByRole('dialog') }
}

test('a rule is removed after a confirmation that names it, and stays if that is cancelled', async () => {
  const { companyId, key, page, rules, dialog } = await opened()
  const remove = rules.getByRole('button', { name: /^Remove rule: more than 1/ })

  await remove.click()
  await dialog.getByText(/It blocks on more than 1 introduced finding of critical severity/).waitFor()
  const faults = await accessibilityFaults(page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  const kept = await limitsOf(key, companyId)
  await remove.click()
  await dialog.getByRole('button', { name: 'Remove rule' }).click()
  await dialog.waitFor({ state: 'detached' })

  expect(kept).toEqual([1, 2])
  expect(await limitsOf(key, companyId)).toEqual([2])
  expect(faults).toEqual([])
})

test('a rule added to a gate that somebody changed meanwhile is added to their rules, once those were shown', async () => {
  const { companyId, key, page, dialog } = await opened()
  await page.getByRole('button', { name: 'Add rule' }).click()
  await dialog.getByLabel('Maximum allowed').fill('5')
  await set(key, companyId, [rule(7)])

  await dialog.getByRole('button', { name: 'Add rule' }).click()
  await dialog.getByText(/The gate was changed by someone else/).waitFor()
  await page.getByText(/on more than 7/).waitFor()
  const between = await limitsOf(key, companyId)
  await dialog.getByRole('button', { name: 'Add rule' }).click()
  await dialog.waitFor({ state: 'detached' })

  expect(between).toEqual([7])
  expect(await limitsOf(key, companyId)).toEqual([7, 5])
})

test('editing a rule that somebody else removed does not bring it back', async () => {
  const { companyId, key, rules, dialog } = await opened()
  await rules.getByRole('button', { name: /^Edit rule: more than 1/ }).click()
  await dialog.getByLabel('Maximum allowed').fill('9')
  await set(key, companyId, [rule(2)])

  await dialog.getByRole('button', { name: 'Save' }).click()
  const told = dialog.getByText(/The gate was changed by someone else/)
  await told.waitFor()
  const said = await told.boundingBox()
  const around = await dialog.boundingBox()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText(/This rule no longer exists/).waitFor()

  expect(bottomOf(said)).toBeLessThanOrEqual(bottomOf(around))
  expect(await limitsOf(key, companyId)).toEqual([2])
})

test('the rules of an asset are as wide as those of the company, with their actions beside them', async () => {
  const { companyId, key, page, rules } = await opened()
  const asset = await newAsset(key, companyId)
  const ofCompany = await rules.boundingBox()

  await page.goto(`/companies/${companyId}/assets/${asset.id}?tab=gate`)
  await rules.getByText(/more than 2/).waitFor()

  expect((await rules.boundingBox())?.width).toBe(ofCompany?.width)
})
