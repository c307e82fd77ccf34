// Sessions of the console: a key, or a sign-in at a provider, is exchanged for a token that expires, and ends early when unused or when what it stands for ends.

import { randomBytes } from 'node:crypto'
import { type Actor, appendAudit } from '../../core/audit.ts'
import { sha256 } from '../../core/crypto.ts'
import { type Db, type Trx, transaction } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import type { Keyring } from '../../core/keyring.ts'
import type { Viewer } from '../context.ts'
import {
  deleteEndedSessions,
  deleteSession,
  deleteSessionsBeyond,
  findSession,
  insertSession,
  type SessionOf,
  type SessionRecord,
  updateSessionUse,
} from './store-sessions.ts'

/** Milliseconds for which a session lasts at most, and for which it may stay unused. */
export const SESSION_LIFE = 7 * 24 * 3_600_000
export const SESSION_IDLE = 12 * 3_600_000

/** Sessions that one key, or one user without a key, has at once. */
const MOST_SESSIONS = 50

const TOKEN_BYTES = 32
const USE_EVERY = 60_000
const MOST_REMEMBERED = 10_000

const FORM = /^[\w-]{43}$/

export const hashOfToken = (token: string): Buffer | null => (FORM.test(token) ? sha256(token) : null)

/** Opens a session for who holds the key, and answers with its token; the audit records say so. */
export async function openSession(
  { db, keyring }: { db: Db; keyring: Keyring },
  viewer: Viewer,
  request: { id: string; address: string },
): Promise<string> {
  const actor: Actor = {
    userId: viewer.userId,
    keyPublicId: viewer.keyPublicId,
    address: request.address,
    requestId: request.id,
    operation: 'POST /session',
  }
  return transaction(db, (trx) => beginSession(trx, keyring, { keyId: viewer.keyId }, actor))
}

/**
 * A new session in the transaction of what let it begin; answers with its token, and the audit records say so. Where there are too many
 * already, those that were used longest ago end.
 */
export async function beginSession(trx: Trx, keyring: Keyring, of: SessionOf, actor: Actor): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const id = await insertSession(trx, of, sha256(token), SESSION_LIFE)
  await deleteSessionsBeyond(trx, of, MOST_SESSIONS)
  await appendAudit(trx, keyring.auditKey, actor, { companyId: null, object: `Session ${id}` })
  return token
}

export async function closeSession(db: Db, token: string): Promise<void> {
  const hash = hashOfToken(token)
  if (hash) await deleteSession(db, hash)
}

const lastUses = new WeakMap<Db, Map<Id, number>>()

/** The session that a token opens now; null for an unknown or ended one. Counts as a use. */
export async function findOpenSession(db: Db, token: string): Promise<SessionRecord | null> {
  const hash = hashOfToken(token)
  const session = hash && (await findSession(db, hash, SESSION_IDLE))
  if (session) noteUse(db, session.id)
  return session
}

function noteUse(db: Db, id: Id): void {
  const uses = lastUses.get(db) ?? new Map<Id, number>()
  lastUses.set(db, uses)
  const now = performance.now()
  if (now - (uses.get(id) ?? Number.NEGATIVE_INFINITY) < USE_EVERY) return
  if (uses.size >= MOST_REMEMBERED) uses.clear()
  uses.set(id, now)
  updateSessionUse(db, id).catch(() => uses.delete(id))
}

export const forgetEndedSessions = (db: Db): Promise<void> => deleteEndedSessions(db, SESSION_IDLE)
