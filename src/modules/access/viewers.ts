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

/** What a look-up found, and for how many milliseconds it holds at most; null if that is not limited. */
type Found = { viewer: Viewer; endsIn: number | null }

export function openViewers(): Viewers {
  const remembered = new Map<string, Remembered>()
  const reading = new Map<string, Promise<Remembered | null>>()
  const lastUses = new Map<Id, number>()
  let generation = 0

  const noteUse = (db: Db, keyId: Id) => {
    const now = performance.now()
    if (now - (lastUses.get(keyId) ?? Number.NEGATIVE_INFINITY) < LAST_USE_EVERY) return
    if (lastUses.size >= MOST_REMEMBERED) lastUses.clear()
    lastUses.set(keyId, now)
    updateLastUses(db, [keyId]).catch(() => lastUses.delete(keyId))
  }

  const read = async (name: string, hash: Buffer, asked: number, find: () => Promise<Found | null>) => {
    const before = generation
    const found = await find()
    if (found === null) return null
    const until = asked + Math.min(VIEWER_LEASE, found.endsIn ?? VIEWER_LEASE)
    const one = { hash, viewer: found.viewer, until }
    if (remembered.size >= MOST_REMEMBERED) remembered.clear()
    if (before === generation) remembered.set(name, one)
    return one
  }

  /** Requests that come while a look-up of the same is under way share its answer and its viewer, as if it had been remembered. */
  const lookUp = async (name: string, hash: Buffer, asked: number, find: () => Promise<Found | null>) => {
    const place = `${name} ${hash.toString('hex')}`
    const underWay = reading.get(place)
    const others = underWay && (await underWay.catch(() => null))
    if (others && others.until > asked) return others.viewer
    const own = read(name, hash, asked, find)
    reading.set(place, own)
    const end = () => reading.get(place) === own && reading.delete(place)
    own.then(end, end)
    return (await own)?.viewer ?? null
  }

  return {
    async find(db, key) {
      if (key === undefined) return null
      const asked = performance.now()
      const known = remembered.get(publicIdIn(key))
      if (known && known.until > asked && sameHash(known.hash, hashOf(key))) return known.viewer
      const form = readKey(key)
      if (form === null) return null
      const viewer = await lookUp(form.publicId, form.hash, asked, async () => {
        const credential = await findUsable(db, form)
        return credential && { viewer: viewerOf(credential, form.publicId), endsIn: credential.expiresIn }
      })
      if (viewer) noteUse(db, viewer.keyId)
      return viewer
    },
    async findBySession(db, token) {
      const hash = hashOfToken(token)
      if (hash === null) return null
      const asked = performance.now()
      const name = `session ${hash.toString('hex')}`
      const known = remembered.get(name)
      if (known && known.until > asked) return known.viewer
      const viewer = await lookUp(name, hash, asked, () => viewerOfSession(db, token))
      if (viewer?.keyPublicId) noteUse(db, viewer.keyId)
      return viewer
    },
    forget() {
      generation += 1
      remembered.clear()
      reading.clear()
    },
  }
}

async function viewerOfSession(db: Db, token: string, isAgain = false): Promise<Found | null> {
  const session = await findOpenSession(db, token)
  if (session === null) return null
  const found = await viewerIn(db, session)
  // its key may have been replaced since the session was read
  if (found === null) return isAgain ? null : viewerOfSession(db, token, true)
  return { viewer: { ...found.viewer, sessionId: session.id }, endsIn: Math.min(found.endsIn, session.endsIn) }
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
