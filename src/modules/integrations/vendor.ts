// The only path from integrations to vendors: dispatches every request for an outside tool to the connector of its type.

import { connectors } from '../../connectors/index.ts'
import { requestTokens } from '../../connectors/oauth.ts'
import type { ExternalProject, Listing, Named, Owner } from '../../connectors/session.ts'
import type { Connector } from '../../connectors/types.ts'
import type { Page, PageRequest } from '../../core/db/page.ts'
import type { Connection, VendorParts } from './connection.ts'
import type { GivenCredential, IntegrationType, KeptCredential, Settings } from './kinds.ts'
import { requireOauth } from './oauth-clients.ts'
import { lacks, openSession, openTrial } from './vendor-sessions.ts'
import { type TrackerLists, trackerLists } from './vendor-trackers.ts'

export type Workspace = Owner

type ProjectQuery = {
  /** part of the name */
  filterName: string | null
  workspaceId: string | null
  groupId: string | null
  page: PageRequest
}
type NameQuery = { search: string | null; page: PageRequest }

type Vendor = TrackerLists & {
  /** Throws if the stored credential is no longer accepted. */
  checkConnection: (connection: Connection) => Promise<void>
  /** Returns the credential to store, once the vendor has accepted it. */
  checkCredential: (type: IntegrationType, credential: GivenCredential, settings: Settings) => Promise<KeptCredential>
  listProjects: (connection: Connection, query: ProjectQuery) => Promise<Page<ExternalProject>>
  listWorkspaces: (connection: Connection, query: NameQuery) => Promise<Workspace[]>
  listGroups: (connection: Connection, query: NameQuery) => Promise<Named[]>
}

export const vendor = (parts: VendorParts): Vendor => ({
  async checkCredential(type, credential, settings) {
    const connector = connectors[type]
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
  ...trackerLists(parts),
})

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
