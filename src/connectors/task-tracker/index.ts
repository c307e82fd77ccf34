// TaskTracker: ClickUp, API v2.

import { z } from 'zod'
import type { Credential } from '../kinds.ts'
import { at } from '../paths.ts'
import { rateTable } from '../rates.ts'
import type { Connector } from '../types.ts'
import { ensureHook, readHook, removeHook } from './hooks.ts'
import { changedSince, createItem, readItem, setState } from './items.ts'
import { listProjects, listStates, NAME, settlePlace } from './places.ts'
import { teams } from './schemas.ts'

function authorization(credential: Credential): Record<string, string> {
  if (credential.kind === 'OAUTH') return { authorization: `Bearer ${credential.accessToken}` }
  if (credential.kind === 'TOKEN') return { authorization: credential.token }
  throw new Error(`${NAME} has no credential of the kind ${credential.kind}`)
}

const refusal = z.object({ err: z.string() })

export const taskTracker: Connector = {
  type: 'TASK_TRACKER',
  name: NAME,
  base: () => 'https://api.clickup.com/api/v2',
  rates: rateTable.TASK_TRACKER,
  authorization,
  readError: (body) => refusal.safeParse(body).data?.err ?? null,
  // there are no scopes: a person chooses the workspaces at the consent, and the token does not end
  oauth: {
    authorizeUrl: () => 'https://app.clickup.com/api',
    pkce: false,
    tokenUrl: () => 'https://api.clickup.com/api/v2/oauth/token',
    client: 'body',
  },
  check: async ({ client }) => void (await client.get(at`/team`, teams)),
  tracker: {
    listProjects,
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
