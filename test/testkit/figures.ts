// The database's figures of its tables, by which it plans: it makes them anew by itself once much was written, unless a test keeps them.

import { sql } from 'kysely'
import { onTestFinished } from 'vitest'
import type { Db } from '../../src/core/db/open.ts'
import { inside } from './inside.ts'

/** Makes the figures of the worker's database anew. */
export const renewFigures = async (): Promise<void> => void (await sql`analyze`.execute((await inside()).db))

/** Whose figures the database has when the rows of a company are read that came last: for each, what is done after they came. */
export const figuresOf = [
  { figures: 'of other companies', renew: async () => {} },
  { figures: 'of their own', renew: renewFigures },
]

/** Fills twice, for one company after another, and makes the figures of the first; resolves to what was made last. */
export async function filledAfterOthers<Made>(fill: () => Promise<Made>, renew: () => Promise<void>): Promise<Made> {
  await fill()
  await renewFigures()
  const made = await fill()
  await renew()
  return made
}

const alterTables = (db: Db, change: string) =>
  sql
    .raw(`do $$ declare name regclass; begin
      for name in select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
        execute format('alter table %s ${change}', name);
      end loop;
    end $$`)
    .execute(db)

/** From now on, figures of this database's tables are made only where something asks for them. */
export const leaveFigures = async (db: Db): Promise<void> =>
  void (await alterTables(db, 'set (autovacuum_enabled = false)'))

/** As leaveFigures, in the worker's database until the test has ended, so that no statement is planned otherwise in the middle of it. */
export async function keepFigures(): Promise<void> {
  const { db } = await inside()
  onTestFinished(async () => void (await alterTables(db, 'reset (autovacuum_enabled)')))
  await leaveFigures(db)
}
