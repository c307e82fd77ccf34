// Walks the rows of one statement, however many, through a database cursor.

import { type RawBuilder, sql } from 'kysely'
import { withClient } from './driver.ts'
import type { Trx } from './open.ts'
import type { Database } from './tables.generated.ts'

/** The numbers of the cursors that a transaction has open; names are reused, so that their statements stay prepared. */
const open = new WeakMap<Trx, Set<number>>()

/**
 * The rows of `query` in order, fetched `atOnce` at a time; the statement timeout applies to each fetch. The cursor is closed when the
 * iteration ends, also when it is left early.
 */
export async function* walkRows<Row>(trx: Trx, query: RawBuilder<Row>, atOnce: number): AsyncGenerator<Row[]> {
  const numbers = open.get(trx) ?? new Set<number>()
  open.set(trx, numbers)
  let number = 1
  while (numbers.has(number)) number += 1
  numbers.add(number)
  const name = `walk_${number}`
  let isOpen = false
  try {
    await sql`declare ${sql.raw(name)} no scroll cursor for ${query}`.execute(trx)
    isOpen = true
    for (
      let rows = await fetchRows<Row>(trx, name, atOnce);
      rows.length > 0;
      rows = await fetchRows(trx, name, atOnce)
    ) {
      yield rows
      if (rows.length < atOnce) break
    }
  } catch (error) {
    // the transaction is aborted, and its cursors are gone
    isOpen = false
    throw error
  } finally {
    if (isOpen) await sql`close ${sql.raw(name)}`.execute(trx)
    numbers.delete(number)
  }
}

/** Not prepared, because cursors that share a name return different columns. */
const fetchRows = <Row>(trx: Trx, name: string, atOnce: number): Promise<Row[]> =>
  withClient<Database, Row[]>(trx, async (client, onStatement) => {
    const text = `fetch forward ${atOnce} from ${name}`
    onStatement(text)
    const { rows } = await client.query(text)
    return rows
  })
