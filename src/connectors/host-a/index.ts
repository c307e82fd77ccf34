// HostA: Bitbucket Cloud, REST 2.0.

import { VendorRefused } from '../errors.ts'
import type { Credential } from '../kinds.ts'
import { at } from '../paths.ts'
import { rateTable } from '../rates.ts'
import type { Connector } from '../types.ts'
import { ensureHook, hookByHand, readHook, removeHook } from './hooks.ts'
import { NAME } from './naming.ts'
import { findPullRequests, reportCommit } from './reports.ts'
import { getHead, getProject, listHeads, listOwners, listProjects, openDiff } from './repositories.ts'
import { pageOf, refusal, workspaceAccess } from './schemas.ts'

function authorization(credential: Credential): Record<string, string> {
  if (credential.kind === 'OAUTH') return { authorization: `Bearer ${credential.accessToken}` }
  if (credential.kind === 'TOKEN') return { authorization: `Bearer ${credential.token}` }
  if (credential.kind === 'LOGIN') {
    return { authorization: `Basic ${Buffer.from(`${credential.email}:${credential.token}`).toString('base64')}` }
  }
  throw new Error(`${NAME} has no credential of the kind ${credential.kind}`)
}

export const hostA: Connector = {
  type: 'HOST_A',
  name: NAME,
  base: () => 'https://api.bitbucket.org/2.0',
  rates: rateTable.HOST_A,
  authorization,
  readError: (body) => refusal.safeParse(body).data?.error.message ?? null,
  // the operator sets the scopes when registering the OAuth consumer
  oauth: {
    authorizeUrl: () => 'https://bitbucket.org/site/oauth2/authorize',
    pkce: false,
    tokenUrl: () => 'https://bitbucket.org/site/oauth2/access_token',
    client: 'basic',
  },
  // the token of one repository may not list workspaces, and is accepted all the same
  check: async ({ client }) => {
    await client
      .get(at`/user/workspaces`, pageOf(workspaceAccess), { query: { pagelen: 1 } })
      .catch((error: unknown) => {
        if (!(error instanceof VendorRefused) || error.kind !== 'PERMISSION') throw error
      })
  },
  source: {
    listOwners,
    listProjects,
    getProject,
    getHead,
    listHeads,
    openDiff,
    findPullRequests,
    reportCommit,
    ensureHook,
    hookByHand,
    removeHook,
    readHook,
  },
}
