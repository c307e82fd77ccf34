// Stands in for the outside tools, at the one door to them, and notes whose credentials were used.

import { type Connection, provideVendor } from '../../../src/modules/integrations/vendor.ts'

/** Companies whose credentials were opened, in their order. */
export const opened: string[] = []

const note = ({ companyId }: Connection): void => void opened.push(companyId)

/** Answers with a function that ends it. */
export const standIn = (): (() => void) =>
  provideVendor({
    checkCredential: async (_, credential) =>
      credential.kind === 'OAUTH_CODE'
        ? { kind: 'OAUTH', accessToken: credential.code, refreshToken: null, expiresAt: null }
        : credential,
    checkConnection: async (connection) => note(connection),
    listProjects: async (connection) => {
      note(connection)
      return {
        collection: [{ id: '7', name: 'shop', branches: ['main'] }],
        metadata: {
          currentPage: 1,
          limitValue: 10,
          totalCount: 1,
          totalPages: 1,
          totalCountIsExact: true,
          endCursor: null,
        },
      }
    },
    listWorkspaces: async (connection) => {
      note(connection)
      return [{ id: '1', uuid: '{0f0f}', name: 'acme' }]
    },
    listGroups: async (connection) => {
      note(connection)
      return [{ id: '2', name: 'acme' }]
    },
    listBoardProjects: async (connection) => {
      note(connection)
      return [{ id: '3', name: 'Board' }]
    },
    listStatuses: async (connection) => {
      note(connection)
      return [{ id: '4', status: 'open', color: '#fff', orderindex: 0, type: 'open' }]
    },
    readPlace: async (connection, place) => {
      note(connection)
      return { place, states: ['New', 'Active', 'Closed'] }
    },
    listTeams: async (connection) => {
      note(connection)
      return [{ id: '5', name: 'Team' }]
    },
    listBoards: async (connection) => {
      note(connection)
      return [{ id: '6', name: 'Stories' }]
    },
  })
