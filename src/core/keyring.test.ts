// The data keys of companies: values open at their place under every version, and nowhere else.

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { home } from '../../test/testkit/home.ts'
import { newWorld } from '../../test/testkit/world.ts'
import { type Db, openDatabase, transaction } from './db/open.ts'
import { openKeyring } from './keyring.ts'
import { loadRootKey, openInstallationKey, WrongRootKey } from './root-key.ts'

let db: Db
beforeAll(() => {
  db = openDatabase({ connection: home().connection, connections: 4, statementTimeout: 10_000 }).db
})
afterAll(() => db.destroy())

/** The root key that the service under test made. */
const keys = async () => ({
  current: await loadRootKey(null, join(home().dataDirectory, 'root-key')),
  previous: null,
})

const installation = randomBytes(32)

const placeIn = (companyId: string) => ({ companyId, table: 'secret', row: '1', column: 'value' })

test('what was sealed opens again, after a rotation too', async () => {
  const { companyId } = await newWorld()
  const keyring = openKeyring(await keys(), installation)
  const old = await keyring.seal(db, placeIn(companyId), 'first')

  const version = await keyring.rotate(db, companyId)
  const next = await keyring.seal(db, placeIn(companyId), 'second')

  expect([old.keyVersion, version, next.keyVersion]).toEqual([1, 2, 2])
  expect(await openKeyring(await keys(), installation).unseal(db, placeIn(companyId), old)).toBe('first')
  expect(await openKeyring(await keys(), installation).unseal(db, placeIn(companyId), next)).toBe('second')
})

test('what was sealed for one company, row or column opens for no other', async () => {
  const [mine, other] = [await newWorld(), await newWorld()]
  const keyring = openKeyring(await keys(), installation)
  const sealed = await keyring.seal(db, placeIn(mine.companyId), 'mine')
  await keyring.seal(db, placeIn(other.companyId), 'theirs')

  await expect(keyring.unseal(db, placeIn(other.companyId), sealed)).rejects.toThrow()
  await expect(keyring.unseal(db, { ...placeIn(mine.companyId), row: '2' }, sealed)).rejects.toThrow()
  await expect(keyring.unseal(db, { ...placeIn(mine.companyId), column: 'x' }, sealed)).rejects.toThrow()
  await expect(
    openKeyring({ current: randomBytes(32), previous: null }, randomBytes(32)).unseal(
      db,
      placeIn(mine.companyId),
      sealed,
    ),
  ).rejects.toThrow()
})

test('twenty that seal the first value at a time make one key', async () => {
  const { companyId } = await newWorld()

  const sealed = await Promise.all(
    Array.from({ length: 20 }, async () => openKeyring(await keys(), installation).seal(db, placeIn(companyId), 'x')),
  )

  const made = await db.selectFrom('data_key').select('version').where('company_id', '=', companyId).execute()
  expect(made).toHaveLength(1)
  for (const one of sealed)
    expect(await openKeyring(await keys(), installation).unseal(db, placeIn(companyId), one)).toBe('x')
})

test('a rotation of the root key leaves everything readable, by services that know both keys all the while', async () => {
  const { companyId } = await newWorld()
  const { current } = await keys()
  const next = { current: randomBytes(32), previous: current }
  const kept = await openInstallationKey(db, await keys())
  const sealed = await openKeyring(await keys(), installation).seal(db, placeIn(companyId), 'kept')
  const undone = new Error('undone')

  const work = transaction(db, async (trx) => {
    const during = openKeyring(next, installation)
    expect(await during.unseal(trx, placeIn(companyId), sealed)).toBe('kept')
    expect(await during.rewrap(trx)).toBeGreaterThan(0)
    expect(await during.rewrap(trx)).toBe(0)
    const after = openKeyring({ current: next.current, previous: null }, installation)
    expect(await after.unseal(trx, placeIn(companyId), sealed)).toBe('kept')
    expect(await openInstallationKey(trx, next)).toEqual(kept)
    await expect(openInstallationKey(trx, await keys())).rejects.toThrow(WrongRootKey)
    throw undone
  })

  await expect(work).rejects.toBe(undone)
})
