// OAuth consent: sends a person to the vendor, and recognises the state that comes back.

import { randomBytes } from 'node:crypto'
import { connectors } from '../../connectors/index.ts'
import { consentAddress } from '../../connectors/oauth.ts'
import { sha256 } from '../../core/crypto.ts'
import { transaction } from '../../core/db/open.ts'
import { badUserInput } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { audit, authorize } from '../access/service.ts'
import type { Context } from '../context.ts'
import {
  addressOf,
  blankSettings,
  changedSettings,
  type IntegrationType,
  readSettings,
  type Settings,
} from './kinds.ts'
import { requireOauth } from './oauth-clients.ts'
import * as store from './store.ts'
import { insertRequest, takeRequest } from './store-health.ts'

/** Seconds for which a state holds. */
const HOLDS = 600
/** bytes of a state and of a verifier; RFC 7636 asks for 32 */
const BYTES = 32

const placeOf = (companyId: Id, stateHash: Buffer) => ({
  companyId,
  table: 'oauth_request',
  row: stateHash.toString('hex'),
  column: 'sealed',
})

/** The types at whose vendor the operator registered a client. */
export async function listAuthorizationTypes(context: Context, companyId: Id): Promise<IntegrationType[]> {
  await authorize(context, 'integrations:read', companyId)
  const { oauth } = context.config
  return (['HOST_A', 'HOST_B', 'BOARDS_TRACKER', 'TASK_TRACKER'] as const).filter((type) => oauth[type] !== null)
}

type Authorization = { url: string; state: string; expiresAt: string }

/**
 * The address of the vendor's consent, for this person, company and type. FAILED_PRECONDITION where the operator registered no client
 * there.
 */
export async function startAuthorization(
  context: Context,
  companyId: Id,
  type: IntegrationType,
  instanceUrl: string | null | undefined,
): Promise<Authorization> {
  await authorize(context, 'integrations:write', companyId)
  const connector = connectors[type]
  const [before] = await store.findOfType(context.db, companyId, type, 1)
  const settings = changedSettings(before?.settings ?? blankSettings, readSettings({ instanceUrl }))
  const { row, client } = requireOauth(connector, context.config, settings)
  const state = randomBytes(BYTES).toString('base64url')
  const verifier = randomBytes(BYTES).toString('base64url')
  const stateHash = sha256(state)
  const address = addressOf(settings)
  await transaction(context.db, async (trx) => {
    const sealed = await context.keyring.seal(trx, placeOf(companyId, stateHash), verifier)
    const { userId } = context.viewer
    await insertRequest(trx, { companyId, type, userId, address, stateHash, sealed, seconds: HOLDS })
    await audit(trx, context, { companyId, object: `Authorization ${type}`, after: { type, address } })
  })
  const expiresAt = new Date(Date.now() + HOLDS * 1000).toISOString()
  return { url: consentAddress(row, settings, client, { state, verifier }), state, expiresAt }
}

/**
 * Takes the state that came back, which is worth nothing after; returns the verifier of its code. BAD_USER_INPUT for one that was
 * not given out to this person for this, or not within ten minutes.
 */
export async function takeState(
  context: Context,
  companyId: Id,
  type: IntegrationType,
  settings: Settings,
  state: string,
): Promise<string> {
  const stateHash = sha256(state)
  const asked = { companyId, type, userId: context.viewer.userId, address: addressOf(settings), stateHash }
  const sealed = await transaction(context.db, (trx) => takeRequest(trx, asked))
  if (!sealed) {
    throw badUserInput(
      'The state was not issued for this, was used already, or is older than ten minutes',
      'input.state',
    )
  }
  return context.keyring.unseal(context.db, placeOf(companyId, stateHash), sealed)
}
