// A stateful fake of HostB: one project whose branches move as a test says; it records what it is sent.

import { createHmac, randomBytes } from 'node:crypto'
import type { Answer, Seen } from './exchanges.ts'
import { answerFrom, type MergeRequest, remembered } from './source-host-answers.ts'
import { vendorContracts } from './vendor-contract.ts'
import { serveVendor } from './vendor-fake.ts'

export const newCommit = (): string => randomBytes(20).toString('hex')

/** `mayHook` false: the credential may make no webhook; `signs` false: the instance is too old to sign. */
export async function startSourceHost({
  mayHook = true,
  signs = true,
  // a new origin each time, so that jobs left behind by an earlier test reach nobody
  origin = `https://git-${randomBytes(6).toString('hex')}.example.test`,
} = {}) {
  const memory = remembered(mayHook, signs)
  const { branches, forks, files, requests, notes, statuses, hooks, compared, gone } = memory
  const contract = vendorContracts(['gitlab/gitlab', 'own/oauth'])
  const host = {
    /** Answers instead of the fake; null leaves the answer to it. */
    trouble: (_: Seen): Answer | null => null,
  }
  const { seen } = await serveVendor(origin, (asked) => host.trouble(asked) ?? answerFrom(memory, asked), contract)

  return Object.assign(host, {
    origin,
    seen,
    hooks,
    statuses,
    compared,
    notesOf: (iid: number) => notes.get(String(iid))?.map(({ body }) => body) ?? [],
    open: (request: MergeRequest) => void requests.push(request),
    /** Moves a branch to an existing commit. */
    place(branch: string, commit: string): void {
      const parent = branches.get(branch)?.commit ?? null
      branches.set(branch, { commit, parent, at: new Date(Date.now() + 60_000).toISOString() })
    },
    /** Removes the commit, as rewriting the history would. */
    forget: (commit: string) => void gone.add(commit),
    /** Moves a branch to a new commit that changes one file, and returns the commit. */
    push(branch: string, { at = new Date(Date.now() + 60_000).toISOString() } = {}): string {
      const commit = newCommit()
      branches.set(branch, { commit, parent: branches.get(branch)?.commit ?? newCommit(), at })
      files.set(commit, { path: 'src/app.ts', diff: '@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n' })
      return commit
    },
    /** Moves a merge request from another project to a new commit, and returns the commit. */
    pushFork(iid: number, { target = 'main', base = newCommit(), state = 'opened', from = 2 } = {}): string {
      const commit = newCommit()
      forks.set(String(iid), { commit, base, target, state, from })
      files.set(commit, { path: 'src/app.ts', diff: '@@ -1,2 +1,2 @@\n one\n-two\n+THREE\n' })
      return commit
    },
    /** A delivery of the webhook, as HostB would send it. */
    delivery(told: object, { id = randomBytes(6).toString('hex'), at = Math.floor(Date.now() / 1000) } = {}) {
      const [hook] = hooks
      if (!hook) throw new Error('No webhook was made')
      const body = JSON.stringify(told)
      const key = Buffer.from(hook.signing_token.replace('whsec_', ''), 'base64')
      const signature = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')
      const proof: Record<string, string> = signs
        ? { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': `v1,${signature}` }
        : { 'x-gitlab-token': hook.token }
      const headers: Record<string, string> = { 'content-type': 'application/json', ...proof }
      return { path: new URL(hook.url).pathname, headers, body }
    },
  })
}

export const forkRequestOf = (iid: number, commit: string, more: Record<string, unknown> = {}) => ({
  object_kind: 'merge_request',
  object_attributes: {
    iid,
    action: 'open',
    source_branch: 'main',
    target_branch: 'main',
    source_project_id: 2,
    target_project_id: 1,
    last_commit: { id: commit },
    ...more,
  },
})

export const pushOf = (branch: string, after: string, before = '0'.repeat(40)) => ({
  object_kind: 'push',
  ref: `refs/heads/${branch}`,
  before,
  after,
})
