// The first user of an installation: one administrator, whose key somebody has.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ownDatabase } from '../../../test/testkit/own-database.ts'
import { migrateDatabase } from '../../app.ts'
import { sha256 } from '../../core/crypto.ts'
import { type Db, openDatabase } from '../../core/db/open.ts'
import { openLog } from '../../core/log.ts'
import { scopes } from './permissions.ts'
import { createFirstAdministrator, isUsableKey, replaceLostKey } from './service.ts'

const database = ownDatabase('first')
let opened: { db: Db }

beforeAll(async () => {
  await database.create()
  await migrateDatabase(database.connection(), openLog('silent'))
  opened = openDatabase({ connection: database.connection(), connections: 2, statementTimeout: 10_000 })
})

afterAll(async () => {
  await opened.db.destroy()
  await database.drop()
})

beforeEach(async () => {
  await opened.db.deleteFrom('api_key').execute()
  await opened.db.deleteFrom('portal_user').execute()
})

test('is an administrator with a key of every scope, that is kept as its hash', async () => {
  const { db } = opened

  const key = await createFirstAdministrator(db)

  const users = await db.selectFrom('portal_user').select(['email', 'name', 'is_administrator']).execute()
  const keys = await db.selectFrom('api_key').select(['name', 'scopes', 'company_ids', 'expires_at', 'hash']).execute()
  const hash = sha256(key ?? '')
  expect(users).toEqual([{ email: 'admin@localhost', name: 'Administrator', is_administrator: true }])
  expect(keys).toEqual([{ name: 'First key', scopes: [...scopes], company_ids: null, expires_at: null, hash }])
})

test('is there once, and no key is made for a second start', async () => {
  const kept: string[] = []
  const keep = async (key: string) => void kept.push(key)

  const [first, second] = [
    await createFirstAdministrator(opened.db, keep),
    await createFirstAdministrator(opened.db, keep),
  ]

  expect([kept, second]).toEqual([[first], null])
})

test('is not there when nobody could keep the key', async () => {
  const full = new Error('The disk is full')

  const made = createFirstAdministrator(opened.db, async () => {
    throw full
  })

  await expect(made).rejects.toBe(full)
  expect(await opened.db.selectFrom('portal_user').select('id').execute()).toEqual([])
})

test('is not made beside an administrator of another address', async () => {
  const other = { email: 'other@example.test', name: 'Other', is_administrator: true }
  await opened.db.insertInto('portal_user').values(other).execute()

  const key = await createFirstAdministrator(opened.db)

  expect(key).toBeNull()
})

test('does not take the place of a user who has the address already', async () => {
  await opened.db.insertInto('portal_user').values({ email: 'admin@localhost', name: 'Somebody' }).execute()

  const key = await createFirstAdministrator(opened.db)

  expect(key).toBeNull()
})

const auditing = { auditKey: Buffer.alloc(32, 1) }

const revokeAll = () => opened.db.updateTable('api_key').set({ revoked_at: new Date().toISOString() }).execute()

test('gets a new key at a start after the last one was revoked or expired, and only then', async () => {
  const { db } = opened
  const first = (await createFirstAdministrator(db)) ?? ''
  const before = await replaceLostKey(db, auditing)
  await revokeAll()

  const [one, other] = await Promise.all([replaceLostKey(db, auditing), replaceLostKey(db, auditing)])
  const replaced = one ?? other ?? ''
  const isUsable = [await isUsableKey(db, first), await isUsableKey(db, replaced)]
  await db
    .updateTable('api_key')
    .set({ expires_at: new Date(0).toISOString() })
    .where('revoked_at', 'is', null)
    .execute()

  expect(before).toBeNull()
  expect([one, other].filter((key) => key !== null)).toHaveLength(1)
  expect(isUsable).toEqual([false, true])
  expect(await replaceLostKey(db, auditing)).not.toBeNull()
  const audited = await db.selectFrom('audit_record').select('operation').execute()
  expect(audited).toEqual([{ operation: 'replaceLostKey' }, { operation: 'replaceLostKey' }])
})

test.each([
  ['reads only', { scopes: ['read'] }, true],
  ['is limited to some companies', { company_ids: ['1'] }, true],
  ['can issue others', { scopes: ['write'] }, false],
])('who has a key that %s: %j; another one is created: %j', async (_, change, isReplaced) => {
  const { db } = opened
  await createFirstAdministrator(db)
  await db.updateTable('api_key').set(change).execute()

  expect((await replaceLostKey(db, auditing)) !== null).toBe(isReplaced)
})

test('who is disabled gets none', async () => {
  const { db } = opened
  await createFirstAdministrator(db)
  await db.updateTable('portal_user').set({ disabled_at: new Date().toISOString() }).execute()

  expect(await replaceLostKey(db, auditing)).toBeNull()
})
