// The look-up of keys by requests that come at the same time.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { home } from '../../../test/testkit/home.ts'
import { inside } from '../../../test/testkit/inside.ts'
import { withAsset } from '../../../test/testkit/world.ts'
import { openDatabase } from '../../core/db/open.ts'
import { openViewers } from './viewers.ts'

async function closedDatabase() {
  const { db } = openDatabase({ connection: home().connection, connections: 1, statementTimeout: 10_000 })
  await sql`select`.execute(db)
  await db.destroy()
  return db
}

const TEN = Array.from({ length: 10 }, (_, n) => n)

async function newKey() {
  const { owner } = await withAsset()
  const { db } = await inside()
  return { key: owner.key, db, viewers: openViewers() }
}

test('requests that come at once with a key share its look-up and its viewer', async () => {
  const { key, db, viewers } = await newKey()

  const found = await Promise.all(TEN.map(() => viewers.find(db, key)))

  expect(found[0]).toMatchObject({ keyPublicId: key.split('_')[1] })
  expect(new Set(found).size).toBe(1)
})

test('a request that comes after a key was revoked does not share a look-up from before', async () => {
  const { key, db, viewers } = await newKey()

  const before = viewers.find(db, key)
  viewers.forget()
  const after = viewers.find(db, key)

  expect(await before).not.toBe(await after)
})

test('a look-up that fails refuses those alone that it was made for', async () => {
  const { key, db, viewers } = await newKey()
  const closed = await closedDatabase()

  const [failing, waiting] = [viewers.find(closed, key), viewers.find(db, key)]

  await expect(failing).rejects.toThrow()
  expect(await waiting).toMatchObject({ keyPublicId: key.split('_')[1] })
})
