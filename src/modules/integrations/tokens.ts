// Keeps credentials usable: an expired token is refreshed once, however many callers need it, and a refused one is not used again.

import type { Credentials } from '../../connectors/client.ts'
import { type FailureKind, VendorFailed, VendorRefused } from '../../connectors/errors.ts'
import type { ConnectorType } from '../../connectors/kinds.ts'
import { type OauthCredential, requestTokens } from '../../connectors/oauth.ts'
import type { Connector } from '../../connectors/types.ts'
import { callingToTheEnd } from '../../core/calls-allowed.ts'
import { type Trx, transaction } from '../../core/db/open.ts'
import { isLeft, type Sealed } from '../../core/keyring.ts'
import type { Connection, VendorParts } from './connection.ts'
import { placeOf } from './connections.ts'
import { noteOutcome } from './health.ts'
import { giveUpKept, lockKept, saveKept } from './kept.ts'
import { type KeptCredential, parseCredential, writeCredential } from './kinds.ts'
import { requireOauth } from './oauth-clients.ts'

/** Milliseconds before its expiry at which a token already counts as expired. */
const MARGIN = 60_000

type Replaced = Promise<KeptCredential | null>

/** State of this process: pending exchanges by integration, and the last one in line for each vendor. */
type Exchanges = { underWay: Map<string, Replaced>; last: Map<ConnectorType, Promise<unknown>> }

/** A failure that the next exchange would meet, too. */
const vendorsFault: readonly FailureKind[] = ['UNREACHABLE', 'TIMEOUT', 'SERVER_ERROR']

const exchangesOf = new WeakMap<object, Exchanges>()

/** The credential of an integration, for the client of its connector. */
export function credentialsOf(parts: VendorParts, connector: Connector, connection: Connection): Credentials {
  let known = connection.credential
  const isExpiring = () =>
    known.kind === 'OAUTH' &&
    known.refreshToken !== null &&
    known.expiresAt !== null &&
    Date.parse(known.expiresAt) - MARGIN <= parts.vendors.clock.now()
  return {
    async current() {
      if (!isExpiring()) return known
      const next = await replace(parts, connector, connection, known)
      if (next === null) throw new VendorRefused(connector.name, 'BROKEN')
      known = next
      return known
    },
    async renew(refused) {
      const next = await replace(parts, connector, connection, refused)
      if (next !== null) known = next
      return next
    },
    noted: (outcome) => noteOutcome(parts, connection, outcome),
    async reject(refused) {
      await transaction(parts.db, async (trx) => {
        const held = await lockKept(trx, connection)
        if (held && isSame(await open(parts, trx, connection, held), refused)) await giveUp(parts, trx, connection)
      })
    },
  }
}

/** The successor of `stale`, or null if there is none any more; one exchange per integration at a time in this process. */
function replace(parts: VendorParts, connector: Connector, connection: Connection, stale: KeptCredential): Replaced {
  const { underWay, last } = exchangesOf.get(parts.vendors) ?? { underWay: new Map(), last: new Map() }
  exchangesOf.set(parts.vendors, { underWay, last })
  const name = `${connection.companyId}/${connection.integrationId}/${writeCredential(stale)}`
  const running = underWay.get(name)
  if (running) return running
  const exchanged = () => replaceInRow(parts, connector, connection, stale)
  const inTurn = () => (stale.kind === 'OAUTH' ? inLine(last, connector.type, exchanged) : exchanged())
  const started = callingToTheEnd(inTurn).finally(() => underWay.delete(name))
  underWay.set(name, started)
  return started
}

/**
 * Runs exchanges one after another for each vendor, so that a slow vendor holds only one database connection, however many integrations it
 * has. If the vendor fails, those waiting fail with it, instead of finding out one by one.
 */
function inLine(last: Exchanges['last'], vendor: ConnectorType, exchanged: () => Replaced): Replaced {
  const turn = (last.get(vendor) ?? Promise.resolve()).then(exchanged)
  const told = turn.catch((error: unknown) => {
    if (error instanceof VendorFailed && vendorsFault.includes(error.kind)) throw error
  })
  last.set(vendor, told)
  const leave = () => void (last.get(vendor) === told && last.delete(vendor))
  told.then(leave, leave)
  return turn
}

/**
 * Locks the integration's row during the exchange, so that of several processes one asks the vendor, and the others find its result. The new
 * tokens are stored in the same transaction, because a refresh token can be used only once.
 */
const replaceInRow = (
  parts: VendorParts,
  connector: Connector,
  connection: Connection,
  stale: KeptCredential,
): Replaced =>
  transaction(parts.db, async (trx) => {
    const { settings } = connection
    const held = await lockKept(trx, connection)
    if (!held) return null
    const kept = await open(parts, trx, connection, held)
    if (!isSame(kept, stale)) return kept
    if (kept.kind !== 'OAUTH' || kept.refreshToken === null) return null
    const { row, client } = requireOauth(connector, parts.config, settings)
    const next = await exchange(parts, { name: connector.name, oauth: row }, settings, client, kept.refreshToken)
    if (next === null) {
      await giveUp(parts, trx, connection)
      return null
    }
    await saveKept(trx, connection, await seal(parts, trx, connection, next, held), next.expiresAt)
    return next
  })

/** Null if the vendor no longer accepts the refresh token. */
async function exchange(
  { vendors }: VendorParts,
  connector: Parameters<typeof requestTokens>[1],
  settings: Connection['settings'],
  client: Parameters<typeof requestTokens>[3],
  refreshToken: string,
): Promise<OauthCredential | null> {
  try {
    return await requestTokens(vendors, connector, settings, client, { refreshToken })
  } catch (error) {
    if (error instanceof VendorRefused && error.kind === 'CREDENTIAL') return null
    throw error
  }
}

const placed = ({ companyId, integrationId }: Connection) => placeOf(companyId, integrationId)

const open = async ({ keyring }: VendorParts, trx: Trx, connection: Connection, sealed: Sealed) =>
  parseCredential(await keyring.unseal(trx, placed(connection), sealed))

/** Encrypts with the same kind of key, the company's or the installation's, as before. */
async function seal(
  { keyring }: VendorParts,
  trx: Trx,
  connection: Connection,
  credential: KeptCredential,
  before: Sealed,
): Promise<Sealed> {
  const text = writeCredential(credential)
  return isLeft(before) ? keyring.sealLeft(placed(connection), text) : keyring.seal(trx, placed(connection), text)
}

const isSame = (one: KeptCredential, other: KeptCredential) => writeCredential(one) === writeCredential(other)

async function giveUp({ log }: VendorParts, trx: Trx, connection: Connection): Promise<void> {
  const { companyId, integrationId, type } = connection
  await giveUpKept(trx, connection)
  log.warn({ companyId, integrationId, type }, 'A vendor refuses the credential of an integration')
}
