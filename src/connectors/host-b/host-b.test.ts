// HostB speaks to GitLab as GitLab's own API description says.

import { describe, expect, test } from 'vitest'
import { readDiff } from '../../../test/diff-truth/read.ts'
import { FOREIGN, pagesByLink } from '../../../test/testkit/vendor-answers.ts'
import { vendorContract } from '../../../test/testkit/vendor-contract.ts'
import { fakeVendor, get, json, post, put, type Step } from '../../../test/testkit/vendor-fake.ts'
import { fakeSession } from '../../../test/testkit/vendor-session.ts'
import { liveThroughTroubles } from '../../../test/testkit/vendor-troubles.ts'
import type { Credential, Settings } from '../kinds.ts'
import type { SourceHost } from '../source-host.ts'
import { hostB } from './index.ts'

const ORIGIN = 'https://gitlab.com'
const contract = vendorContract('gitlab/gitlab')
const credential: Credential = { kind: 'TOKEN', token: 'token-canary' }
const COMMIT = '7f71b5acd4af07bd2cdc11f2a1a5a6a3f0f0a1b2'
const BEFORE = '2'.repeat(40)

const source = (): SourceHost => {
  if (!hostB.source) throw new Error('HostB has repositories')
  return hostB.source
}
const open = (settings: Partial<Settings> = {}, by: Credential = credential) => fakeSession(hostB, by, settings)
const serve = (...steps: Step[]) => fakeVendor(ORIGIN, steps, contract)

const group = (id: number, name: string) => ({ id, name, full_name: `All / ${name}`, full_path: `all/${name}` })
const project = (id: number, name: string) => ({
  id,
  name,
  path_with_namespace: `acme/${name}`,
  default_branch: 'main',
})
const branch = (name: string) => ({ name, commit: { id: COMMIT, parent_ids: [BEFORE] } })
const noBranches = (id: number) => get(`/api/v4/projects/${id}/repository/branches`, json([]))
const whole = { page: 1, limit: 10, search: null }

describe('the credential', () => {
  const kinds: [Credential, Record<string, string>][] = [
    [credential, { 'private-token': 'token-canary' }],
    [
      { kind: 'OAUTH', accessToken: 'access', refreshToken: 'again', expiresAt: null },
      { authorization: 'Bearer access' },
    ],
  ]
  test.each(kinds)('is shown as its kind is: %o', async (by, headers) => {
    await serve(get('/api/v4/user', json({ id: 1 }), { headers }))

    await hostB.check(open({}, by))
  })

  test('goes to the instance that the integration names', async () => {
    await fakeVendor('https://git.example.test', [get('/code/api/v4/user', json({ id: 1 }))])

    await hostB.check(open({ instanceUrl: 'https://git.example.test/code' }))
  })
})

describe('groups', () => {
  test('are the page that was asked for, with the total of the answer', async () => {
    const query = { page: '2', per_page: '1', search: 'te', min_access_level: '30' }
    await serve(get('/api/v4/groups', json([group(7, 'team')], { headers: { 'x-total': '3' } }), { query }))

    const found = await source().listOwners(open(), { page: 2, limit: 1, search: 'te' })

    expect(found).toEqual({ items: [{ id: '7', name: 'All / team', uuid: 'all/team' }], total: 3 })
  })

  test('are none where there are none, and have no total if the answer has none', async () => {
    await serve(get('/api/v4/groups', json([])))

    expect(await source().listOwners(open(), whole)).toEqual({ items: [], total: null })
  })

  test('are those to which the integration is held, of those that are there', async () => {
    await serve(
      get('/api/v4/groups/7', json({ ...group(7, 'team'), id: '7' })),
      get('/api/v4/groups/8', json({ message: '404 Group Not Found' }, { status: 404 })),
    )

    const found = await source().listOwners(open({ groupIds: ['7', '8'] }), whole)

    expect(found).toEqual({ items: [{ id: '7', name: 'All / team', uuid: 'all/team' }], total: 1 })
  })
})

describe('projects', () => {
  test('of a group have the branches of three pages', async () => {
    const query = { include_subgroups: 'true', archived: 'false', search: 'si', page: '1', per_page: '10' }
    const branches = '/api/v4/projects/1/repository/branches'
    await serve(
      get('/api/v4/groups/7/projects', json([project(1, 'site')], { headers: { 'x-total': '1' } }), { query }),
      ...pagesByLink({ origin: ORIGIN, path: branches }, [
        [branch('main'), branch('feature/x')],
        [branch('b')],
        [branch('c')],
      ]),
    )

    const found = await source().listProjects(open(), { ...whole, search: 'si', ownerId: '7' })

    expect(found).toEqual({
      items: [{ id: '1', name: 'acme/site', branches: ['main', 'feature/x', 'b', 'c'] }],
      total: 1,
    })
  })

  test('are those of the person where no group is named', async () => {
    await serve(
      get('/api/v4/projects', json([project(1, 'site'), project(2, 'api')]), { query: { membership: 'true' } }),
      noBranches(1),
      get('/api/v4/projects/2/repository/branches', json({ message: '404 Repository Not Found' }, { status: 404 })),
    )

    const found = await source().listProjects(open(), { ...whole, ownerId: null })

    expect(found.items.map(({ name, branches }) => [name, branches])).toEqual([
      ['acme/site', []],
      ['acme/api', []],
    ])
  })

  test('are those of the groups to which the integration is held, and of no other', async () => {
    await serve(
      get('/api/v4/groups/7/projects', json([project(1, 'site')])),
      get('/api/v4/groups/8/projects', json([project(2, 'api')])),
      noBranches(1),
      noBranches(2),
    )
    const session = open({ groupIds: ['7', '8'] })

    const found = await source().listProjects(session, { ...whole, ownerId: null })
    const other = source().listProjects(session, { ...whole, ownerId: '9' })

    expect([found.items.map(({ id }) => id), found.total]).toEqual([['1', '2'], 2])
    await expect(other).rejects.toMatchObject({ kind: 'PERMISSION' })
  })

  test('of an address that is not GitLab’s are not asked for', async () => {
    const headers = { link: `<${FOREIGN}>; rel="next"` }
    await serve(get('/api/v4/groups/7/projects', json([project(1, 'site')], { headers })))

    const asked = source().listProjects(open({ groupIds: ['7'] }), { ...whole, ownerId: null })

    await expect(asked).rejects.toMatchObject({ kind: 'LED_ELSEWHERE' })
  })

  test('are found by id in the groups to which the integration is held, and in no other', async () => {
    const held = { id: '7', name: 'team', full_path: 'acme' }
    await serve(
      get('/api/v4/projects/1', json(project(1, 'site')), { times: 2 }),
      get('/api/v4/groups/7', json(held)),
      get('/api/v4/groups/8', json({ ...held, id: '8', full_path: 'ac' })),
    )

    const found = await source().getProject(open({ groupIds: ['7'] }), '1')
    const other = source().getProject(open({ groupIds: ['8'] }), '1')

    expect(found.name).toBe('acme/site')
    await expect(other).rejects.toMatchObject({ kind: 'PERMISSION' })
  })

  test('are found by id', async () => {
    await serve(get('/api/v4/projects/1', json(project(1, 'site'))))

    expect(await source().getProject(open(), '1')).toEqual({ id: '1', name: 'acme/site', defaultBranch: 'main' })
  })
})

test('a branch is found by its name, and those that changed last come first', async () => {
  await serve(
    get('/api/v4/projects/1/repository/branches/feature%2Fx', json(branch('feature/x'))),
    get('/api/v4/projects/1/repository/branches/gone', json({ message: '404 Branch Not Found' }, { status: 404 })),
    get('/api/v4/projects/1/repository/branches', json([branch('a'), branch('b')]), {
      query: { sort: 'updated_desc' },
    }),
  )

  const found = await source().getHead(open(), '1', 'feature/x')
  const gone = await source().getHead(open(), '1', 'gone')
  const heads = await source().listHeads(open(), '1', 1)

  expect([found, gone]).toEqual([{ branch: 'feature/x', commit: COMMIT, parent: BEFORE, at: null }, null])
  expect(heads.map((head) => head.branch)).toEqual(['a'])
})

describe('a diff', () => {
  const opened = async (diffs: object[], more: object = {}) => {
    await serve(
      get('/api/v4/projects/1/repository/compare', json({ diffs, ...more }), {
        query: { from: BEFORE, to: COMMIT, straight: 'true' },
      }),
    )
    return source().openDiff(open(), { projectId: '1', from: BEFORE, to: COMMIT })
  }
  const same = (path: string) => ({ old_path: path, new_path: path, a_mode: '100644', b_mode: '100644' })

  test('is in git’s format, whatever was done to a file', async () => {
    const { chunks, leftOut } = await opened([
      { ...same('src/app.ts'), diff: '@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n' },
      {
        ...same('notes.md'),
        a_mode: '0',
        new_file: true,
        diff: '@@ -0,0 +1 @@\n+# Notes\n\\ No newline at end of file',
      },
      { ...same('old file.txt'), b_mode: '0', deleted_file: true, diff: '@@ -1 +0,0 @@\n-gone\n' },
      { ...same('b.ts'), old_path: 'a.ts', renamed_file: true, diff: '' },
      { ...same('run.sh'), b_mode: '100755', diff: '' },
      { ...same('logo.png'), diff: '' },
      { ...same('say "hi"\n.ts'), diff: '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n' },
      { ...same('empty.txt'), a_mode: '0', new_file: true, diff: '' },
      { ...same('huge.js'), diff: '', too_large: true },
    ])

    const files = await Array.fromAsync(readDiff(chunks))
    expect(files.map(({ oldPath, newPath, kind, added, removed }) => [oldPath, newPath, kind, added, removed])).toEqual(
      [
        ['src/app.ts', 'src/app.ts', 'MODIFIED', 1, 1],
        [null, 'notes.md', 'ADDED', 1, 0],
        ['old file.txt', null, 'DELETED', 0, 1],
        ['a.ts', 'b.ts', 'RENAMED', 0, 0],
        ['run.sh', 'run.sh', 'MODE_CHANGED', 0, 0],
        ['logo.png', 'logo.png', 'BINARY', 0, 0],
        ['say "hi"\n.ts', 'say "hi"\n.ts', 'MODIFIED', 1, 1],
        [null, 'empty.txt', 'ADDED', 0, 0],
        ['huge.js', 'huge.js', 'BINARY', 0, 0],
      ],
    )
    expect(leftOut()).toEqual(['huge.js'])
  })

  test('that GitLab could not compare in time is not taken for one', async () => {
    await expect(opened([], { compare_timeout: true })).rejects.toMatchObject({ kind: 'SERVER_ERROR' })
  })
})

describe('a verdict', () => {
  const report = {
    projectId: '1',
    branch: 'main',
    commit: COMMIT,
    pullRequests: ['7'],
    key: 'merlon-12',
    state: 'PASSED' as const,
    title: 'Yes',
    summary: 'Nothing new',
    url: 'https://merlon.example.test/companies/1/deploys/1',
  }
  const mark = '[//]: # (merlon:merlon-12)'
  const status = (answer = json({ id: 1, status: 'success' })) =>
    post(`/api/v4/projects/1/statuses/${COMMIT}`, answer, {
      body: { state: 'success', name: 'merlon-12', description: 'Yes', target_url: report.url },
    })
  const notes = '/api/v4/projects/1/merge_requests/7/notes'

  test('is a commit status and a note, which is changed the second time', async () => {
    const stands = { message: 'Cannot transition status via :succeed from :success' }
    const fake = await serve(
      status(),
      get(notes, json([{ id: 1, body: 'Nice' }])),
      post(notes, json({ id: 2, body: 'ours' }, { status: 201 })),
      status(json(stands, { status: 400 })),
      get(notes, json([{ id: 2, body: `Before\n\n${mark}` }])),
      put(`${notes}/2`, json({ id: 2, body: 'ours' })),
    )

    await source().reportCommit(open(), report)
    await source().reportCommit(open(), report)

    expect([fake.seen[2]?.body, fake.seen[5]?.body]).toEqual(Array(2).fill({ body: `Nothing new\n\n${mark}` }))
  })

  test('that GitLab refuses for another reason is refused', async () => {
    await serve(status(json({ message: 'ref not found' }, { status: 400 })))

    await expect(source().reportCommit(open(), report)).rejects.toMatchObject({ kind: 'INVALID' })
  })

  test('goes to the open merge requests of the branch, to none of a fork’s of the same name, and to the one that was merged as the commit', async () => {
    await serve(
      get(
        '/api/v4/projects/1/merge_requests',
        json([
          { iid: 5, state: 'opened', target_branch: 'x', source_project_id: 1 },
          { iid: 8, state: 'opened', target_branch: 'x', source_project_id: 2 },
          { iid: 9, state: 'opened', target_branch: 'x', source_project_id: null },
        ]),
        { query: { source_branch: 'main', state: 'opened' } },
      ),
      get(
        `/api/v4/projects/1/repository/commits/${COMMIT}/merge_requests`,
        json([
          { iid: 6, state: 'merged', target_branch: 'main' },
          { iid: 5, state: 'opened', target_branch: 'x' },
        ]),
      ),
    )

    const found = await source().findPullRequests(open(), { projectId: '1', branch: 'main', commit: COMMIT })

    expect(found).toEqual(['5', '6'])
  })

  test('goes to the merge request of the branch, however many forks call theirs the same', async () => {
    const place = '/api/v4/projects/1/merge_requests'
    const of = (iid: number, from: number) => ({ iid, state: 'opened', target_branch: 'x', source_project_id: from })
    const headers = { link: `<${ORIGIN}${place}?source_branch=main&page=2>; rel="next"` }
    const forks = Array.from({ length: 100 }, (_, index) => of(index + 100, index + 2))
    await serve(
      get(place, json(forks, { headers }), { query: { source_branch: 'main', state: 'opened' } }),
      get(`/api/v4/projects/1/repository/commits/${COMMIT}/merge_requests`, json([])),
      get(place, json([of(5, 1)]), { query: { page: '2' } }),
    )

    const found = await source().findPullRequests(open(), { projectId: '1', branch: 'main', commit: COMMIT })

    expect(found).toEqual(['5'])
  })
})

liveThroughTroubles({
  connector: hostB,
  credential,
  good: get('/api/v4/user', json({ id: 1 })),
  call: (session) => hostB.check(session),
})
