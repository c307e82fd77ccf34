// HostB registers webhooks with GitLab, and accepts only deliveries that prove they come from it.

import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { vendorContract } from '../../../test/testkit/vendor-contract.ts'
import { fakeVendor, get, json, post, put, remove, type Step } from '../../../test/testkit/vendor-fake.ts'
import { fakeSession } from '../../../test/testkit/vendor-session.ts'
import type { Credential } from '../kinds.ts'
import type { SourceHost } from '../source-host.ts'
import { hostB } from './index.ts'

const COMMIT = '7f71b5acd4af07bd2cdc11f2a1a5a6a3f0f0a1b2'
const BEFORE = '2'.repeat(40)
const credential: Credential = { kind: 'TOKEN', token: 'token-canary' }

const source = (): SourceHost => {
  if (!hostB.source) throw new Error('HostB has repositories')
  return hostB.source
}
const open = () => fakeSession(hostB, credential)
const serve = (...steps: Step[]) => fakeVendor('https://gitlab.com', steps, vendorContract('gitlab/gitlab'))

describe('a webhook', () => {
  const secret = Buffer.alloc(32, 7).toString('base64')
  const plan = { projectId: '1', ownerId: null, url: 'https://merlon.example.test/hooks/1', secret }
  const hook = (url: string, signed?: boolean) => ({
    id: 3,
    url,
    ...(signed !== undefined && { signing_token_present: signed }),
  })
  const token = createHmac('sha256', secret).update('token').digest('hex')

  test('is made once, with a token and a key to sign with', async () => {
    const fake = await serve(
      get('/api/v4/projects/1/hooks', json([hook('https://other.example.test/')])),
      post('/api/v4/projects/1/hooks', json(hook(plan.url, true), { status: 201 })),
      get('/api/v4/projects/1/hooks', json([hook(plan.url)])),
      put('/api/v4/projects/1/hooks/3', json(hook(plan.url))),
    )

    const made = await source().ensureHook(open(), plan)
    const again = await source().ensureHook(open(), plan)

    expect([made, again]).toEqual([
      { hookId: '3', isSigned: true },
      { hookId: '3', isSigned: false },
    ])
    expect(fake.seen[1]?.body).toMatchObject({ url: plan.url, token, signing_token: `whsec_${secret}` })
  })

  test('is left to a person where the credential may not, and is removed also where it is gone', async () => {
    await serve(
      get('/api/v4/projects/1/hooks', json({ message: '403 Forbidden' }, { status: 403 })),
      remove('/api/v4/projects/1/hooks/3', { status: 204 }),
      remove('/api/v4/projects/1/hooks/3', json({ message: '404 Not found' }, { status: 404 })),
    )

    const made = await source().ensureHook(open(), plan)
    await source().removeHook(open(), { projectId: '1', hookId: '3' })
    await source().removeHook(open(), { projectId: '1', hookId: '3' })

    expect(made).toBeNull()
  })

  const push = { object_kind: 'push', ref: 'refs/heads/feature/x', before: BEFORE, after: COMMIT, project_id: 1 }
  const move = { branch: 'feature/x', before: BEFORE, after: COMMIT }
  const delivered = (told: unknown, headers: Record<string, string>) => ({
    headers,
    body: Buffer.from(JSON.stringify(told)),
    receivedAt: new Date(1_800_000_000_000),
  })
  const signed = (told: unknown, at = 1_800_000_000) => {
    const signature = createHmac('sha256', Buffer.from(secret, 'base64'))
      .update(`msg-1.${at}.${JSON.stringify(told)}`)
      .digest('base64')
    return delivered(told, {
      'webhook-id': 'msg-1',
      'webhook-timestamp': String(at),
      'webhook-signature': `v1,AAAA v1,${signature}`,
    })
  }

  test('that is signed tells its id and the branch that moved', () => {
    const event = source().readHook(signed(push), secret, true)

    expect(event).toEqual({ deliveryId: 'msg-1', moves: [move] })
  })

  test('of an instance that does not sign is known by its token', () => {
    const good = source().readHook(delivered(push, { 'x-gitlab-token': token }), secret, false)
    const bad = source().readHook(delivered(push, { 'x-gitlab-token': secret }), secret, false)
    const none = source().readHook(delivered(push, {}), secret, false)

    expect([good, bad, none]).toEqual([{ deliveryId: null, moves: [move] }, null, null])
  })

  test('that should be signed is nothing without a proof of this moment', () => {
    const good = signed(push)
    const unsigned = delivered(push, { 'x-gitlab-token': token })
    const altered = { ...good, body: Buffer.from(JSON.stringify({ ...push, after: BEFORE })) }
    const renamed = { ...good, headers: { ...good.headers, 'webhook-id': 'msg-2' } }
    const late = signed(push, 1_800_000_000 - 301)
    const early = signed(push, 1_800_000_000 + 301)
    const timeless = { ...good, headers: { ...good.headers, 'webhook-timestamp': 'now' } }

    const read = [unsigned, altered, renamed, late, early, timeless].map((one) => source().readHook(one, secret, true))

    expect(read).toEqual(Array(6).fill(null))
  })

  test('of a branch that is new, that went, or of a tag', () => {
    const zeros = '0'.repeat(40)
    const told = [
      { ...push, before: zeros },
      { ...push, after: zeros },
      { ...push, ref: 'refs/tags/v1' },
      { object_kind: 'note' },
    ]

    const moves = told.map((one) => source().readHook(signed(one), secret, true)?.moves)

    expect(moves).toEqual([[{ ...move, before: null }], [], [], []])
  })

  test('of a merge request from a fork tells a branch that nobody can push to, when commits came', () => {
    const request = (action: string, more: Record<string, unknown> = {}) => ({
      object_kind: 'merge_request',
      object_attributes: {
        iid: 7,
        action,
        source_branch: 'main',
        target_branch: 'main',
        source_project_id: 2,
        target_project_id: 1,
        last_commit: { id: COMMIT },
        ...more,
      },
    })
    const move = { branch: 'merge-request:7', before: null, after: COMMIT, target: 'main' }

    const told = [request('open'), request('update', { oldrev: BEFORE }), request('update'), request('close')]
    const moves = told.map((one) => source().readHook(signed(one), secret, true)?.moves)

    expect(moves).toEqual([[move], [move], [], []])
  })

  test('of a merge request that was opened', () => {
    const opened = (action: string, from: number) => ({
      object_kind: 'merge_request',
      object_attributes: {
        action,
        source_branch: 'x',
        source_project_id: from,
        target_project_id: 1,
        last_commit: { id: COMMIT },
      },
    })

    const told = [opened('open', 1), opened('open', 2), opened('approved', 1)]
    const moves = told.map((one) => source().readHook(signed(one), secret, true)?.moves)

    expect(moves).toEqual([[{ branch: 'x', before: null, after: COMMIT }], [], []])
  })
})
