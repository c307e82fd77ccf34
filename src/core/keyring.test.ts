// The data keys of companies: values open at their place under every version, and nowhere else.

import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { newWorld } from '../../test/testkit/world.ts'
import { type Db, openDatabase, transaction } from './db/open.ts'
import { openKeyring } from './keyring.ts'

const root = randomBytes(32)
let db: Db
beforeAll(() => {
  db = openDatabase({ connection: inject('connection'), connections: 4, statementTimeout: 10_000 }).db
})
afterAll(() => db.destroy())

const placeIn = (companyId: string) => ({ companyId, table: 'secret', row: '1', column: 'value' })

test('what was sealed opens again, after a rotation too', async () => {
  const { companyId } = await newWorld()
  const keyring = openKeyring(root)
  const old = await keyring.seal(db, placeIn(companyId), 'first')

  const version = await keyring.rotate(db, companyId)
  const next = await keyring.seal(db, placeIn(companyId), 'second')

  expect([old.keyVersion, version, next.keyVersion]).toEqual([1, 2, 2])
  expect(await openKeyring(root).unseal(db, placeIn(companyId), old)).toBe('first')
  expect(await openKeyring(root).unseal(db, placeIn(companyId), next)).toBe('second')
})

test('what was sealed for one company, row or column opens for no other', async () => {
  const [mine, other] = [await newWorld(), await newWorld()]
  const keyring = openKeyring(root)
  const sealed = await keyring.seal(db, placeIn(mine.companyId), 'mine')
  await keyring.seal(db, placeIn(other.companyId), 'theirs')

  await expect(keyring.unseal(db, placeIn(other.companyId), sealed)).rejects.toThrow()
  await expect(keyring.unseal(db, { ...placeIn(mine.companyId), row: '2' }, sealed)).rejects.toThrow()
  await expect(keyring.unseal(db, { ...placeIn(mine.companyId), column: 'x' }, sealed)).rejects.toThrow()
  await expect(openKeyring(randomBytes(32)).unseal(db, placeIn(mine.companyId), sealed)).rejects.toThrow()
})

test('twenty that seal the first value at a time make one key', async () => {
  const { companyId } = await newWorld()

  const sealed = await Promise.all(
    Array.from({ length: 20 }, () => openKeyring(root).seal(db, placeIn(companyId), 'x')),
  )

  const keys = await db.selectFrom('data_key').select('version').where('company_id', '=', companyId).execute()
  expect(keys).toHaveLength(1)
  for (const one of sealed) expect(await openKeyring(root).unseal(db, placeIn(companyId), one)).toBe('x')
})

test('keys wrapped anew open under the next root key and no longer under the old one', async () => {
  const { companyId } = await newWorld()
  const next = randomBytes(32)
  const sealed = await openKeyring(root).seal(db, placeIn(companyId), 'kept')
  const undone = new Error('undone')

  const work = transaction(db, async (trx) => {
    await trx.deleteFrom('data_key').where('company_id', '!=', companyId).execute()
    await openKeyring(root).rewrap(trx, next)
    expect(await openKeyring(next).unseal(trx, placeIn(companyId), sealed)).toBe('kept')
    await expect(openKeyring(root).unseal(trx, placeIn(companyId), sealed)).rejects.toThrow()
    throw undone
  })

  await expect(work).rejects.toBe(undone)
})
