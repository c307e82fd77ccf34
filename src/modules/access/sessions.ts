// Sessions of the console: a key, or a sign-in at a provider, is exchanged for a token, which ends when it expires, is unused, or loses its basis.

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

/** The longest life of a session, and the longest time for which it may be unused, in milliseconds. */
export const SESSION_LIFE = 7 * 24 * 3_600_000
export const SESSION_IDLE = 12 * 3_600_000

/** The most sessions of a key, or of a user without a key. */
const MOST_SESSIONS = 50

const TOKEN_BYTES = 32
const USE_EVERY = 60_000
const MOST_REMEMBERED = 10_000

const FORM = /^[\w-]{43}$/

export const hashOfToken = (token: string): Buffer | null => (FORM.test(token) ? sha256(token) : null)

/** Opens a session for the holder of the key, writes an audit record, and returns the token. */
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
 * Creates a session in the transaction of the sign-in, with an audit record, and returns its token. If there are too many sessions already,
 * the least recently used ones end.
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

/** The open session of a token; null for an unknown or ended one. Counts as a use. */
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
