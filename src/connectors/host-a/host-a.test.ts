// HostA speaks to Bitbucket as Bitbucket's own API description says.

import { describe, expect, test } from 'vitest'
import { FOREIGN, gigabyte, pagesByNext } from '../../../test/testkit/vendor-answers.ts'
import { vendorContract } from '../../../test/testkit/vendor-contract.ts'
import { fakeVendor, get, json, post, put, type Step } from '../../../test/testkit/vendor-fake.ts'
import { fakeSession } from '../../../test/testkit/vendor-session.ts'
import { liveThroughTroubles } from '../../../test/testkit/vendor-troubles.ts'
import type { Credential, Settings } from '../kinds.ts'
import type { SourceHost } from '../source-host.ts'
import { hostA } from './index.ts'

const ORIGIN = 'https://api.bitbucket.org'
const contract = vendorContract('bitbucket/bitbucket')
const credential: Credential = { kind: 'TOKEN', token: 'token-canary' }
const REPOSITORY = '{0a1b2c3d-0000-4000-8000-000000000002}'
const PROJECT = `acme/${REPOSITORY}`
const HOME = `/2.0/repositories/acme/${encodeURIComponent(REPOSITORY)}`
const COMMIT = '7f71b5acd4af07bd2cdc11f2a1a5a6a3f0f0a1b2'

const source = (): SourceHost => {
  if (!hostA.source) throw new Error('HostA has repositories')
  return hostA.source
}
const open = (settings: Partial<Settings> = {}, by: Credential = credential) => fakeSession(hostA, by, settings)
const serve = (...steps: Step[]) => fakeVendor(ORIGIN, steps, contract)

const page = (values: unknown[], next: string | null = null, size?: number) => ({
  pagelen: 100,
  values,
  ...(next !== null && { next }),
  ...(size !== undefined && { size }),
})
const access = (slug: string) => ({
  type: 'workspace_access',
  administrator: true,
  workspace: { type: 'workspace_base', uuid: `{${slug}}`, slug },
})
const repository = (name: string, uuid = REPOSITORY) => ({
  type: 'repository',
  uuid,
  full_name: `acme/${name}`,
  name,
  mainbranch: { type: 'branch', name: 'main' },
})
const branch = (name: string, hash = COMMIT) => ({
  type: 'branch',
  name,
  target: { type: 'commit', hash, parents: [{ type: 'commit', hash: '1'.repeat(40) }] },
})
const whole = { page: 1, limit: 10, search: null }

describe('the credential', () => {
  const kinds: [Credential, string][] = [
    [credential, 'Bearer token-canary'],
    [{ kind: 'OAUTH', accessToken: 'access', refreshToken: 'again', expiresAt: null }, 'Bearer access'],
    [
      { kind: 'LOGIN', email: 'me@example.test', token: 'api' },
      `Basic ${Buffer.from('me@example.test:api').toString('base64')}`,
    ],
  ]
  test.each(kinds)('is shown as its kind is: %o', async (by, authorization) => {
    await serve(get('/2.0/user/workspaces', json(page([])), { headers: { authorization } }))

    await hostA.check(open({}, by))
  })

  test('of one repository is accepted although it may list no workspaces', async () => {
    const refusal = { type: 'error', error: { message: 'This API is not for you' } }
    await serve(get('/2.0/user/workspaces', json(refusal, { status: 403 })))

    await hostA.check(open())
  })
})

describe('workspaces', () => {
  test('come from three pages, with the names that they have', async () => {
    const pages = [['one'], ['two'], ['three']].map((slugs) => slugs.map(access))
    await serve(
      ...pagesByNext({ origin: ORIGIN, path: '/2.0/user/workspaces' }, pages, (values, next) =>
        page(values as unknown[], next),
      ),
      get('/2.0/workspaces/one', json({ type: 'workspace', slug: 'one', uuid: '{one}', name: 'The first' })),
      get('/2.0/workspaces/two', json({ type: 'error', error: { message: 'No' } }, { status: 404 })),
      get('/2.0/workspaces/three', json({ type: 'workspace', slug: 'three', uuid: '{three}', name: 'Third' })),
    )

    const found = await source().listOwners(open(), whole)

    expect(found).toEqual({
      items: [
        { id: 'one', uuid: '{one}', name: 'The first' },
        { id: 'two', uuid: '{two}', name: 'two' },
        { id: 'three', uuid: '{three}', name: 'Third' },
      ],
      total: 3,
    })
  })

  test('are none where there are none', async () => {
    await serve(get('/2.0/user/workspaces', json(page([]))))

    expect(await source().listOwners(open(), whole)).toEqual({ items: [], total: 0 })
  })

  test('are searched by slug, and are those to which the integration is held', async () => {
    const all = ['alpha', 'alpha-two', 'beta'].map(access)
    await serve(
      get('/2.0/user/workspaces', json(page(all))),
      get('/2.0/workspaces/alpha', json({ type: 'workspace', slug: 'alpha', uuid: '{alpha}', name: 'Alpha' })),
    )

    const found = await source().listOwners(open({ workspaceIds: ['{alpha}', 'beta'] }), { ...whole, search: 'ALPHA' })

    expect(found.items.map(({ id }) => id)).toEqual(['alpha'])
  })

  test('of an address that is not Bitbucket’s are not asked for', async () => {
    await serve(get('/2.0/user/workspaces', json(page([access('one')], FOREIGN))))

    await expect(source().listOwners(open(), whole)).rejects.toMatchObject({ kind: 'LED_ELSEWHERE' })
  })
})

describe('repositories', () => {
  test('of a workspace are the page that was asked for, with their branches, and without a total if there was none', async () => {
    const asked = { page: '2', pagelen: '1', role: 'member', sort: 'name', q: 'name ~ "a\\"b"' }
    await serve(
      get('/2.0/repositories/acme', json(page([repository('site')])), { query: asked }),
      ...pagesByNext(
        { origin: ORIGIN, path: `${HOME}/refs/branches` },
        [['main'], ['feature/x'], ['old']].map((names) => names.map((name) => branch(name))),
        (values, next) => page(values as unknown[], next),
      ),
    )

    const query = { page: 2, limit: 1, search: 'a"b', ownerId: 'acme' }
    const found = await source().listProjects(open(), query)

    expect(found).toEqual({
      items: [{ id: PROJECT, name: 'acme/site', branches: ['main', 'feature/x', 'old'] }],
      total: null,
    })
  })

  test('of all workspaces are walked, and counted at their end', async () => {
    await serve(
      get('/2.0/user/workspaces', json(page([access('acme'), access('other')]))),
      get('/2.0/repositories/acme', json(page([repository('site')]))),
      get('/2.0/repositories/other', json(page([]))),
      get(`${HOME}/refs/branches`, json({ type: 'error', error: { message: 'No' } }, { status: 403 })),
    )

    const found = await source().listProjects(open(), { ...whole, ownerId: null })

    expect(found).toEqual({ items: [{ id: PROJECT, name: 'acme/site', branches: [] }], total: 1 })
  })

  test('of a workspace to which the integration is not held are refused', async () => {
    await serve(get('/2.0/user/workspaces', json(page([access('acme'), access('other')]))))

    const asked = source().listProjects(open({ workspaceIds: ['{acme}'] }), { ...whole, ownerId: 'other' })

    await expect(asked).rejects.toMatchObject({ kind: 'PERMISSION' })
  })

  test('are found in the workspaces to which the integration is held, and in no other', async () => {
    await serve(
      get(HOME, json(repository('site')), { times: 2 }),
      get('/2.0/user/workspaces', json(page([access('acme'), access('other')]))),
    )

    const found = await source().getProject(open({ workspaceIds: ['acme'] }), PROJECT)
    const other = source().getProject(open({ workspaceIds: ['{other}'] }), PROJECT)

    expect(found.name).toBe('acme/site')
    await expect(other).rejects.toMatchObject({ kind: 'PERMISSION' })
  })

  test('are named by workspace and id', async () => {
    await serve(get(HOME, json(repository('renamed'))))

    const found = await source().getProject(open(), PROJECT)

    expect(found).toEqual({ id: PROJECT, name: 'acme/renamed', defaultBranch: 'main' })
    await expect(source().getProject(open(), 'acme')).rejects.toMatchObject({ kind: 'INVALID' })
    await expect(source().getProject(open(), 'acme/../x')).rejects.toMatchObject({ kind: 'INVALID' })
  })
})

describe('a branch', () => {
  test('is found by its whole name, and is none when there is none', async () => {
    await serve(
      get(`${HOME}/refs/branches`, json(page([branch('feature/x')])), { query: { q: 'name = "feature/x"' } }),
      get(`${HOME}/refs/branches`, json(page([])), { query: { q: 'name = "gone"' } }),
    )

    const found = await source().getHead(open(), PROJECT, 'feature/x')
    const gone = await source().getHead(open(), PROJECT, 'gone')

    expect([found, gone]).toEqual([{ branch: 'feature/x', commit: COMMIT, parent: '1'.repeat(40), at: null }, null])
  })

  test('that changed last comes first, and no more than were asked for', async () => {
    const step = get(`${HOME}/refs/branches`, json(page([branch('a'), branch('b'), branch('c')])), {
      query: { sort: '-target.date' },
    })
    await serve(step)

    const found = await source().listHeads(open(), PROJECT, 2)

    expect(found.map((one) => one.branch)).toEqual(['a', 'b'])
  })
})

test('a diff is what Bitbucket gives, from the older commit to the newer', async () => {
  const from = '2'.repeat(40)
  await serve(get(`${HOME}/diff/${COMMIT}..${from}`, { text: 'diff --git a/x b/x\n' }, { query: { topic: 'false' } }))

  const { chunks, leftOut } = await source().openDiff(open(), { projectId: PROJECT, from, to: COMMIT })

  const text = (await Array.fromAsync(chunks)).map((chunk) => Buffer.from(chunk).toString()).join('')
  expect([text, leftOut()]).toEqual(['diff --git a/x b/x\n', []])
})

test('a diff of more than 1 GB is given up', async () => {
  // which no description has
  await fakeVendor(ORIGIN, [get(`${HOME}/diff/b..a`, gigabyte('-'))])

  const { chunks } = await source().openDiff(open(), { projectId: PROJECT, from: 'a', to: 'b' })
  const read = async () => {
    for await (const chunk of chunks) if (chunk.length === 0) throw new Error('An empty piece')
  }

  await expect(read()).rejects.toMatchObject({ kind: 'TOO_LARGE' })
})

describe('a verdict', () => {
  const report = {
    projectId: PROJECT,
    branch: 'main',
    commit: COMMIT,
    pullRequests: ['7'],
    key: 'merlon-12',
    state: 'FAILED' as const,
    title: 'No',
    summary: 'Two findings',
    url: 'https://merlon.example.test/companies/1/deploys/1',
  }
  const mark = '[//]: # (merlon:merlon-12)'
  const status = post(
    `${HOME}/commit/${COMMIT}/statuses/build`,
    json({ type: 'build', key: 'merlon-12', state: 'FAILED' }, { status: 201 }),
    {
      body: {
        key: 'merlon-12',
        state: 'FAILED',
        description: 'No',
        url: 'https://merlon.example.test/companies/1/deploys/1',
      },
    },
  )
  const comments = `${HOME}/pullrequests/7/comments`
  const said = (raw: string, id = 3) => ({ type: 'pullrequest_comment', id, content: { raw } })

  test('is a build status and a comment', async () => {
    const fake = await serve(
      status,
      get(comments, json(page([said('Nice')]))),
      post(comments, json(said('ours'), { status: 201 })),
    )

    await source().reportCommit(open(), report)

    expect(fake.seen.at(-1)?.body).toEqual({ type: 'pullrequest_comment', content: { raw: `Two findings\n\n${mark}` } })
  })

  test('changes the comment that is there, and leaves one that says it already', async () => {
    const put7 = put(`${comments}/3`, json(said('ours')), {
      body: { content: { raw: `Two findings\n\n${mark}` } },
    })
    const fake = await serve(
      { ...status, times: 2 },
      get(comments, json(page([said(`Before\n\n${mark}`)]))),
      put7,
      get(comments, json(page([said(`Two findings\n\n${mark}`)]))),
    )

    await source().reportCommit(open(), report)
    await source().reportCommit(open(), report)

    expect(fake.seen.filter(({ method }) => method === 'PUT').map(({ path, body }) => [path, body])).toEqual([
      [`${comments}/3`, { type: 'pullrequest_comment', content: { raw: `Two findings\n\n${mark}` } }],
    ])
  })

  test('is another comment when the one with our mark is somebody else’s', async () => {
    const fake = await serve(
      status,
      get(comments, json(page([said(`Before\n\n${mark}`)]))),
      put(`${comments}/3`, json({ type: 'error', error: { message: 'No' } }, { status: 403 })),
      post(comments, json(said('ours'), { status: 201 })),
    )

    await source().reportCommit(open(), report)

    expect(fake.seen.at(-1)).toMatchObject({ method: 'POST', path: comments })
  })

  test('goes to the open pull requests of the branch, to none of a fork’s of the same name, and to the one that was merged as the commit', async () => {
    const path = `${HOME}/pullrequests`
    const opened = (id: number, uuid: string | null) => ({
      type: 'pullrequest',
      id,
      state: 'OPEN',
      source: { branch: { name: 'main' }, repository: uuid && { type: 'repository', uuid } },
    })
    const merged = (id: number, hash: string) => ({
      type: 'pullrequest',
      id,
      state: 'MERGED',
      merge_commit: { type: 'commit', hash },
    })
    await serve(
      get(path, json(page([opened(5, REPOSITORY), opened(8, '{fork}'), opened(9, null)])), {
        query: { q: 'source.branch.name = "main" AND state = "OPEN"' },
      }),
      get(path, json(page([merged(6, COMMIT.slice(0, 12)), merged(4, '0123456789ab')])), {
        query: { q: 'destination.branch.name = "main" AND state = "MERGED"' },
      }),
    )

    const found = await source().findPullRequests(open(), { projectId: PROJECT, branch: 'main', commit: COMMIT })

    expect(found).toEqual(['5', '6'])
  })
})

liveThroughTroubles({
  connector: hostA,
  credential,
  good: get(HOME, json(repository('site'))),
  call: (session) => source().getProject(session, PROJECT),
})
