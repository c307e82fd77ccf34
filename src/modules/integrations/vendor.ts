// The door to the vendors: all that integrations ask of an outside tool, refused by name until a connector answers.

import type { Page, PageRequest } from '../../core/db/page.ts'
import { failedPrecondition } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { GivenCredential, IntegrationType, KeptCredential, Settings } from './kinds.ts'

/** An integration with its credential opened. */
export type Connection = {
  companyId: Id
  integrationId: Id
  type: IntegrationType
  settings: Settings
  credential: KeptCredential
}

export type ExternalProject = { id: string; name: string; branches: string[] }
export type Named = { id: string; name: string }
export type Workspace = Named & { uuid: string }
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
export type BoardQuery = { project: Named; board: Named; team: Named; workItemType: string | null }

export type Vendor = {
  /** Answers with what is to be kept once the vendor has accepted the credential. */
  checkCredential: (type: IntegrationType, credential: GivenCredential, settings: Settings) => Promise<KeptCredential>
  listProjects: (connection: Connection, query: ProjectQuery) => Promise<Page<ExternalProject>>
  listWorkspaces: (connection: Connection, query: NameQuery) => Promise<Workspace[]>
  listGroups: (connection: Connection, query: NameQuery) => Promise<Named[]>
  listBoardProjects: (connection: Connection, organizationName: string | null) => Promise<Named[]>
  listStatuses: (connection: Connection, listId: string) => Promise<TaskStatus[]>
  /** The states that work items on the board may have. */
  readBoard: (connection: Connection, board: BoardQuery) => Promise<{ states: string[] }>
}

const unconnected = (type: IntegrationType) => failedPrecondition(`${type} is not connected in this version`)

const refuse = async ({ type }: Connection): Promise<never> => {
  throw unconnected(type)
}

const unconnectedVendor: Vendor = {
  checkCredential: async (type) => {
    throw unconnected(type)
  },
  listProjects: refuse,
  listWorkspaces: refuse,
  listGroups: refuse,
  listBoardProjects: refuse,
  listStatuses: refuse,
  readBoard: refuse,
}

let provided: Partial<Vendor>[] = []
let connected = unconnectedVendor

/** Connects what is given, before what was given earlier; answers with a function that takes it back. */
export function provideVendor(given: Partial<Vendor>): () => void {
  setProvided([...provided, given])
  return () => setProvided(provided.filter((other) => other !== given))
}

function setProvided(next: Partial<Vendor>[]): void {
  provided = next
  connected = Object.assign({}, unconnectedVendor, ...next)
}

export const vendor = (): Vendor => connected
