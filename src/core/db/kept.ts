// Runs statements that are kept for several uses, and compiles each of them once.

import type { CompiledQuery, QueryResult, RawBuilder } from 'kysely'
import type { Db } from './open.ts'

/** The kept statements; null until one is compiled. Others are not asked again as the same object, so nothing is remembered of them. */
const compiled = new WeakMap<RawBuilder<unknown>, CompiledQuery | null>()

/** The same statement, which executeKept then compiles once. */
export function keepStatement<Row>(statement: RawBuilder<Row>): RawBuilder<Row> {
  compiled.set(statement, null)
  return statement
}

/** As `statement.execute(db)`. */
export function executeKept<Row>(db: Db, statement: RawBuilder<Row>): Promise<QueryResult<Row>> {
  const known = compiled.get(statement)
  if (known === undefined) return statement.execute(db)
  if (known) return db.executeQuery(known as CompiledQuery<Row>)
  const made = statement.compile(db)
  compiled.set(statement, made)
  return db.executeQuery(made)
}
