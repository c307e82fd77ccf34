// Seals: who may list, create, change and delete them, and what anyone with a seal's address sees.

import { randomInt } from 'node:crypto'
import { type Db, transaction } from '../../core/db/open.ts'
import type { Page, PageRequest } from '../../core/db/page.ts'
import { readDomainName } from '../../core/domain-name.ts'
import { badUserInput, notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { requireFuture } from '../../core/moments.ts'
import { audit, authorize, authorizeRecord } from '../access/service.ts'
import type { SealBackground } from '../api.generated.ts'
import { authorizeAsset, requireAssets } from '../assets/service.ts'
import type { Context, Parts } from '../context.ts'
import { type Shown, show } from './show.ts'
import { type SigningKey, signingKey } from './statement.ts'
import * as store from './store.ts'

export type { Shown } from './show.ts'
export type { Seal } from './store.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const PUBLIC_ID = /^[0-9A-Za-z]{22}$/

/** 22 characters of base 62: 131 random bits. */
const newPublicId = (): string => Array.from({ length: 22 }, () => ALPHABET[randomInt(62)]).join('')

const find = (context: Context, id: Id) => () => store.findSeal(context.db, context.viewer, id)

const keys = new WeakMap<Buffer, SigningKey>()

/** The key that signs seals, derived from the installation's root key. */
export function sealKey({ keyring }: Pick<Parts, 'keyring'>): SigningKey {
  const known = keys.get(keyring.signingSeed)
  if (known) return known
  const key = signingKey(keyring.signingSeed)
  keys.set(keyring.signingSeed, key)
  return key
}

export async function listSeals(
  context: Context,
  companyId: Id,
  page: PageRequest,
  assetId: Id | null,
): Promise<Page<store.Seal>> {
  await authorize(context, 'seals:read', companyId)
  if (assetId !== null) await requireAssets(context, companyId, [assetId])
  return store.listSeals(context.db, companyId, page, assetId)
}

export const getSeal = (context: Context, id: Id): Promise<store.Seal> =>
  authorizeRecord(context, 'seals:read', 'Seal', id, find(context, id))

/** What seals show now. All fields of a request use the same moment and the same signature. */
export async function loadShown(context: Context, ids: readonly string[]): Promise<Map<string, Shown>> {
  const standings = await store.findSeenStandings(context.db, context.viewer, ids)
  return new Map(standings.map((standing) => [standing.id, show(sealKey(context), standing)]))
}

type NewSeal = { background: SealBackground; domain: string | null; expiresAt: string | null }

export async function createSeal(context: Context, assetId: Id, input: NewSeal): Promise<store.Seal> {
  const { companyId } = await authorizeAsset(context, 'seals:write', assetId)
  const domain = input.domain === null ? null : readDomain(input.domain)
  requireFuture(input.expiresAt, 'input.expiresAt')
  const seal = { companyId, assetId, publicId: newPublicId(), ...input, domain }
  return transaction(context.db, async (trx) => {
    const made = await store.insertSeal(trx, seal)
    await audit(trx, context, { companyId, object: `Seal ${made.id}`, after: made })
    return made
  })
}

type SealChange = {
  background?: SealBackground | null
  domain?: string | null
  enabled?: boolean | null
  expiresAt?: string | null
}

export async function updateSeal(context: Context, id: Id, input: SealChange): Promise<store.Seal> {
  const { companyId } = await authorizeRecord(context, 'seals:write', 'Seal', id, find(context, id))
  const domain = input.domain === null || input.domain === undefined ? input.domain : readDomain(input.domain)
  requireFuture(input.expiresAt, 'input.expiresAt')
  return transaction(context.db, async (trx) => {
    const before = await store.lockSeal(trx, companyId, id)
    if (!before) throw notFound('Seal', id)
    const after = await store.updateSeal(trx, before, {
      background: input.background ?? before.background,
      domain: domain === undefined ? before.domain : domain,
      enabled: input.enabled ?? before.enabled,
      expiresAt: input.expiresAt === undefined ? before.expiresAt : input.expiresAt,
    })
    await audit(trx, context, { companyId, object: `Seal ${id}`, before, after })
    return after
  })
}

export async function deleteSeal(context: Context, id: Id): Promise<Id> {
  const { companyId } = await authorizeRecord(context, 'seals:write', 'Seal', id, find(context, id))
  return transaction(context.db, async (trx) => {
    const before = await store.lockSeal(trx, companyId, id)
    if (!before) throw notFound('Seal', id)
    await store.deleteSeal(trx, before)
    await audit(trx, context, { companyId, object: `Seal ${id}`, before })
    return id
  })
}

const underWay = new WeakMap<Db, Map<string, Promise<Shown | null>>>()

/**
 * What the seal at a public address shows now; null if there is none. Concurrent callers share one query, so that a badge on a busy
 * page costs one statement at a time.
 */
export function showPublicly(parts: Pick<Parts, 'keyring'> & { db: Db }, publicId: string): Promise<Shown | null> {
  if (!PUBLIC_ID.test(publicId)) return Promise.resolve(null)
  const running = underWay.get(parts.db) ?? new Map<string, Promise<Shown | null>>()
  underWay.set(parts.db, running)
  const known = running.get(publicId)
  if (known) return known
  const asked = store
    .findPublicStanding(parts.db, publicId)
    .then((standing) => standing && show(sealKey(parts), standing))
    .finally(() => running.delete(publicId))
  running.set(publicId, asked)
  return asked
}

function readDomain(given: string): string {
  const domain = readDomainName(given)
  if (domain && !domain.isWildcard) return domain.name
  throw badUserInput('domain is not a full domain name such as www.example.com', 'input.domain')
}
