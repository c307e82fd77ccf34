// The health of an integration, through the endpoint: asked of the vendor now, and recorded from earlier calls.

import { expect, test } from 'vitest'
import { run } from '../../../test/testkit/client.ts'
import { HOST_B, INTEGRATIONS } from '../../../test/testkit/integrations.ts'
import { fakeVendor, get, json } from '../../../test/testkit/vendor-fake.ts'
import { newWorld } from '../../../test/testkit/world.ts'

const TEST = `mutation ($input: TestIntegrationInput!) { testIntegration(input: $input) { isAccepted sentence integration {
  id brokenSince health { lastSuccessAt lastFailureAt lastFailure credentialExpiresAt remainingRequests } } } }`
const HEALTH = 'query ($id: ID!) { integration(id: $id) { health { remainingRequests } } }'

test('an integration is asked whether its credential is accepted, and how it fares can be read', async () => {
  const { companyId, owner } = await newWorld()
  const check = '/api/v4/user'
  await fakeVendor('https://gitlab.com', [
    get(check, json({ id: 1 }, { headers: { 'ratelimit-remaining': '1999' } }), { times: 2 }),
    get(check, { status: 502, text: 'no' }, { times: 3 }),
    get(check, json({ message: '401 Unauthorized' }, { status: 401 })),
  ])
  await run(owner.key, HOST_B, { input: { companyId, personalToken: 'token' } })
  const [{ id }] = (await run(owner.key, INTEGRATIONS, { companyId })).integrations.collection
  const tested = async () => (await run(owner.key, TEST, { input: { id } })).testIntegration

  const good = await tested()
  const left = async () => (await run(owner.key, HEALTH, { id })).integration.health.remainingRequests
  await expect.poll(left).toBe(1999)
  const failing = await tested()
  const refused = await tested()
  const again = await tested()

  expect(good).toMatchObject({
    isAccepted: true,
    sentence: null,
    integration: { brokenSince: null, health: { lastSuccessAt: expect.any(String), lastFailure: null } },
  })
  expect(failing).toMatchObject({
    isAccepted: false,
    sentence: 'HostB has an internal error at the moment',
    integration: { brokenSince: null, health: { lastFailure: 'HostB has an internal error at the moment' } },
  })
  expect(refused).toMatchObject({ isAccepted: false, integration: { brokenSince: expect.any(String) } })
  expect(again.sentence).toContain('is refused by its vendor')
})
