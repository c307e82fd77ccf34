// BoardsTracker: Azure DevOps Services, REST 7.1.

import { z } from 'zod'
import type { Credential } from '../kinds.ts'
import { at } from '../paths.ts'
import { rateTable } from '../rates.ts'
import type { Connector } from '../types.ts'
import { ensureHook, readHook, removeHook } from './hooks.ts'
import { changedSince, createItem, readItem, setState } from './items.ts'
import {
  listBoards,
  listProjects,
  listStates,
  listTeams,
  NAME,
  organizationOf,
  settlePlace,
  versioned,
} from './places.ts'
import { listOf, named } from './schemas.ts'

const basic = (token: string) => `Basic ${Buffer.from(`:${token}`).toString('base64')}`

function authorization(credential: Credential): Record<string, string> {
  if (credential.kind === 'OAUTH') return { authorization: `Bearer ${credential.accessToken}` }
  if (credential.kind === 'TOKEN') return { authorization: basic(credential.token) }
  throw new Error(`${NAME} has no credential of the kind ${credential.kind}`)
}

const refusal = z.object({ message: z.string() })

/** The application of Azure DevOps in Microsoft Entra. */
const SCOPE = '499b84ac-1321-427f-aa17-267ca6975798/.default offline_access'
const ENTRA = 'https://login.microsoftonline.com/organizations/oauth2/v2.0'

export const boardsTracker: Connector = {
  type: 'BOARDS_TRACKER',
  name: NAME,
  base: () => 'https://dev.azure.com',
  rates: rateTable.BOARDS_TRACKER,
  authorization,
  // without it a refused token leads to a sign-in page
  headers: { 'x-tfs-fedauthredirect': 'Suppress' },
  readError: (body) => refusal.safeParse(body).data?.message ?? null,
  pageMeansSignIn: true,
  oauth: {
    authorizeUrl: () => `${ENTRA}/authorize`,
    authorizeFields: { scope: SCOPE },
    pkce: true,
    tokenUrl: () => `${ENTRA}/token`,
    client: 'body',
    fields: { scope: SCOPE },
  },
  check: async (session) => {
    const path = at`/${organizationOf(session)}/_apis/projects`
    await session.client.get(path, listOf(named), { query: { ...versioned, $top: 1 } })
  },
  tracker: {
    listProjects,
    listTeams,
    listBoards,
    settlePlace,
    listStates,
    createItem,
    readItem,
    setState,
    changedSince,
    ensureHook,
    removeHook,
    readHook,
  },
}
