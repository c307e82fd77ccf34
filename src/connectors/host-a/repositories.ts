// Workspaces, repositories, branches and diffs of Bitbucket.

import { VendorRefused } from '../errors.ts'
import { walkNext } from '../pages.ts'
import { at, type Path } from '../paths.ts'
import type { ExternalProject, Owner, Session } from '../session.ts'
import type { SourceHost } from '../source-host.ts'
import { firstOf, pageOfPages, pageOfWalk } from '../windows.ts'
import { forkOf, headOfFork, pathOfForkDiff } from './forks.ts'
import { NAME, repositoryPath } from './naming.ts'
import { branch, pageOf, repository, workspace, workspaceAccess } from './schemas.ts'

/** Entries per page, the most that Bitbucket allows. */
const LARGEST = 100
/** Branches per repository that a list of repositories shows. */
const MOST_BRANCHES = 500
/** The largest diff in bytes; the caller applies the installation's own limit. */
const LARGEST_DIFF = 1024 * 1024 * 1024
/** Milliseconds for a diff to arrive. */
const DIFF_TIMEOUT = 600_000

const workspaces = pageOf(workspaceAccess)
const repositories = pageOf(repository)
const branches = pageOf(branch)

type Found = { uuid: string; slug: string }

/** The workspaces that the credential sees and the integration is held to. */
async function* walkWorkspaces({ client, settings }: Session): AsyncGenerator<Found> {
  const step = { path: at`/user/workspaces`, query: { pagelen: LARGEST, sort: 'slug' } }
  const isHeld = ({ uuid, slug }: Found) =>
    settings.workspaceIds.length === 0 || settings.workspaceIds.some((id) => id === uuid || id === slug)
  for await (const { values } of walkNext(client, step, workspaces, ({ next }) => next)) yield* values.filter(isHeld)
}

/** Workspaces by a part of the slug; their names are fetched one by one, because the list has none. */
export const listOwners: SourceHost['listOwners'] = async (session, query) => {
  const wanted = query.search?.toLowerCase() ?? ''
  async function* matching() {
    for await (const found of walkWorkspaces(session)) if (found.slug.toLowerCase().includes(wanted)) yield found
  }
  const { items, total } = await pageOfWalk(query, matching())
  return { items: await Promise.all(items.map((found) => named(session, found))), total }
}

async function named({ client }: Session, { uuid, slug }: Found): Promise<Owner> {
  const { name } = await client.get(at`/workspaces/${slug}`, workspace).catch(unless({ name: null }))
  return { id: slug, uuid, name: name ?? slug }
}

/** The replacement for something that the credential may not see. */
const unless =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (error instanceof VendorRefused && (error.kind === 'MISSING' || error.kind === 'PERMISSION')) return instead
    throw error
  }

export const listProjects: SourceHost['listProjects'] = async (session, query) => {
  const { client, settings } = session
  const { ownerId, search } = query
  const asked = {
    role: 'member',
    sort: 'name',
    ...(search && { q: `name ~ "${search.replace(/[\\"]/g, '\\$&')}"` }),
  }
  if (ownerId !== null) await requireHeld(session, ownerId)
  const found =
    ownerId === null
      ? await pageOfWalk(query, walkAll(session, asked))
      : await pageOfPages(query, LARGEST, async (page, pagelen) => {
          const given = await client.get(at`/repositories/${ownerId}`, repositories, {
            query: { ...asked, page, pagelen },
          })
          return { items: given.values, total: given.size ?? null }
        })
  const items = await Promise.all(
    found.items.map(async ({ workspace: owner, uuid, name }): Promise<ExternalProject> => {
      const id = `${owner}/${uuid}`
      return { id, name, branches: await branchNames({ client, settings }, id) }
    }),
  )
  return { items, total: found.total }
}

async function requireHeld(session: Session, ownerId: string): Promise<void> {
  if (session.settings.workspaceIds.length === 0 || session.settings.workspaceIds.includes(ownerId)) return
  for await (const { uuid, slug } of walkWorkspaces(session)) if (ownerId === uuid || ownerId === slug) return
  throw new VendorRefused(NAME, 'PERMISSION', { detail: 'the integration is held to other workspaces' })
}

/** The repositories of all workspaces, one after another. */
async function* walkAll(session: Session, query: Record<string, string>) {
  const { client } = session
  for await (const { slug } of walkWorkspaces(session)) {
    const step = { path: at`/repositories/${slug}`, query: { ...query, pagelen: LARGEST } }
    for await (const { values } of walkNext(client, step, repositories, ({ next }) => next)) yield* values
  }
}

const refsOf = (projectId: string): Path => {
  const { workspace: owner, uuid } = repositoryPath(projectId)
  return at`/repositories/${owner}/${uuid}/refs/branches`
}

async function* walkBranches({ client }: Pick<Session, 'client'>, projectId: string, query: Record<string, string>) {
  const step = { path: refsOf(projectId), query: { ...query, pagelen: LARGEST } }
  for await (const { values } of walkNext(client, step, branches, ({ next }) => next)) yield* values
}

const branchNames = (session: Pick<Session, 'client' | 'settings'>, projectId: string): Promise<string[]> =>
  firstOf(walkBranches(session, projectId, {}), MOST_BRANCHES)
    .then((found) => found.map((one) => one.branch))
    .catch(unless<string[]>([]))

export const getProject: SourceHost['getProject'] = async (session, projectId) => {
  const { workspace: owner, uuid } = repositoryPath(projectId)
  const found = await session.client.get(at`/repositories/${owner}/${uuid}`, repository)
  await requireHeld(session, found.workspace)
  return { id: `${found.workspace}/${found.uuid}`, name: found.name, defaultBranch: found.mainBranch }
}

export const getHead: SourceHost['getHead'] = async (session, projectId, name) => {
  const fork = forkOf(name)
  if (fork !== null) return headOfFork(session, projectId, fork).catch(unless(null))
  const q = `name = "${name.replace(/[\\"]/g, '\\$&')}"`
  const { values } = await session.client.get(refsOf(projectId), branches, { query: { q } })
  return values.find((found) => found.branch === name) ?? null
}

export const listHeads: SourceHost['listHeads'] = (session, projectId, most) =>
  firstOf(walkBranches(session, projectId, { sort: '-target.date' }), most)

/** Bitbucket names the newer commit first, unlike git; `topic` compares with the merge base. */
export const openDiff: SourceHost['openDiff'] = async (session, range) => {
  const { projectId, from, to, branch: name = '' } = range
  const { workspace: owner, uuid } = repositoryPath(projectId)
  const fork = forkOf(name)
  const options = { largest: LARGEST_DIFF, timeout: DIFF_TIMEOUT }
  const chunks =
    fork === null
      ? await session.client.stream(at`/repositories/${owner}/${uuid}/diff/${`${to}..${from}`}`, {
          ...options,
          query: { topic: false },
        })
      : await session.client.stream(await pathOfForkDiff(session, range, fork), options)
  return { chunks, leftOut: () => [] }
}
