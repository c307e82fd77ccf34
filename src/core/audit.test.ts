// The record of changes: every edit of it in the database is found, whatever the order of commits. Each test works on records of its
// own in a schema of its own, because what it does to them would be found by others.

import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { home } from '../../test/testkit/home.ts'
import { type Actor, appendAudit } from './audit.ts'
import { sealAudit, verifyAudit } from './audit-chain.ts'
import { type Db, openDatabase, transaction } from './db/open.ts'

const key = randomBytes(32)
const schema = `audit_${randomBytes(4).toString('hex')}`
const actor: Actor = { userId: '1', keyPublicId: 'k', address: '127.0.0.1', requestId: 'r', operation: 'updateAsset' }
let db: Db

beforeAll(async () => {
  db = openDatabase({ connection: home().connection, connections: 4, statementTimeout: 10_000 }).db
  await sql`create schema ${sql.id(schema)}`.execute(db)
  for (const table of ['audit_record', 'audit_head']) {
    await sql`create table ${sql.id(schema, table)} (like ${sql.id('public', table)} including all)`.execute(db)
  }
  await db.destroy()
  const connection = { ...home().connection, options: `-c search_path=${schema},public` }
  db = openDatabase({ connection, connections: 4, statementTimeout: 10_000 }).db
})
afterAll(async () => {
  await sql`drop schema ${sql.id(schema)} cascade`.execute(db)
  await db.destroy()
})

describe('audit records', () => {
  test('are whole before and after they are sealed', async () => {
    await newRecords(5)

    const before = await verifyAudit(db, key)
    const sealed = await sealAudit(db, key)
    const again = await sealAudit(db, key)
    await addRecords(2)
    const after = await verifyAudit(db, key)

    expect([before, sealed, again]).toEqual([{ records: 5, broken: [], gaps: [] }, 5, 0])
    expect(after).toEqual({ records: 7, broken: [], gaps: [] })
  })

  test.each([
    ['who', sql`user_id = 2`],
    ['when', sql`at = at + interval '1 millisecond'`],
    ['where', sql`company_id = 8`],
    ['what', sql`object = 'Asset 2'`],
    ['the state before', sql`before = '{"name":"other"}'`],
    ['the state after', sql`after = null`],
    ['from where', sql`address = null`],
  ])('tell when %s was changed', async (_, change) => {
    const ids = await newRecords(3)
    await sealAudit(db, key)

    await sql`update audit_record set ${change} where id = ${ids[1]}`.execute(db)

    expect(await verifyAudit(db, key)).toEqual({ records: 3, broken: [ids[1]], gaps: [] })
  })

  test('tell when one was changed before it was sealed', async () => {
    const [id] = await newRecords(1)

    await sql`update audit_record set operation = 'x' where id = ${id}`.execute(db)
    await sealAudit(db, key)

    expect((await verifyAudit(db, key)).broken).toEqual([id])
  })

  test.each([0, 1, 2])('tell when number %i of several is gone', async (place) => {
    const ids = await newRecords(4)
    await sealAudit(db, key)

    await sql`delete from audit_record where id = ${ids[place]}`.execute(db)

    expect((await verifyAudit(db, key)).gaps).toEqual([ids[place + 1]])
  })

  test('tell when the last one is gone, and when its place was taken along', async () => {
    const ids = await newRecords(3)
    await sealAudit(db, key)

    await sql`delete from audit_record where id = ${ids[2]}`.execute(db)
    const cut = await verifyAudit(db, key)
    await sql`update audit_head set (sequence, chain) = (select sequence, chain from audit_record where id = ${ids[1]})`.execute(
      db,
    )
    const covered = await verifyAudit(db, key)
    await sql`delete from audit_head`.execute(db)
    const headless = await verifyAudit(db, key)

    expect([cut.gaps, covered.gaps, headless.gaps]).toEqual([['end'], ['end'], ['end']])
  })

  test('tell when links were made without the key', async () => {
    const ids = await newRecords(3)
    await sealAudit(db, key)

    await sql`delete from audit_record where id = ${ids[1]}`.execute(db)
    await sql`update audit_record set sequence = 2 where id = ${ids[2]}`.execute(db)
    await sql`update audit_record set chain = sha256(chain) where id = ${ids[2]}`.execute(db)

    expect((await verifyAudit(db, key)).gaps).toContain(ids[2])
  })

  test('tell when two changed places', async () => {
    const ids = await newRecords(3)
    await sealAudit(db, key)

    await sql`update audit_record set sequence = 3 - sequence where sequence < 3`.execute(db)

    expect((await verifyAudit(db, key)).gaps).toContain(ids[0])
  })

  test('of a transaction that commits late come later in the chain, and nothing is missing', async () => {
    await clear()
    const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>()
    const { promise: isWritten, resolve: written } = Promise.withResolvers<void>()
    const late = transaction(db, async (trx) => {
      await appendAudit(trx, key, actor, { companyId: '7', object: 'Asset 1' })
      written()
      await mayCommit
    })
    await isWritten
    await transaction(db, (trx) => appendAudit(trx, key, actor, { companyId: '7', object: 'Asset 2' }))

    const sealedFirst = await sealAudit(db, key)
    commit()
    await late
    const sealedThen = await sealAudit(db, key)

    const { rows } = await sql<{ object: string }>`select object from audit_record order by sequence`.execute(db)
    expect([sealedFirst, sealedThen]).toEqual([1, 1])
    expect(rows.map(({ object }) => object)).toEqual(['Asset 2', 'Asset 1'])
    expect(await verifyAudit(db, key)).toEqual({ records: 2, broken: [], gaps: [] })
  })

  test('are linked once when two seal at a time', async () => {
    await newRecords(50)

    const sealed = await Promise.all([sealAudit(db, key), sealAudit(db, key), sealAudit(db, key)])

    expect(sealed.reduce((sum, count) => sum + count)).toBe(50)
    expect(await verifyAudit(db, key)).toEqual({ records: 50, broken: [], gaps: [] })
  })

  test.each([
    ['numbers', { a: 0.1, b: 1e21, c: -0, d: 12345678901234567890n.toString(), e: 1e-7 }],
    ['text', { a: 'é\u2028"\\\n', b: 'half \ud800 of a pair', c: '', d: '😀' }],
    ['nesting and order', { z: [{ b: 1, a: [null, true] }], a: {}, 10: 'ten', 9: 'nine' }],
    ['nothing', null],
  ])('of %s come back as they were written', async (_, value) => {
    await clear()

    await transaction(db, (trx) =>
      appendAudit(trx, key, actor, { companyId: null, object: 'X', before: value, after: value }),
    )

    expect(await verifyAudit(db, key)).toEqual({ records: 1, broken: [], gaps: [] })
  })

  test('keep the beginning of a long text and tell the rest by its hash', async () => {
    await clear()
    const [one, other] = [`${'a'.repeat(99_999)}1`, `${'a'.repeat(99_999)}2`]

    await transaction(db, (trx) =>
      appendAudit(trx, key, actor, {
        companyId: '7',
        object: 'Issue 1',
        before: { text: one },
        after: { text: other },
      }),
    )

    const { rows } = await sql<{ before: { text: string }; after: { text: string } }>`
      select before, after from audit_record`.execute(db)
    const [record] = rows
    expect(record?.before.text.length).toBeLessThan(2200)
    expect(record?.before.text).toMatch(/^a{2000}… \(100000 characters, SHA-256 [0-9a-f]{64}\)$/)
    expect(record?.after.text).not.toBe(record?.before.text)
    expect(await verifyAudit(db, key)).toEqual({ records: 1, broken: [], gaps: [] })
  })

  test('are not whole under another key', async () => {
    await newRecords(1)

    expect((await verifyAudit(db, randomBytes(32))).broken).toHaveLength(1)
  })
})

async function clear(): Promise<void> {
  await sql`truncate ${sql.id(schema, 'audit_record')}, ${sql.id(schema, 'audit_head')}`.execute(db)
}

/** Only these records are there then; answers with their ids in the order of writing. */
async function newRecords(count: number): Promise<string[]> {
  await clear()
  await addRecords(count)
  const { rows } = await sql<{ id: string }>`select id from audit_record order by id`.execute(db)
  return rows.map(({ id }) => id)
}

async function addRecords(count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    const change = { companyId: '7', object: `Asset ${number + 10}`, before: { name: 'old' }, after: { name: 'new' } }
    await transaction(db, (trx) => appendAudit(trx, key, actor, change))
  }
}
