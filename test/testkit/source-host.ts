// A stateful fake of HostB: one project whose branches move as a test says; it records what it is sent.

import { createHmac, randomBytes } from 'node:crypto'
import { vendorContracts } from './vendor-contract.ts'
import { type Answer, json, type Seen, serveVendor } from './vendor-fake.ts'

const HOME = '/api/v4/projects/1'

export const newCommit = (): string => randomBytes(20).toString('hex')

export type MergeRequest = {
  iid: number
  source: string
  target: string
  state: 'opened' | 'merged'
  commits: string[]
}
type Fork = { commit: string; base: string; target: string; state: string; from: number }
type Branch = { commit: string; parent: string | null; at: string }
type Hook = { id: number; url: string; token: string; signing_token: string }

/**
 * With `mayHook` false, the credential may not create webhooks; with `signs` false, the instance is too old to sign
 * deliveries.
 */
export async function startSourceHost({
  mayHook = true,
  signs = true,
  // a new origin each time, so that jobs left behind by an earlier test reach nobody
  origin = `https://git-${randomBytes(6).toString('hex')}.example.test`,
} = {}) {
  const branches = new Map<string, Branch>()
  const forks = new Map<string, Fork>()
  const files = new Map<string, { path: string; diff: string }>()
  const requests: MergeRequest[] = []
  const notes = new Map<string, { id: number; body: string }[]>()
  const statuses: Record<string, unknown>[] = []
  const hooks: Hook[] = []
  const compared: string[] = []
  const gone = new Set<string>()

  const shownBranch = (name: string) => {
    const found = branches.get(name)
    const { commit: id, parent, at } = found ?? { commit: '', parent: null, at: '' }
    return found && { name, commit: { id, parent_ids: parent === null ? [] : [parent], committed_date: at } }
  }
  const shown = ({ iid, state, target }: MergeRequest) => ({ iid, state, target_branch: target })
  const missing = (what: string) => json({ message: `404 ${what} Not Found` }, { status: 404 })

  const hooked = ({ method, body }: Seen): Answer => {
    if (!mayHook) return json({ message: '403 Forbidden' }, { status: 403 })
    if (method === 'GET') return json(hooks.map(({ id, url }) => ({ id, url })))
    const made = { id: hooks.length + 1, ...(body as Omit<Hook, 'id'>) }
    hooks.push(made)
    return json({ id: made.id, url: made.url, ...(signs && { signing_token_present: true }) }, { status: 201 })
  }
  const comparison = ({ query: { from = '', to = '' } }: Seen): Answer => {
    compared.push(`${from}..${to}`)
    if (gone.has(from)) return missing('Commit')
    const { path = '', diff = '' } = files.get(to) ?? {}
    const change = { old_path: path, new_path: path, a_mode: '100644', b_mode: '100644', diff }
    return json({ diffs: path === '' ? [] : [change], compare_timeout: false })
  }
  const noted = ({ method, body }: Seen, iid: string, number: string | undefined): Answer => {
    const thread = notes.get(iid) ?? []
    notes.set(iid, thread)
    if (method === 'GET') return json(thread)
    const said = (body as { body: string }).body
    const there = thread.find(({ id }) => String(id) === number)
    if (there) there.body = said
    const note = there ?? { id: thread.length + 1, body: said }
    if (!there) thread.push(note)
    return json(note, { status: there ? 200 : 201 })
  }

  const project = { id: 1, name: 'site', path_with_namespace: 'acme/site', default_branch: 'main' }
  const routes: [RegExp, (asked: Seen, ...parts: string[]) => Answer | undefined][] = [
    [/^\/api\/v4\/user$/, () => json({ id: 1 })],
    [/^\/api\/v4\/projects$/, () => json([project])],
    [/^\/api\/v4\/projects\/1$/, () => json(project)],
    [/\/hooks$/, hooked],
    [
      /\/hooks\/(\d+)$/,
      ({ method }, id) => {
        const known = hooks.find((hook) => String(hook.id) === id)
        if (!known) return missing('Hook')
        if (method === 'PUT')
          return json({ id: known.id, url: known.url, ...(signs && { signing_token_present: true }) })
        hooks.splice(hooks.indexOf(known), 1)
        return { status: 204 }
      },
    ],
    [/\/repository\/branches$/, () => json([...branches.keys()].map(shownBranch))],
    [/\/repository\/branches\/(.+)$/, (_, name = '') => json(shownBranch(name))],
    [/\/repository\/compare$/, comparison],
    [
      /\/commits\/(\w+)\/merge_requests$/,
      (_, commit = '') => json(requests.filter(({ commits }) => commits.includes(commit)).map(shown)),
    ],
    [
      /\/merge_requests$/,
      ({ query }) =>
        json(requests.filter(({ source, state }) => source === query.source_branch && state === 'opened').map(shown)),
    ],
    [
      /\/merge_requests\/(\d+)$/,
      (_, iid = '') => {
        const found = forks.get(iid)
        const { commit: sha, base: base_sha, target: target_branch, state, from } = found ?? { from: 0 }
        // the description has these ids as strings
        const ids = { source_project_id: String(from), target_project_id: '1' }
        return found
          ? json({ iid: Number(iid), state, sha, target_branch, ...ids, diff_refs: { base_sha } })
          : missing('Merge request')
      },
    ],
    [/\/merge_requests\/(\d+)\/notes(?:\/(\d+))?$/, (asked, iid = '', number) => noted(asked, iid, number)],
    [
      /\/statuses\/(\w+)$/,
      ({ body }, commit) => {
        statuses.push({ commit, ...(body as object) })
        return json({ id: statuses.length, sha: commit })
      },
    ],
  ]

  const answer = (asked: Seen): Answer | null => {
    const path = decodeURIComponent(asked.path)
    for (const [pattern, give] of routes) {
      const [whole, ...parts] = pattern.exec(path) ?? []
      if (whole === undefined || !(path.startsWith(HOME) || ['/api/v4/user', '/api/v4/projects'].includes(path)))
        continue
      return give(asked, ...parts) ?? null
    }
    return null
  }
  const contract = vendorContracts(['gitlab/gitlab', 'own/oauth'])
  const host = {
    /** Answers instead of the fake; null leaves the answer to it. */
    trouble: (_: Seen): Answer | null => null,
  }
  const { seen } = await serveVendor(origin, (asked) => host.trouble(asked) ?? answer(asked), contract)

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
