// Steps inside a transaction: a step that fails undoes all of itself, and nothing before it.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inside } from '../../../test/testkit/inside.ts'
import { type Trx, transaction } from './open.ts'

const write = (trx: Trx, word: string) => sql`insert into written values (${word})`.execute(trx)

/** What is left of what `work` writes in a transaction. */
async function left(work: (trx: Trx) => Promise<void>): Promise<string[]> {
  const { db } = await inside()
  return transaction(db, async (trx) => {
    await sql`create temp table written (word text) on commit drop`.execute(trx)
    await work(trx)
    const { rows } = await sql<{ word: string }>`select word from written order by word`.execute(trx)
    return rows.map(({ word }) => word)
  })
}

const failing = async (trx: Trx) => {
  await write(trx, 'in the step that fails')
  throw new Error('It fails')
}

test('a step that fails leaves what was written before it', async () => {
  const words = await left(async (trx) => {
    await write(trx, 'before')
    await transaction(trx, failing).catch(() => {})
    await write(trx, 'later')
  })

  expect(words).toEqual(['before', 'later'])
})

test('a step that fails because one inside it fails takes back what it wrote before that', async () => {
  const words = await left(async (trx) => {
    await write(trx, 'before')
    await transaction(trx, async (outer) => {
      await write(outer, 'in the step around')
      await transaction(outer, failing)
    }).catch(() => {})
    await write(trx, 'later')
  })

  expect(words).toEqual(['before', 'later'])
})
