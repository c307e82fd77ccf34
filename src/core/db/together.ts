// Runs several statements in one round trip and one transaction, each seeing only what was committed before it began.

import type { RawBuilder } from 'kysely'
import { statementName, withClient } from './driver.ts'
import type { Db } from './open.ts'
import { runPrepared } from './prepared.ts'

/**
 * Runs the statements one after the other and returns the rows of the last. Either all take effect or none; a lock that one takes is held
 * until all are done. `db` must not be a transaction, which a failing statement would leave aborted.
 */
export async function runTogether<T>(
  db: Db,
  statements: readonly [...RawBuilder<unknown>[], RawBuilder<T>],
): Promise<T[]> {
  const compiled = statements.map((statement) => statement.compile(db))
  return withClient(db, async (client, onStatement) => {
    for (const { sql } of compiled) onStatement(sql)
    const named = compiled.map(({ sql, parameters }) => ({
      name: statementName(sql) ?? '',
      text: sql,
      values: parameters,
    }))
    return (await runPrepared<T>(client, named)).rows
  })
}
