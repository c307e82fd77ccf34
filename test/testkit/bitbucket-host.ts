// A fake HostA with one repository whose main branch has one commit to deploy; it records what it is sent.

import { createHmac } from 'node:crypto'
import { pullRequestsFromForks } from './bitbucket-forks.ts'
import type { Data } from './client.ts'
import type { Answer, Seen } from './exchanges.ts'
import { newCommit } from './source-host.ts'
import { vendorContract } from './vendor-contract.ts'
import { json, serveVendor } from './vendor-fake.ts'

const REPOSITORY = '{0a1b2c3d-0000-4000-8000-000000000002}'
const HOME = `/2.0/repositories/acme/${encodeURIComponent(REPOSITORY)}`
const DIFF =
  'diff --git a/a.ts b/a.ts\nindex 1111111..2222222 100644\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-one\n+two\n'

/**
 * Fakes Bitbucket with one repository, whose main branch has moved by one commit; `diff` is the answer to a request for
 * its diff.
 */
export async function startBitbucket() {
  const [parent, commit] = [newCommit(), newCommit()]
  const hook = { url: '', secret: '' }
  const told: Data[] = []
  const diff: { answer: Answer } = { answer: { text: DIFF } }
  const page = (values: unknown[]) => json({ pagelen: 100, values })
  const branch = {
    type: 'branch',
    name: 'main',
    target: { type: 'commit', hash: commit, parents: [{ type: 'commit', hash: parent }] },
  }
  const merged = {
    type: 'pullrequest',
    id: 7,
    state: 'MERGED',
    merge_commit: { type: 'commit', hash: commit.slice(0, 12) },
  }
  const answers: Record<string, (asked: Seen) => Answer> = {
    'GET /2.0/user/workspaces': () => page([]),
    [`GET ${HOME}`]: () =>
      json({
        type: 'repository',
        uuid: REPOSITORY,
        full_name: 'acme/site',
        mainbranch: { type: 'branch', name: 'main' },
      }),
    [`GET ${HOME}/hooks`]: () => page([]),
    [`POST ${HOME}/hooks`]: ({ body }) => {
      Object.assign(hook, body)
      return json({ type: 'webhook_subscription', uuid: '{hook}' }, { status: 201 })
    },
    [`GET ${HOME}/refs/branches`]: () => page([branch]),
    [`GET ${HOME}/diff/${commit}..${parent}`]: () => diff.answer,
    [`GET ${HOME}/pullrequests`]: ({ query }) => page(query.q?.includes('MERGED') ? [merged] : []),
    [`GET ${HOME}/pullrequests/7/comments`]: () => page([]),
    [`POST ${HOME}/pullrequests/7/comments`]: ({ body }) => {
      told.push(body)
      return json({ type: 'pullrequest_comment', id: 1 }, { status: 201 })
    },
    [`POST ${HOME}/commit/${commit}/statuses/build`]: ({ body }) => {
      told.push(body)
      return json({ type: 'build', key: 'merlon', state: 'SUCCESSFUL' }, { status: 201 })
    },
  }
  const forks = pullRequestsFromForks(HOME, REPOSITORY)
  // requests that jobs of an earlier test still make about their own commits and pull requests, which do not exist here
  const ofCommitsAndRequests = ['commit', 'pullrequests', 'diff'].map((of) => `${HOME}/${of}/`)
  const foreign: Answer = { write: (response) => void response.writeHead(404).end() }
  const answer = (asked: Seen) =>
    answers[`${asked.method} ${asked.path}`]?.(asked) ??
    forks.answer(asked) ??
    (ofCommitsAndRequests.some((path) => asked.path.startsWith(path)) ? foreign : null)
  await serveVendor('https://api.bitbucket.org', answer, vendorContract('bitbucket/bitbucket'))
  const moved = (hash: string) => ({ type: 'branch', name: 'main', target: { hash } })
  const delivered = (told: object) => {
    const body = JSON.stringify(told)
    const proof = `sha256=${createHmac('sha256', hook.secret).update(body).digest('hex')}`
    const headers: Record<string, string> = { 'content-type': 'application/json', 'x-hub-signature': proof }
    return { path: new URL(hook.url).pathname, headers, body }
  }
  /** A push delivery of its webhook, as HostA would send it. */
  const delivery = () => delivered({ push: { changes: [{ old: moved(parent), new: moved(commit) }] } })
  /** A delivery about a pull request from a fork, as HostA would send it. */
  const forkDelivery = (id: number, event: 'created' | 'updated') => {
    const { headers, ...rest } = delivered({ repository: { uuid: REPOSITORY }, pullrequest: forks.shown(id) })
    return { ...rest, headers: { ...headers, 'x-event-key': `pullrequest:${event}` } }
  }
  return { projectId: `acme/${REPOSITORY}`, parent, commit, diff, told, forks, delivery, forkDelivery }
}
