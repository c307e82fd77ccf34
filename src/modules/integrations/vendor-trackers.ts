// What integrations ask of trackers: their projects, boards and statuses, and where work items are created.

import type { Named } from '../../connectors/session.ts'
import type { TrackerPlace } from '../../connectors/tracker.ts'
import type { Connection, VendorParts } from './connection.ts'
import { lacks, openSession } from './vendor-sessions.ts'

export type TaskStatus = {
  id: string
  status: string
  color: string | null
  orderindex: number | null
  type: string | null
}

/** Where work items are created; missing parts are filled in when it is resolved. */
type Place = TrackerPlace

export type TrackerLists = {
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

export const trackerLists = (parts: VendorParts): TrackerLists => ({
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
