// Resolves a key to its viewer; cached for at most a second, so that a revoked key stops working everywhere.

import type { Db } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import type { Viewer } from '../context.ts'
import { hashOf, publicIdIn, readKey, sameHash } from './keys.ts'
import { type Role, type Scope, scopes, scopesOf } from './permissions.ts'
import { findOpenSession, hashOfToken } from './sessions.ts'
import { type Credential, findCredential, updateLastUses } from './store.ts'
import { findPerson, type Person } from './store-identities.ts'
import type { SessionRecord } from './store-sessions.ts'

/**
 * How long a process may cache a key, in milliseconds, counted from before the read. A revocation returns only after this time, so that by
 * then no process accepts the key.
 */
export const VIEWER_LEASE = 1000

const MOST_REMEMBERED = 10_000
const LAST_USE_EVERY = 60_000

type Remembered = { hash: Buffer; viewer: Viewer; until: number }

export type Viewers = {
  /** The viewer of a key, or null if it is missing, malformed, unknown, revoked or expired. */
  find(db: Db, key: string | undefined): Promise<Viewer | null>
  /** The viewer of a session's key or user, or null if the session or its basis has ended. */
  findBySession(db: Db, token: string): Promise<Viewer | null>
  forget(): void
}

export function openViewers(): Viewers {
  const remembered = new Map<string, Remembered>()
  const lastUses = new Map<Id, number>()
  let generation = 0

  const noteUse = (db: Db, keyId: Id) => {
    const now = performance.now()
    if (now - (lastUses.get(keyId) ?? Number.NEGATIVE_INFINITY) < LAST_USE_EVERY) return
    if (lastUses.size >= MOST_REMEMBERED) lastUses.clear()
    lastUses.set(keyId, now)
    updateLastUses(db, [keyId]).catch(() => lastUses.delete(keyId))
  }

  return {
    async find(db, key) {
      if (key === undefined) return null
      const asked = performance.now()
      const known = remembered.get(publicIdIn(key))
      if (known && known.until > asked && sameHash(known.hash, hashOf(key))) return known.viewer
      const read = readKey(key)
      if (read === null) return null
      const before = generation
      const credential = await findUsable(db, read)
      if (credential === null) return null
      const viewer = viewerOf(credential, read.publicId)
      if (remembered.size >= MOST_REMEMBERED) remembered.clear()
      const until = asked + Math.min(VIEWER_LEASE, credential.expiresIn ?? VIEWER_LEASE)
      if (before === generation) remembered.set(read.publicId, { hash: read.hash, viewer, until })
      noteUse(db, viewer.keyId)
      return viewer
    },
    async findBySession(db, token) {
      const hash = hashOfToken(token)
      if (hash === null) return null
      const asked = performance.now()
      const name = `session ${hash.toString('hex')}`
      const known = remembered.get(name)
      if (known && known.until > asked) return known.viewer
      const before = generation
      const session = await findOpenSession(db, token)
      if (session === null) return null
      const found = await viewerIn(db, session)
      if (found === null) return null
      const { viewer, endsIn } = found
      if (remembered.size >= MOST_REMEMBERED) remembered.clear()
      const until = asked + Math.min(VIEWER_LEASE, endsIn, session.endsIn)
      if (before === generation) remembered.set(name, { hash, viewer, until })
      if (session.keyPublicId !== null) noteUse(db, viewer.keyId)
      return viewer
    },
    forget() {
      generation += 1
      remembered.clear()
    },
  }
}

/** The viewer of an open session, and for how many milliseconds its key is still valid. */
async function viewerIn(db: Db, { keyPublicId, userId }: SessionRecord) {
  if (keyPublicId !== null) {
    const credential = await findCredential(db, keyPublicId)
    if (!credential?.isUsable) return null
    return { viewer: viewerOf(credential, keyPublicId), endsIn: credential.expiresIn ?? VIEWER_LEASE }
  }
  const person = userId && (await findPerson(db, userId))
  return person ? { viewer: viewerOfPerson(person), endsIn: VIEWER_LEASE } : null
}

/** What is known of a key that a request is accepted with; null for any other. */
export async function findUsable(
  db: Db,
  { publicId, hash }: { publicId: string; hash: Buffer },
): Promise<Credential | null> {
  const credential = await findCredential(db, publicId)
  return credential?.isUsable && sameHash(credential.hash, hash) ? credential : null
}

/** A person without a key has the scopes of their strongest role; in each company the role there decides. */
function viewerOfPerson({ userId, email, name, isAdministrator, memberships }: Person): Viewer {
  return {
    userId,
    email,
    name,
    keyId: `user ${userId}`,
    keyPublicId: null,
    isAdministrator,
    scopes: isAdministrator ? scopes : scopesOf(memberships.map(({ role }) => role)),
    memberships: isAdministrator ? null : new Map(memberships.map(({ companyId, role }) => [companyId, role])),
    heldTo: null,
  }
}

function viewerOf(credential: Credential, keyPublicId: string): Viewer {
  const { userId, email, name, keyId, isAdministrator } = credential
  const known: readonly string[] = scopes
  return {
    userId,
    email,
    name,
    keyId,
    keyPublicId,
    isAdministrator,
    scopes: credential.scopes.filter((scope): scope is Scope => known.includes(scope)),
    memberships: visibleCompanies(credential),
    heldTo: credential.companyIds,
  }
}

function visibleCompanies({ isAdministrator, companyIds, memberships }: Credential): ReadonlyMap<Id, Role> | null {
  if (isAdministrator) return companyIds === null ? null : new Map(companyIds.map((id) => [id, 'OWNER']))
  const held = companyIds === null ? memberships : memberships.filter(({ companyId }) => companyIds.includes(companyId))
  return new Map(held.map(({ companyId, role }) => [companyId, role]))
}
