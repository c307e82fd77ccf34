// Shows a gate's verdict on GitLab: a commit status, and one note of ours on each merge request.

import { z } from 'zod'
import { keepComment } from '../comments.ts'
import { unlessRefused } from '../commit-status.ts'
import { VendorRefused } from '../errors.ts'
import { walkLinks } from '../pages.ts'
import { at } from '../paths.ts'
import type { Session } from '../session.ts'
import type { SourceHost } from '../source-host.ts'
import { forkOf, isOfInterest, refOfFork } from './forks.ts'
import { mergeRequest, note } from './schemas.ts'

const states = { PENDING: 'pending', PASSED: 'success', FAILED: 'failed' } as const

/** The most open merge requests of one branch that get a note. */
const MOST_OPEN = 20
/** The most pages of a hundred that are read to find them: outsiders can open any number. */
const MOST_PAGES = 10

const mergeRequests = z.array(mergeRequest)
const notes = z.array(note)

export const findPullRequests: SourceHost['findPullRequests'] = async (session, { projectId, branch, commit }) => {
  const { client } = session
  const fork = forkOf(branch)
  if (fork !== null) return (await isOfInterest(session, projectId, fork)) ? [fork] : []
  const [open, ofCommit] = await Promise.all([
    ownRequests(session, projectId, branch),
    client.get(at`/projects/${projectId}/repository/commits/${commit}/merge_requests`, mergeRequests),
  ])
  const merged = ofCommit.filter(({ state, target }) => state === 'merged' && target === branch)
  return [...new Set([...open, ...merged].map(({ iid }) => iid))]
}

/** The open ones from a branch of the project itself: any number of forks may have a branch of the same name. */
async function ownRequests({ client }: Session, projectId: string, branch: string) {
  const query = { source_branch: branch, state: 'opened', per_page: 100 }
  const found: z.output<typeof mergeRequests> = []
  let pages = 0
  for await (const page of walkLinks(
    client,
    { path: at`/projects/${projectId}/merge_requests`, query },
    mergeRequests,
  )) {
    found.push(...page.filter(({ from }) => from === undefined || from === projectId))
    pages += 1
    if (found.length >= MOST_OPEN || pages === MOST_PAGES) break
  }
  return found.slice(0, MOST_OPEN)
}

export const reportCommit: SourceHost['reportCommit'] = async ({ client }, report) => {
  const { projectId, branch, commit, pullRequests, key, state, title, url } = report
  const fork = forkOf(branch)
  const status = {
    state: states[state],
    name: key,
    target_url: url,
    description: title.slice(0, 255).toWellFormed(),
    ...(fork !== null && { ref: refOfFork(fork) }),
  }
  await client
    .post(at`/projects/${projectId}/statuses/${commit}`, status, null, { repeatable: true })
    .catch(fork === null ? unlessItStands : unlessRefused)
  for (const iid of pullRequests) {
    const thread = at`/projects/${projectId}/merge_requests/${iid}/notes`
    await keepComment(report, {
      async *walk() {
        const step = { path: thread, query: { sort: 'asc', order_by: 'created_at', per_page: 100 } }
        for await (const page of walkLinks(client, step, notes)) yield* page
      },
      create: (body) => client.post(thread, { body }, null),
      update: (id, body) => client.put(at`/projects/${projectId}/merge_requests/${iid}/notes/${id}`, { body }, null),
    })
  }
}

/** GitLab refuses to set the state that a commit already has. */
function unlessItStands(error: unknown): void {
  if (error instanceof VendorRefused && error.kind === 'INVALID' && /cannot transition/i.test(error.message)) return
  throw error
}
