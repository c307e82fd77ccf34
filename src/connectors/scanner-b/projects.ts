// What an asset can be linked to in ScannerB: a project of one of its organisations.

import { badUserInput } from '../../core/errors.ts'
import { at } from '../paths.ts'
import type { ExternalProject, Listing, ListQuery, Session } from '../session.ts'
import { VERSION, walkList } from './paging.ts'
import { orgsSchema, type ProjectFacts, projectSchema, projectsSchema } from './schemas.ts'

/** An id names the organisation before the project, as the vendor's calls need both. */
export type ProjectId = { org: string; project: string }

export function readProjectId(projectId: string): ProjectId {
  const [, org, project] = /^([0-9a-fA-F-]{1,64})\/([0-9a-fA-F-]{1,64})$/.exec(projectId) ?? []
  if (org !== undefined && project !== undefined) return { org, project }
  throw badUserInput('An id of ScannerB is the id of the organisation, a slash and the id of the project')
}

/** Pages that are read for one answer: the vendor's lists cannot be begun in the middle, nor searched by a part of the name. */
const MOST_PAGES = 60

export async function listProjects(
  session: Session,
  { search, page, limit }: ListQuery,
): Promise<Listing<ExternalProject>> {
  const wanted = search?.toLowerCase() ?? ''
  const found: ExternalProject[] = []
  for await (const item of everyProject(session)) {
    if (item === 'MORE') return { items: found.slice((page - 1) * limit), total: null }
    if (item.name.toLowerCase().includes(wanted)) found.push(item)
    // one more than is shown tells that there is a next page
    if (found.length > page * limit) return { items: found.slice((page - 1) * limit, page * limit), total: null }
  }
  return { items: found.slice((page - 1) * limit, page * limit), total: found.length }
}

/** MORE when there are more than are read. */
async function* everyProject(session: Session): AsyncGenerator<ExternalProject | 'MORE'> {
  let pages = 0
  for await (const orgs of walkList(session, at`/orgs`, orgsSchema)) {
    pages += 1
    for (const { id: org, attributes } of orgs.data) {
      for await (const { data } of walkList(session, at`/orgs/${org}/projects`, projectsSchema)) {
        if (pages >= MOST_PAGES) return yield 'MORE'
        pages += 1
        yield* data.map(({ id, attributes: project }) => ({
          id: `${org}/${id}`,
          name: `${attributes.name} / ${project.name}`,
          branches: project.target_reference ? [project.target_reference] : [],
        }))
      }
    }
  }
}

export async function readProject({ client }: Session, { org, project }: ProjectId): Promise<ProjectFacts> {
  const query = { version: VERSION }
  return (await client.get(at`/orgs/${org}/projects/${project}`, projectSchema, { query })).data.attributes
}
