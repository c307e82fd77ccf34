// Large reports: taken as a job that goes in whole or not at all, however often it is begun.

import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { waitingStatements } from '../../../test/testkit/inside.ts'
import { found, LARGE, large, parts } from '../../../test/testkit/large-reports.ts'
import {
  countsOf,
  newReportHome,
  type ReportHome,
  result,
  results,
  sarif,
  sendReport,
  taken,
} from '../../../test/testkit/reports.ts'
import { runImport, tasks } from './jobs.ts'

/** More rows than one statement writes. */
const MANY = 2100

/** Rows of several statements. */
const SEVERAL = 3 * MANY

const many = (count = MANY) =>
  Array.from({ length: count }, (_, index) => result(1 + index, {}, `src/${index % 100}.js`, index + 1))

const keyOf = ({ companyId }: ReportHome, id: string) => ({ companyId, id })

/** How many rows of a table the company has. */
async function countIn(table: string, { companyId }: ReportHome): Promise<number> {
  const { db } = await parts()
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)} where company_id = ${companyId}`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Runs an import of first findings and ends the connection that writes them, as the end of its process would, where it is about to
 * write the last of `count`; answers with what the run failed with.
 */
async function loseWriter(home: ReportHome, id: string, count: number): Promise<unknown> {
  const at = await parts()
  // a row of the same key, which its writer waits for
  const held = await at.db.startTransaction().execute()
  try {
    await sql`
      insert into import_row (company_id, import_id, number, disposition)
      values (${home.companyId}, ${id}, ${count - 1}, 'LEFT_OUT')`.execute(held)
    const lost = runImport(at, keyOf(home, id)).then(
      () => null,
      (error: unknown) => error,
    )
    await expect.poll(() => waitingStatements('%from import_first as %')).toBe(1)
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%from import_first as %' and pid <> pg_backend_pid()`.execute(
      at.db,
    )
    return await lost
  } finally {
    await held.rollback().execute()
  }
}

describe('a large report', () => {
  test('is answered while it waits, and is in once its job has run', async () => {
    const home = await newReportHome()

    const waiting = await taken(home, large(many()))
    await runImport(await parts(), keyOf(home, waiting.id))

    expect(waiting).toMatchObject({
      status: 'PENDING',
      progress: 0,
      result: null,
      rows: { metadata: { totalCount: 0 } },
    })
    const done = await found(home, waiting.id)
    expect(done).toMatchObject({ status: 'SUCCEEDED', progress: 1, failure: null })
    expect(countsOf(done)).toEqual({ read: MANY, created: MANY })
    expect(done.rows.metadata.totalCount).toBe(MANY)
    expect(await countIn('import_staged', home)).toBe(0)
    expect(await countIn('stored_object', home)).toBe(0)
  })

  test('is large also where it was sent packed and small, and is answered at once where it is small unpacked', async () => {
    const home = await newReportHome()

    const noise = result(4, { properties: { noise: randomBytes(Math.ceil(LARGE / 2)).toString('hex') } })

    const packed = await taken(home, gzipSync(sarif([...results(3), noise])))
    const small = await taken(home, gzipSync(sarif(results(3))))

    expect([packed.status, small.status]).toEqual(['PENDING', 'SUCCEEDED'])
    await runImport(await parts(), keyOf(home, packed.id))
    expect(countsOf(await found(home, packed.id))).toEqual({ read: 4, created: 1, unchanged: 3 })
  })

  test('that is packed and broken is refused at once', async () => {
    const home = await newReportHome()

    const { errors } = await sendReport(home, Buffer.concat([Buffer.from([0x1f, 0x8b]), Buffer.alloc(100, 1)]))

    expect(errors[0]).toMatchObject({ message: 'The report is not valid gzip', extensions: { code: 'BAD_USER_INPUT' } })
    expect(await countIn('import', home)).toBe(0)
  })

  test('goes in once, however often its job is run', async () => {
    const home = await newReportHome()
    const { id } = await taken(home, large(many()))
    const at = await parts()

    await Promise.allSettled([runImport(at, keyOf(home, id)), runImport(at, keyOf(home, id))])
    await runImport(at, keyOf(home, id))

    expect(countsOf(await found(home, id))).toEqual({ read: MANY, created: MANY })
    expect(await countIn('issue', home)).toBe(MANY)
  })

  test('goes in after its worker was killed while it read', async () => {
    const home = await newReportHome()
    const { id } = await taken(home, large(many()))
    const { db } = await parts()
    await sql`
      update import set status = 'RUNNING', attempts = 1, rows_staged = 7 where company_id = ${home.companyId}`.execute(
      db,
    )
    await sql`
      insert into import_staged (company_id, import_id, kind, bucket, file, number, section, at, payload)
      values (${home.companyId}, ${id}, 0, 1, 1, 1, 0, 'left behind', '{}')`.execute(db)

    await runImport(await parts(), keyOf(home, id))

    expect(countsOf(await found(home, id))).toEqual({ read: MANY, created: MANY })
  })

  test('goes in once after its worker was lost while it wrote, and until then nothing of it is there', async () => {
    const home = await newReportHome()
    const { id } = await taken(home, large(many(SEVERAL)))
    const at = await parts()

    expect(await loseWriter(home, id, SEVERAL)).toBeInstanceOf(Error)
    expect(await countIn('issue', home)).toBe(0)
    await runImport(at, keyOf(home, id))

    expect(countsOf(await found(home, id))).toEqual({ read: SEVERAL, created: SEVERAL })
    expect(await countIn('issue', home)).toBe(SEVERAL)
    expect(await countIn('import_first', home)).toBe(0)
  })

  test('goes in after a lost worker whose statement goes on in the database for a while', async () => {
    const home = await newReportHome()
    const { id } = await taken(home, large(many()))
    const at = await parts()
    const lost = await at.db.startTransaction().execute()
    await sql`select pg_advisory_xact_lock(hashtextextended(${`import ${home.companyId}/${id}`}, 0))`.execute(lost)

    const again = runImport(at, keyOf(home, id))
    await expect.poll(() => waitingStatements('%pg_advisory_xact_lock(hashtextextended%')).toBeGreaterThan(0)
    await lost.rollback().execute()
    await again

    expect(countsOf(await found(home, id))).toEqual({ read: MANY, created: MANY })
  })

  test('that cannot be read fails with its reason, and nothing of it is in', async () => {
    const home = await newReportHome()
    const broken = Array.from({ length: MANY + 1 }, () => 'nonsense')
    const { id } = await taken(home, large([...many(), ...broken]))

    await runImport(await parts(), keyOf(home, id))

    const failed = await found(home, id)
    expect(failed).toMatchObject({ status: 'FAILED', result: null, failure: { code: 'BAD_USER_INPUT' } })
    expect(failed.failure.message).toContain(`Only ${MANY} of ${2 * MANY + 1} rows`)
    expect(await countIn('issue', home)).toBe(0)
    expect(await countIn('import_staged', home)).toBe(0)
    expect(await countIn('stored_object', home)).toBe(0)
  })

  test('that would close most of what is open fails until that is confirmed', async () => {
    const home = await newReportHome()
    await taken(home, sarif(results(20, 90_000)))
    const refused = await taken(home, large(many()), { closeAbsent: true })
    await runImport(await parts(), keyOf(home, refused.id))

    const confirmed = await taken(home, large(many()), { closeAbsent: true, confirmClose: true })
    await runImport(await parts(), keyOf(home, confirmed.id))

    expect((await found(home, refused.id)).failure).toMatchObject({
      code: 'FAILED_PRECONDITION',
      message: expect.stringContaining('20 of 20'),
    })
    expect(countsOf(await found(home, confirmed.id))).toEqual({ read: MANY, created: MANY, closed: 20 })
  })

  test('is given up after it was begun eight times', async () => {
    const home = await newReportHome()
    const { id } = await taken(home, large(many()))
    const { db } = await parts()
    await sql`update import set attempts = 8, status = 'RUNNING' where company_id = ${home.companyId}`.execute(db)

    await runImport(await parts(), keyOf(home, id))

    expect(await found(home, id)).toMatchObject({ status: 'FAILED', failure: { code: 'INTERNAL_SERVER_ERROR' } })
  })
})

test('rows that said UNCHANGED are forgotten after a week, and all of them after 90 days', async () => {
  const home = await newReportHome()
  const { db } = await parts()
  const first = await taken(home, sarif(results(2)))
  const second = await taken(home, sarif(results(3)))
  const sweep = tasks.find(({ name }) => name === 'sweep-import-rows')
  const age = (id: string, days: number) =>
    sql`update import set finished_at = now() - make_interval(days => ${days})
      where company_id = ${home.companyId} and id = ${id}`.execute(db)

  await age(first.id, 91)
  await age(second.id, 8)
  await sweep?.run(await parts(), null)

  const { rows } = await sql<{ import_id: string; disposition: string }>`
    select import_id, disposition from import_row where company_id = ${home.companyId}`.execute(db)
  expect(rows).toEqual([{ import_id: second.id, disposition: 'CREATED' }])
})
