// The places for work items in Azure DevOps: projects, teams, boards, and the states of a work item type.

import { VendorRefused } from '../errors.ts'
import { at, type Path } from '../paths.ts'
import type { Listing, Named, Session } from '../session.ts'
import type { Tracker, TrackerPlace, TrackerState } from '../tracker.ts'
import { board, listOf, named, teamFieldValues, workItemState, workItemType } from './schemas.ts'

export const NAME = 'BoardsTracker'

/** The API version, which every call names. */
const VERSION = '7.1'
export const versioned = { 'api-version': VERSION }

const refuse = (detail: string): never => {
  throw new VendorRefused(NAME, 'INVALID', { detail })
}

/** The organization of the integration; INVALID if it has none. */
export const organizationOf = ({ settings }: Session): string =>
  settings.organizationName ?? refuse('give the integration its organizationName')

export const projectOf = ({ project }: TrackerPlace): Named => project ?? refuse('the place has no project')
export const typeOf = ({ workItemType: type }: TrackerPlace): string => type ?? refuse('the place has no workItemType')

/** The base path of a team. */
type TeamPlace = { organization: string; project: string; team: string }
export function teamPlaceOf(session: Session, place: TrackerPlace): TeamPlace {
  const { id } = place.team ?? refuse('the place has no team')
  return { organization: organizationOf(session), project: projectOf(place).id, team: id }
}

const PAGE = 100
/** The most projects that a search reads. */
const MOST_SEARCHED = 2_000

async function all<T>(
  session: Session,
  path: Path,
  item: Parameters<typeof listOf<T>>[0],
  most = MOST_SEARCHED,
): Promise<T[]> {
  const found: T[] = []
  while (found.length < most) {
    const query = { ...versioned, $top: PAGE, $skip: found.length }
    const page = await session.client.get(path, listOf(item), { query })
    found.push(...page)
    if (page.length < PAGE) break
  }
  return found
}

const plain = ({ id, name }: Named) => ({ id, name })

/** The vendor has no search, so a search reads all projects. */
export const listProjects: Tracker['listProjects'] = async (session, { search, page, limit, organizationName }) => {
  const path = at`/${organizationName ?? organizationOf(session)}/_apis/projects`
  const listing = (items: Named[], total: number | null): Listing<Named & { branches: string[] }> => ({
    items: items.map((item) => ({ ...plain(item), branches: [] })),
    total,
  })
  if (search === null) {
    const query = { ...versioned, $top: limit, $skip: (page - 1) * limit }
    return listing(await session.client.get(path, listOf(named), { query }), null)
  }
  const wanted = search.toLowerCase()
  const found = (await all(session, path, named)).filter(({ name }) => name.toLowerCase().includes(wanted))
  return listing(found.slice((page - 1) * limit, page * limit), found.length)
}

export const listTeams = async (session: Session, projectId: string): Promise<Named[]> =>
  (await all(session, at`/${organizationOf(session)}/_apis/projects/${projectId}/teams`, named)).map(plain)

export const listBoards = async (session: Session, projectId: string, teamId: string): Promise<Named[]> => {
  const path = at`/${organizationOf(session)}/${projectId}/${teamId}/_apis/work/boards`
  return (await session.client.get(path, listOf(named), { query: versioned })).map(plain)
}

/** The project by its current name; MISSING if the credential cannot see it. */
export const readProject = (session: Session, place: TrackerPlace): Promise<Named> =>
  session.client.get(at`/${organizationOf(session)}/_apis/projects/${projectOf(place).id}`, named, { query: versioned })

function readTeam(session: Session, place: TrackerPlace): Promise<Named> {
  const { organization, project, team } = teamPlaceOf(session, place)
  return session.client.get(at`/${organization}/_apis/projects/${project}/teams/${team}`, named, { query: versioned })
}

export function readBoard(session: Session, place: TrackerPlace) {
  const { organization, project, team } = teamPlaceOf(session, place)
  const { id } = place.board ?? refuse('the place has no board')
  return session.client.get(at`/${organization}/${project}/${team}/_apis/work/boards/${id}`, board, {
    query: versioned,
  })
}

/** The types that suit findings, best first. */
const FITTING = ['Bug', 'Issue', 'Product Backlog Item', 'User Story', 'Requirement', 'Task']

type Board = Awaited<ReturnType<typeof readBoard>>

/** The requested type, or the best one that the board shows: items of any other type would never appear on it. */
async function settleType(session: Session, place: TrackerPlace, { columns }: Board): Promise<string> {
  const path = at`/${organizationOf(session)}/${projectOf(place).id}/_apis/wit/workitemtypes`
  const types = await session.client.get(path, listOf(workItemType), { query: versioned })
  const usable = types.filter(({ isDisabled }) => !isDisabled).map(({ name }) => name)
  const mapped = new Set((columns ?? []).flatMap(({ stateMappings }) => Object.keys(stateMappings ?? {})))
  const shown = [...mapped].filter((name) => usable.includes(name))
  const best =
    FITTING.find((name) => shown.includes(name)) ?? shown[0] ?? refuse('the board shows no type of work items')
  const asked = place.workItemType
  if (asked !== null && !usable.includes(asked)) {
    refuse(`the project has no work item type ${asked}; it has ${usable.join(', ')}`)
  }
  if (asked !== null && !shown.includes(asked)) {
    refuse(`the board shows no work items of the type ${asked}; it shows ${shown.join(', ')}`)
  }
  return asked ?? best
}

/** Refuses a type, lane, team, board or project that does not exist. */
export const settlePlace: Tracker['settlePlace'] = async (session, place) => {
  const project = plain(await readProject(session, place))
  const team = plain(await readTeam(session, place))
  const found = await readBoard(session, place)
  const { lane } = place
  if (lane !== null && !found.rows?.some(({ name }) => name === lane)) refuse(`the board has no lane ${lane}`)
  return { ...place, project, team, board: plain(found), workItemType: await settleType(session, place, found) }
}

export const listStates = async (session: Session, place: TrackerPlace): Promise<TrackerState[]> => {
  const type = place.workItemType ?? (await settleType(session, place, await readBoard(session, place)))
  const path = at`/${organizationOf(session)}/${projectOf(place).id}/_apis/wit/workitemtypes/${type}/states`
  const states = await session.client.get(path, listOf(workItemState), { query: versioned })
  return states.map(({ name, color, category }, order) => ({
    id: name,
    name,
    color: color ? `#${color}` : null,
    order,
    kind: category ?? null,
  }))
}

/** The area of the team: a card outside it does not appear on the team's board. Null if the team is not defined by areas. */
export async function areaOf(session: Session, place: TrackerPlace): Promise<string | null> {
  const { organization, project, team } = teamPlaceOf(session, place)
  const path = at`/${organization}/${project}/${team}/_apis/work/teamsettings/teamfieldvalues`
  return (await session.client.get(path, teamFieldValues, { query: versioned })).defaultValue ?? null
}
