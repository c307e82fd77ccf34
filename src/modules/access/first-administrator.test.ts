// Who comes first into an installation: one administrator, whose key somebody has.

import { randomBytes } from 'node:crypto'
import pg, { type PoolConfig } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { home } from '../../../test/testkit/home.ts'
import { migrateDatabase } from '../../app.ts'
import { sha256 } from '../../core/crypto.ts'
import { type Db, openDatabase } from '../../core/db/open.ts'
import { openLog } from '../../core/log.ts'
import { scopes } from './permissions.ts'
import { createFirstAdministrator } from './service.ts'

const name = `first_${randomBytes(6).toString('hex')}`
let opened: { db: Db }

/** The worker's connection, to the database that is this file's own. */
function ownConnection(): PoolConfig {
  const { connectionString, ...connection } = home().connection
  if (connectionString === undefined) return { ...connection, database: name }
  const url = new URL(connectionString)
  url.pathname = `/${name}`
  return { connectionString: url.href }
}

async function beside(statement: string): Promise<void> {
  const client = new pg.Client(home().connection)
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

beforeAll(async () => {
  await beside(`create database ${name}`)
  await migrateDatabase(ownConnection(), openLog('silent'))
  opened = openDatabase({ connection: ownConnection(), connections: 2, statementTimeout: 10_000 })
})

afterAll(async () => {
  await opened.db.destroy()
  await beside(`drop database ${name}`)
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
