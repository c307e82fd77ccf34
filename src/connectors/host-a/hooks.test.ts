// HostA registers webhooks with Bitbucket, and accepts only deliveries that prove they come from it.

import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { vendorContract } from '../../../test/testkit/vendor-contract.ts'
import { fakeVendor, get, json, post, put, remove, type Step } from '../../../test/testkit/vendor-fake.ts'
import { fakeSession } from '../../../test/testkit/vendor-session.ts'
import type { SourceHost } from '../source-host.ts'
import { hostA } from './index.ts'

const REPOSITORY = '{0a1b2c3d-0000-4000-8000-000000000002}'
const PROJECT = `acme/${REPOSITORY}`
const HOME = `/2.0/repositories/acme/${encodeURIComponent(REPOSITORY)}`

const source = (): SourceHost => {
  if (!hostA.source) throw new Error('HostA has repositories')
  return hostA.source
}
const open = () => fakeSession(hostA, { kind: 'TOKEN', token: 'token-canary' })
const serve = (...steps: Step[]) =>
  fakeVendor('https://api.bitbucket.org', steps, vendorContract('bitbucket/bitbucket'))
const page = (values: unknown[]) => ({ pagelen: 100, values })

describe('a webhook', () => {
  const plan = { projectId: PROJECT, ownerId: null, url: 'https://merlon.example.test/hooks/1', secret: 'hush' }
  const hook = (url: string) => ({ type: 'webhook_subscription', uuid: '{hook}', url, events: ['repo:push'] })

  test('is made once', async () => {
    const fake = await serve(
      get(`${HOME}/hooks`, json(page([hook('https://other.example.test/')]))),
      post(`${HOME}/hooks`, json(hook(plan.url), { status: 201 }), { body: { secret: 'hush', active: true } }),
      get(`${HOME}/hooks`, json(page([hook(plan.url)]))),
      put(`${HOME}/hooks/${encodeURIComponent('{hook}')}`, json(hook(plan.url))),
    )

    const made = await source().ensureHook(open(), plan)
    const again = await source().ensureHook(open(), plan)

    expect([made, again]).toEqual([
      { hookId: '{hook}', isSigned: true },
      { hookId: '{hook}', isSigned: true },
    ])
    expect(fake.seen[1]?.body).toMatchObject({
      url: plan.url,
      events: ['repo:push', 'pullrequest:created', 'pullrequest:updated'],
    })
  })

  test('is left to a person where the credential may not', async () => {
    await serve(get(`${HOME}/hooks`, json({ type: 'error', error: { message: 'No' } }, { status: 403 })))

    expect(await source().ensureHook(open(), plan)).toBeNull()
  })

  test('is removed, also where it is gone', async () => {
    const path = `${HOME}/hooks/${encodeURIComponent('{hook}')}`
    const fake = await serve(
      remove(path, { status: 204 }),
      remove(path, json({ type: 'error', error: { message: 'Gone' } }, { status: 404 })),
    )

    await source().removeHook(open(), { projectId: PROJECT, hookId: '{hook}' })
    await source().removeHook(open(), { projectId: PROJECT, hookId: '{hook}' })

    expect(fake.seen.map((asked) => [asked.method, asked.path])).toEqual([
      ['DELETE', path],
      ['DELETE', path],
    ])
  })

  const delivered = (told: unknown, signature?: string) => {
    const body = Buffer.from(JSON.stringify(told))
    const proof = `sha256=${createHmac('sha256', 'hush').update(body).digest('hex')}`
    return { headers: { 'x-hub-signature': signature ?? proof }, body, receivedAt: new Date() }
  }
  const ref = (name: string, hash: string, type = 'branch') => ({ type, name, target: { hash } })

  test('tells the branches that moved, and neither tags nor branches that went', () => {
    const changes = [
      { old: ref('main', 'a1'), new: ref('main', 'b2') },
      { old: null, new: ref('feature/x', 'c3') },
      { old: ref('gone', 'd4'), new: null },
      { old: null, new: ref('v1', 'e5', 'tag') },
    ]

    const event = source().readHook(delivered({ push: { changes } }), 'hush')

    expect(event).toEqual({
      deliveryId: null,
      moves: [
        { branch: 'main', before: 'a1', after: 'b2' },
        { branch: 'feature/x', before: null, after: 'c3' },
      ],
    })
  })

  test('tells of a pull request that was opened, and of new commits only where they come from a fork', () => {
    const opened = (uuid: string, event: string) => {
      const { headers, ...rest } = delivered({
        repository: { uuid: REPOSITORY },
        pullrequest: {
          id: 7,
          source: { branch: { name: 'x' }, commit: { hash: 'f6' }, repository: { uuid } },
          destination: { branch: { name: 'main' } },
        },
      })
      return { ...rest, headers: { ...headers, 'x-event-key': `pullrequest:${event}` } }
    }
    const movesOf = (uuid: string, event: string) => source().readHook(opened(uuid, event), 'hush')?.moves

    const fromFork = [{ branch: 'pull-request:7', before: null, after: 'f6', target: 'main' }]
    expect(movesOf(REPOSITORY, 'created')).toEqual([{ branch: 'x', before: null, after: 'f6' }])
    expect(movesOf(REPOSITORY, 'updated')).toEqual([])
    expect(movesOf('{other}', 'created')).toEqual(fromFork)
    expect(movesOf('{other}', 'updated')).toEqual(fromFork)
  })

  test('is nothing without its proof', () => {
    const good = delivered({ push: { changes: [] } })
    const { 'x-hub-signature': proof } = good.headers

    const without = source().readHook({ ...good, headers: {} }, 'hush')
    const altered = source().readHook({ ...good, body: Buffer.concat([good.body, Buffer.from(' ')]) }, 'hush')
    const other = source().readHook(good, 'other')
    const cut = source().readHook({ ...good, headers: { 'x-hub-signature': proof.slice(0, -1) } }, 'hush')
    const noJson = source().readHook({ ...delivered(null), body: Buffer.from('{') }, 'hush')

    expect([without, altered, other, cut, noJson]).toEqual([null, null, null, null, null])
  })
})
