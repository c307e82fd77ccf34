// The only path from integrations to vendors: dispatches every request for an outside tool to the connector of its type.

import { requestTokens } from '../../connectors/oauth.ts'
import type { TrackerPlace } from '../../connectors/tracker.ts'
import type { Connector, ExternalProject, Listing, Named, Owner } from '../../connectors/types.ts'
import type { Page, PageRequest } from '../../core/db/page.ts'
import { failedPrecondition } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { GivenCredential, IntegrationType, KeptCredential, Settings } from './kinds.ts'
import { requireOauth } from './oauth-clients.ts'
import { connectorOf, openSession, openTrial, type VendorParts } from './vendor-sessions.ts'

export type { ExternalProject, Named } from '../../connectors/types.ts'

/** An integration with its decrypted credential. */
export type Connection = {
  companyId: Id
  integrationId: Id
  /** set for an integration that is gone or has moved, which is used only to remove its webhooks */
  departedId?: Id
  type: IntegrationType
  settings: Settings
  credential: KeptCredential
}

export type Workspace = Owner
export type TaskStatus = {
  id: string
  status: string
  color: string | null
  orderindex: number | null
  type: string | null
}

export type ProjectQuery = {
  /** part of the name */
  filterName: string | null
  workspaceId: string | null
  groupId: string | null
  page: PageRequest
}
export type NameQuery = { search: string | null; page: PageRequest }
/** Where work items are created; missing parts are filled in when it is resolved. */
export type Place = TrackerPlace

type Vendor = {
  /** Throws if the stored credential is no longer accepted. */
  checkConnection: (connection: Connection) => Promise<void>
  /** Returns the credential to store, once the vendor has accepted it. */
  checkCredential: (type: IntegrationType, credential: GivenCredential, settings: Settings) => Promise<KeptCredential>
  listProjects: (connection: Connection, query: ProjectQuery) => Promise<Page<ExternalProject>>
  listWorkspaces: (connection: Connection, query: NameQuery) => Promise<Workspace[]>
  listGroups: (connection: Connection, query: NameQuery) => Promise<Named[]>
  listBoardProjects: (connection: Connection, organizationName: string | null) => Promise<Named[]>
  listStatuses: (connection: Connection, place: Place) => Promise<TaskStatus[]>
  /** The place to store, and the states that its items may have. */
  readPlace: (connection: Connection, place: Place) => Promise<{ place: Place; states: string[] }>
  listTeams: (connection: Connection, projectId: string) => Promise<Named[]>
  listBoards: (connection: Connection, projectId: string, teamId: string) => Promise<Named[]>
}

/** The most projects of a tracker that are listed without paging. */
const MOST_BOARD_PROJECTS = 1_000
const BOARD_PAGE = 100

export const vendor = (parts: VendorParts): Vendor => ({
  async checkCredential(type, credential, settings) {
    const connector = connectorOf(type)
    const kept = credential.kind === 'OAUTH_CODE' ? await exchange(parts, connector, credential, settings) : credential
    await connector.check(openTrial(parts, connector, kept, settings))
    return kept
  },
  async checkConnection(connection) {
    const { connector, session } = openSession(parts, connection, 'CALLER')
    await connector.check(session)
  },
  async listProjects(connection, { filterName: search, workspaceId, groupId, page }) {
    const { connector, session } = openSession(parts, connection, 'CALLER')
    const { source, scanner, tracker } = connector
    const query = { search, page: page.page, limit: page.limit }
    const organizationName = connection.settings.organizationName
    const listing =
      (await source?.listProjects(session, { ...query, ownerId: workspaceId ?? groupId })) ??
      (await scanner?.listProjects(session, query)) ??
      (await tracker?.listProjects(session, { ...query, organizationName })) ??
      lacks(connector, 'projects')
    return pageOfListing(listing, page)
  },
  listWorkspaces: (connection, query) => listOwners(parts, connection, query),
  async listGroups(connection, query) {
    const owners = await listOwners(parts, connection, query)
    return owners.map(({ id, name }) => ({ id, name }))
  },
  async listBoardProjects(connection, organizationName) {
    const { connector, session } = openSession(parts, connection, 'CALLER')
    const tracker = connector.tracker ?? lacks(connector, 'boards')
    const found: Named[] = []
    for (let page = 1; found.length < MOST_BOARD_PROJECTS; page += 1) {
      const query = { search: null, page, limit: BOARD_PAGE, organizationName }
      const { items } = await tracker.listProjects(session, query)
      found.push(...items.map(({ id, name }) => ({ id, name })))
      if (items.length < BOARD_PAGE) break
    }
    return found
  },
  async listStatuses(connection, place) {
    const { connector, session } = openSession(parts, connection, 'CALLER')
    const tracker = connector.tracker ?? lacks(connector, 'statuses')
    const states = await tracker.listStates(session, place)
    return states.map(({ id, name, color, order, kind }) => ({
      id,
      status: name,
      color,
      orderindex: order,
      type: kind,
    }))
  },
  async readPlace(connection, asked) {
    const { connector, session } = openSession(parts, connection, 'CALLER')
    const tracker = connector.tracker ?? lacks(connector, 'boards')
    const place = await tracker.settlePlace(session, asked)
    const states = await tracker.listStates(session, place)
    return { place, states: states.map(({ name }) => name) }
  },
  async listTeams(connection, projectId) {
    const { connector, session } = openSession(parts, connection, 'CALLER')
    return (connector.tracker?.listTeams ?? lacks(connector, 'teams'))(session, projectId)
  },
  async listBoards(connection, projectId, teamId) {
    const { connector, session } = openSession(parts, connection, 'CALLER')
    return (connector.tracker?.listBoards ?? lacks(connector, 'boards'))(session, projectId, teamId)
  },
})

export const nowhere: Place = { project: null, team: null, board: null, listId: null, workItemType: null, lane: null }

function lacks({ name }: Connector, what: string): never {
  throw failedPrecondition(`${name} has no ${what}`)
}

const exchange = (
  { vendors, config }: VendorParts,
  connector: Connector,
  { code, verifier }: { code: string; verifier: string | null },
  settings: Settings,
): Promise<KeptCredential> => {
  const { row, client } = requireOauth(connector, config, settings)
  return requestTokens(vendors, { name: connector.name, oauth: row }, settings, client, { code, verifier })
}

async function listOwners(parts: VendorParts, connection: Connection, { search, page }: NameQuery): Promise<Owner[]> {
  const { connector, session } = openSession(parts, connection, 'CALLER')
  const source = connector.source ?? lacks(connector, 'workspaces or groups')
  const { items } = await source.listOwners(session, { search, page: page.page, limit: page.limit })
  return items
}

/** Without a total from the vendor, the number that is known to exist: skipped, shown, and one more after a full page. */
function pageOfListing<T>({ items, total }: Listing<T>, { page, limit }: PageRequest): Page<T> {
  const seen = (page - 1) * limit + items.length
  const isLast = items.length < limit && (items.length > 0 || page === 1)
  const totalCount = total ?? (items.length === 0 ? (page - 1) * limit : isLast ? seen : seen + 1)
  return {
    collection: items,
    metadata: {
      currentPage: page,
      limitValue: limit,
      totalCount,
      totalCountIsExact: total !== null || isLast,
      totalPages: Math.ceil(totalCount / limit),
      endCursor: null,
    },
  }
}
