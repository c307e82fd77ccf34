// How the fake HostB answers: its project, branches, merge requests, notes, statuses and webhooks, from what it remembers.

import type { Answer, Seen } from './exchanges.ts'
import { json } from './vendor-fake.ts'

const HOME = '/api/v4/projects/1'

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

/** What the host remembers. `mayHook` false: the credential may make no webhook; `signs` false: the instance is too old to sign. */
type Remembered = {
  mayHook: boolean
  signs: boolean
  branches: Map<string, Branch>
  forks: Map<string, Fork>
  /** by commit, the one file that it changes */
  files: Map<string, { path: string; diff: string }>
  requests: MergeRequest[]
  notes: Map<string, { id: number; body: string }[]>
  statuses: Record<string, unknown>[]
  hooks: Hook[]
  /** the comparisons that were asked for, `from..to` */
  compared: string[]
  /** commits that were rewritten away */
  gone: Set<string>
}

export const remembered = (mayHook: boolean, signs: boolean): Remembered => ({
  mayHook,
  signs,
  branches: new Map(),
  forks: new Map(),
  files: new Map(),
  requests: [],
  notes: new Map(),
  statuses: [],
  hooks: [],
  compared: [],
  gone: new Set(),
})

const project = { id: 1, name: 'site', path_with_namespace: 'acme/site', default_branch: 'main' }

const shown = ({ iid, state, target }: MergeRequest) => ({ iid, state, target_branch: target })

const missing = (what: string) => json({ message: `404 ${what} Not Found` }, { status: 404 })

const shownBranch = ({ branches }: Remembered, name: string) => {
  const found = branches.get(name)
  const { commit: id, parent, at } = found ?? { commit: '', parent: null, at: '' }
  return found && { name, commit: { id, parent_ids: parent === null ? [] : [parent], committed_date: at } }
}

const hooked = ({ mayHook, signs, hooks }: Remembered, { method, body }: Seen): Answer => {
  if (!mayHook) return json({ message: '403 Forbidden' }, { status: 403 })
  if (method === 'GET') return json(hooks.map(({ id, url }) => ({ id, url })))
  const made = { id: hooks.length + 1, ...(body as Omit<Hook, 'id'>) }
  hooks.push(made)
  return json({ id: made.id, url: made.url, ...(signs && { signing_token_present: true }) }, { status: 201 })
}

const oneHook = ({ signs, hooks }: Remembered, { method }: Seen, id: string | undefined): Answer => {
  const known = hooks.find((hook) => String(hook.id) === id)
  if (!known) return missing('Hook')
  if (method === 'PUT') return json({ id: known.id, url: known.url, ...(signs && { signing_token_present: true }) })
  hooks.splice(hooks.indexOf(known), 1)
  return { status: 204 }
}

const comparison = ({ compared, gone, files }: Remembered, { query: { from = '', to = '' } }: Seen): Answer => {
  compared.push(`${from}..${to}`)
  if (gone.has(from)) return missing('Commit')
  const { path = '', diff = '' } = files.get(to) ?? {}
  const change = { old_path: path, new_path: path, a_mode: '100644', b_mode: '100644', diff }
  return json({ diffs: path === '' ? [] : [change], compare_timeout: false })
}

const fork = ({ forks }: Remembered, iid: string): Answer => {
  const found = forks.get(iid)
  if (!found) return missing('Merge request')
  const { commit: sha, base: base_sha, target: target_branch, state, from } = found
  // the description has these ids as text
  const ids = { source_project_id: String(from), target_project_id: '1' }
  return json({ iid: Number(iid), state, sha, target_branch, ...ids, diff_refs: { base_sha } })
}

const noted = ({ notes }: Remembered, { method, body }: Seen, iid: string, number: string | undefined): Answer => {
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

const withStatus = ({ statuses }: Remembered, { body }: Seen, commit: string | undefined): Answer => {
  statuses.push({ commit, ...(body as object) })
  return json({ id: statuses.length, sha: commit })
}

type Route = [pattern: RegExp, give: (host: Remembered, asked: Seen, ...parts: string[]) => Answer | undefined]

const routes: Route[] = [
  [/^\/api\/v4\/user$/, () => json({ id: 1 })],
  [/^\/api\/v4\/projects$/, () => json([project])],
  [/^\/api\/v4\/projects\/1$/, () => json(project)],
  [/\/hooks$/, hooked],
  [/\/hooks\/(\d+)$/, oneHook],
  [/\/repository\/branches$/, (host) => json([...host.branches.keys()].map((name) => shownBranch(host, name)))],
  [/\/repository\/branches\/(.+)$/, (host, _, name = '') => json(shownBranch(host, name))],
  [/\/repository\/compare$/, comparison],
  [
    /\/commits\/(\w+)\/merge_requests$/,
    ({ requests }, _, commit = '') => json(requests.filter(({ commits }) => commits.includes(commit)).map(shown)),
  ],
  [
    /\/merge_requests$/,
    ({ requests }, { query }) =>
      json(requests.filter(({ source, state }) => source === query.source_branch && state === 'opened').map(shown)),
  ],
  [/\/merge_requests\/(\d+)$/, (host, _, iid = '') => fork(host, iid)],
  [/\/merge_requests\/(\d+)\/notes(?:\/(\d+))?$/, (host, asked, iid = '', number) => noted(host, asked, iid, number)],
  [/\/statuses\/(\w+)$/, withStatus],
]

/** Null for an address that this host does not have. */
export function answerFrom(host: Remembered, asked: Seen): Answer | null {
  const path = decodeURIComponent(asked.path)
  for (const [pattern, give] of routes) {
    const [whole, ...parts] = pattern.exec(path) ?? []
    if (whole === undefined || !(path.startsWith(HOME) || ['/api/v4/user', '/api/v4/projects'].includes(path))) continue
    return give(host, asked, ...parts) ?? null
  }
  return null
}
