// Groups, projects and branches of GitLab.

import { z } from 'zod'
import { VendorRefused } from '../errors.ts'
import { walkLinks } from '../pages.ts'
import { at, type Path } from '../paths.ts'
import type { Listing, Session } from '../session.ts'
import type { SourceHost } from '../source-host.ts'
import { firstOf, pageOfPages, pageOfWalk } from '../windows.ts'
import { forkOf, headOfFork } from './forks.ts'
import { branch, group, project } from './schemas.ts'

export const NAME = 'HostB'

/** Entries per page, the most that GitLab allows. */
const LARGEST = 100
/** Branches per project that a list of projects shows. */
const MOST_BRANCHES = 1_000
/** Access levels: a reporter may read a project, and a developer may set a commit status. */
const DEVELOPER = 30

const groups = z.array(group)
const projects = z.array(project)
const branches = z.array(branch)

/** A page by its number; GitLab omits the total above 10,000. */
async function fetchPage<T>(
  { client }: Pick<Session, 'client'>,
  path: Path,
  schema: z.ZodType<T[]>,
  query: Record<string, string | number | boolean>,
): Promise<Listing<T>> {
  const { value, headers } = await client.answer('GET', path, schema, { query })
  const total = headers['x-total']?.trim() ?? ''
  return { items: value, total: /^\d{1,9}$/.test(total) ? Number(total) : null }
}

/** The groups that the credential may work in and the integration is held to. */
export const listOwners: SourceHost['listOwners'] = async (session, query) => {
  const { groupIds } = session.settings
  const search = query.search?.trim() ?? ''
  if (groupIds.length > 0) {
    const held = await Promise.all(groupIds.map((id) => session.client.get(at`/groups/${id}`, group).catch(ifHidden)))
    const seen = held.filter((one) => one !== null)
    return pageOfWalk(query, each(seen.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))))
  }
  const asked = { min_access_level: DEVELOPER, order_by: 'name', ...(search !== '' && { search }) }
  return pageOfPages(query, LARGEST, (page, per_page) =>
    fetchPage(session, at`/groups`, groups, { ...asked, page, per_page }),
  )
}

async function* each<T>(items: readonly T[]) {
  yield* items
}

function ifHidden(error: unknown): null {
  if (error instanceof VendorRefused && (error.kind === 'MISSING' || error.kind === 'PERMISSION')) return null
  throw error
}

export const listProjects: SourceHost['listProjects'] = async (session, query) => {
  const { client, settings } = session
  const { ownerId, search } = query
  const asked = {
    archived: false,
    simple: true,
    order_by: 'name',
    sort: 'asc',
    ...(search && { search }),
  }
  const ofGroup = { ...asked, include_subgroups: true }
  if (ownerId !== null && settings.groupIds.length > 0 && !settings.groupIds.includes(ownerId)) {
    throw notHeld()
  }
  async function* ofHeldGroups() {
    for (const id of settings.groupIds) {
      const step = { path: at`/groups/${id}/projects`, query: { ...ofGroup, per_page: LARGEST } }
      for await (const page of walkLinks(client, step, projects)) yield* page
    }
  }
  const isHeld = ownerId === null && settings.groupIds.length > 0
  const found = isHeld
    ? await pageOfWalk(query, ofHeldGroups())
    : await pageOfPages(query, LARGEST, (page, per_page) =>
        ownerId === null
          ? fetchPage(session, at`/projects`, projects, { ...asked, membership: true, page, per_page })
          : fetchPage(session, at`/groups/${ownerId}/projects`, projects, { ...ofGroup, page, per_page }),
      )
  const items = await Promise.all(
    found.items.map(async ({ id, name }) => ({ id, name, branches: await branchNames(session, id) })),
  )
  return { items, total: found.total }
}

async function* walkBranches({ client }: Session, projectId: string, query: Record<string, string>) {
  const step = { path: at`/projects/${projectId}/repository/branches`, query: { ...query, per_page: LARGEST } }
  for await (const page of walkLinks(client, step, branches)) yield* page
}

/** Empty for a project that has no repository, or whose repository the credential may not see. */
async function branchNames(session: Session, projectId: string): Promise<string[]> {
  const found = await firstOf(walkBranches(session, projectId, {}), MOST_BRANCHES).catch(ifHidden)
  return found?.map((one) => one.branch) ?? []
}

export const getProject: SourceHost['getProject'] = async (session, projectId) => {
  const found = await session.client.get(at`/projects/${projectId}`, project)
  await requireHeld(session, found.name)
  return found
}

/** A project of a group has a path below the group's. */
async function requireHeld({ client, settings }: Session, path: string): Promise<void> {
  if (settings.groupIds.length === 0) return
  for (const id of settings.groupIds) {
    const held = await client.get(at`/groups/${id}`, group).catch(ifHidden)
    if (held && path.startsWith(`${held.uuid}/`)) return
  }
  throw notHeld()
}

const notHeld = () => new VendorRefused(NAME, 'PERMISSION', { detail: 'the integration is held to other groups' })

export const getHead: SourceHost['getHead'] = (session, projectId, name) => {
  const fork = forkOf(name)
  const asked =
    fork === null
      ? session.client.get(at`/projects/${projectId}/repository/branches/${name}`, branch)
      : headOfFork(session, projectId, fork)
  return asked.catch(ifHidden)
}

export const listHeads: SourceHost['listHeads'] = (session, projectId, most) =>
  firstOf(walkBranches(session, projectId, { sort: 'updated_desc' }), most)
