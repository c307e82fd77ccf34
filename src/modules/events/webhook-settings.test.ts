// The settings of webhooks, through the endpoint: which addresses and kinds are accepted, and that the address stays secret.

import { describe, expect, test } from 'vitest'
import { ask, refusal, run } from '../../../test/testkit/client.ts'
import { newWorld } from '../../../test/testkit/world.ts'

const CREATE = 'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id } } }'

describe('An address', () => {
  test.each([
    'http://hooks.example.test/',
    'https://user:password@hooks.example.test/',
    'ftp://hooks.example.test/',
    'nothing',
  ])('%s is refused when it is given', async (url) => {
    const { companyId, owner } = await newWorld()

    const failure = await refusal(owner.key, CREATE, { input: { companyId, url } })

    expect(failure.message).toMatch(/^The address cannot be called/)
    expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'input.url' })
  })

  test.each([
    'https://127.0.0.1/',
    'https://169.254.169.254/',
    'https://[::1]/',
    'https://10.0.0.1/',
    'https://0x7f.1/',
  ])('%s is never called, and the log says why', async (url) => {
    const { companyId, owner } = await newWorld()
    const created = await run(owner.key, CREATE, { input: { companyId, url } })

    const { testWebhook } = await run(
      owner.key,
      'mutation ($id: ID!) { testWebhook(input: { id: $id }) { delivery { state responseStatus failure } } }',
      { id: created.createWebhook.webhook.id },
    )

    expect(testWebhook.delivery).toMatchObject({ state: 'GIVEN_UP', responseStatus: null })
    expect(testWebhook.delivery.failure).toMatch(/does not lead to the public internet/)
  })
})

test('An unknown kind is refused, and changes are audited without the address', async () => {
  const { companyId, owner } = await newWorld()
  const created = await run(owner.key, CREATE, { input: { companyId, url: 'https://hooks.example.test/very-secret' } })
  const { id } = created.createWebhook.webhook
  const change =
    'mutation ($input: UpdateWebhookInput!) { updateWebhook(input: $input) { webhook { kinds isEnabled description } } }'

  const wrong = await refusal(owner.key, change, { input: { id, kinds: ['issue.nothing'] } })
  const { updateWebhook } = await run(owner.key, change, {
    input: { id, kinds: ['deploy.*'], isEnabled: false, description: 'For the chat' },
  })
  const { deleteWebhook } = await run(owner.key, 'mutation ($id: ID!) { deleteWebhook(input: { id: $id }) { id } }', {
    id,
  })

  const { data } = await ask(
    owner.key,
    'query ($companyId: ID) { auditRecords(companyId: $companyId) { collection { operation before after } } }',
    { companyId },
  )
  expect(wrong.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'input.kinds' })
  expect(updateWebhook.webhook).toEqual({ kinds: ['deploy.*'], isEnabled: false, description: 'For the chat' })
  expect(deleteWebhook.id).toBe(id)
  expect(JSON.stringify(data)).not.toContain('very-secret')
})
