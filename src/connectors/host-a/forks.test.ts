// HostA reads pull requests from forks, and their diffs, from our own repository and from nowhere else.

import { expect, test } from 'vitest'
import { FOREIGN } from '../../../test/testkit/vendor-answers.ts'
import { vendorContract } from '../../../test/testkit/vendor-contract.ts'
import { fakeVendor, get, json, post, type Step } from '../../../test/testkit/vendor-fake.ts'
import { fakeSession } from '../../../test/testkit/vendor-session.ts'
import type { SourceHost } from '../source-host.ts'
import { hostA } from './index.ts'

const ORIGIN = 'https://api.bitbucket.org'
const REPOSITORY = '{0a1b2c3d-0000-4000-8000-000000000002}'
const PROJECT = `acme/${REPOSITORY}`
const HOME = `/2.0/repositories/acme/${encodeURIComponent(REPOSITORY)}`
const COMMIT = '7f71b5acd4af07bd2cdc11f2a1a5a6a3f0f0a1b2'

const source = (): SourceHost => {
  if (!hostA.source) throw new Error('HostA has repositories')
  return hostA.source
}
const open = () => fakeSession(hostA, { kind: 'TOKEN', token: 'token-canary' })
const serve = (...steps: Step[]) => fakeVendor(ORIGIN, steps, vendorContract('bitbucket/bitbucket'))
const [ours, theirs] = [COMMIT.slice(0, 12), '2'.repeat(12)]
const spec = `stranger/site:${theirs}%0D${ours}`
const home = '/2.0/repositories/acme/site'
const own = { type: 'repository', uuid: REPOSITORY, full_name: 'acme/site' }
const forked = { type: 'repository', uuid: '{fork}', full_name: 'stranger/site' }
const request = (diff: string, state = 'OPEN', from: object | undefined = forked) => ({
  type: 'pullrequest',
  id: 8,
  state,
  source: { branch: { name: 'main' }, commit: { hash: theirs }, ...(from && { repository: from }) },
  destination: { branch: { name: 'main' }, commit: { hash: ours }, repository: own },
  links: { diff: { href: diff } },
})
const named = `${ORIGIN}${home}/diff/${spec}?from_pullrequest_id=8&topic=true`
const asked = (diff: string, state?: string, from?: object) =>
  get(`${HOME}/pullrequests/8`, json(request(diff, state, from)))
const range = { projectId: PROJECT, from: COMMIT, to: theirs, branch: 'pull-request:8' }

test('a pull request from a fork stands at its commit while it is open, and is for the branch that it names', async () => {
  await serve(
    asked(named),
    asked(named, 'MERGED'),
    asked(named, 'OPEN', own),
    asked(named, 'OPEN', undefined),
    get(`${HOME}/pullrequests/9`, json({ type: 'error', error: { message: 'Gone' } }, { status: 404 })),
  )
  const head = (branch = 'pull-request:8') => source().getHead(open(), PROJECT, branch)

  const found = [await head(), await head(), await head(), await head(), await head('pull-request:9')]

  const open8 = { branch: 'pull-request:8', commit: theirs, parent: ours, at: null, target: 'main' }
  expect(found).toEqual([open8, null, null, open8, null])
})

test('a pull request from a fork has its diff at our own repository, straight from the commit of its target', async () => {
  await serve(
    asked(named),
    get(
      `${home}/diff/${spec}`,
      { text: 'diff --git a/x b/x\n' },
      { query: { topic: 'false', from_pullrequest_id: '8' } },
    ),
  )

  const { chunks } = await source().openDiff(open(), range)

  expect(Buffer.concat(await Array.fromAsync(chunks)).toString()).toBe('diff --git a/x b/x\n')
})

test('a pull request from a fork has no diff from any other commit', async () => {
  await serve(asked(named), asked(named))

  const between = [
    { ...range, from: '3'.repeat(40) },
    { ...range, to: '3'.repeat(40) },
  ].map((other) => source().openDiff(open(), other))

  for (const diff of between) await expect(diff).rejects.toMatchObject({ kind: 'MISSING' })
})

test.each([
  ['another host', `${FOREIGN}/2.0/repositories/acme/site/diff/a`],
  ['the fork', `${ORIGIN}/2.0/repositories/stranger/site/diff/a`],
  ['something that is no diff', `${ORIGIN}${home}/src/a`],
  ['our repository in a part of its path', `${ORIGIN}/2.0/repositories/x/y/src/repositories/acme/site/diff/a`],
])('the diff of a pull request from a fork is not asked for at %s', async (_, diff) => {
  await serve(asked(diff))

  await expect(source().openDiff(open(), range)).rejects.toMatchObject({ kind: 'LED_ELSEWHERE' })
})

test('a pull request from a fork gets its comment alone where the repository takes no status for its commit', async () => {
  const fake = await serve(
    asked(named),
    post(`${HOME}/commit/${theirs}/statuses/build`, json({ type: 'error', error: { message: 'No' } }, { status: 404 })),
    get(`${HOME}/pullrequests/8/comments`, json({ pagelen: 100, values: [] })),
    post(`${HOME}/pullrequests/8/comments`, json({ type: 'pullrequest_comment', id: 1 }, { status: 201 })),
  )
  const place = { projectId: PROJECT, branch: 'pull-request:8', commit: theirs }

  const pullRequests = await source().findPullRequests(open(), place)
  const words = { key: 'merlon-1', title: 'Passed', summary: 'Passed', url: 'https://merlon.example.test/' }
  await source().reportCommit(open(), { ...place, ...words, pullRequests, state: 'PASSED' })

  expect(pullRequests).toEqual(['8'])
  expect(fake.seen).toHaveLength(4)
})
