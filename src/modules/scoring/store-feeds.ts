// The SQL of the published data on exploitation, which all companies share.

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import { from as copyFrom } from 'pg-copy-streams'
import { withClient } from '../../core/db/driver.ts'
import type { Db, Trx } from '../../core/db/open.ts'
import type { Database } from '../../core/db/tables.generated.ts'
import type { EpssRow, FeedVersion, KnownExploited } from './feeds.ts'

export type FeedName = 'EPSS' | 'KEV'

export type Feed = {
  name: FeedName
  version: string | null
  publishedAt: string | null
  rowCount: number
  importedAt: string
}

export async function listFeeds(db: Db): Promise<Feed[]> {
  const { rows } = await sql<Feed>`
    select name, version, published_at as "publishedAt", row_count as "rowCount", imported_at as "importedAt"
    from exploitation_feed order by name`.execute(db)
  return rows
}

/** One import at a time: the second of two waits for the first. */
export async function lockFeeds(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('exploitation_feed'))`.execute(trx)
}

export async function upsertFeed(trx: Trx, name: FeedName, { version, publishedAt }: FeedVersion, rows: number) {
  await sql`
    insert into exploitation_feed (name, version, published_at, row_count)
    values (${name}, ${version}, ${publishedAt}::timestamptz, ${rows})
    on conflict (name) do update set version = excluded.version, published_at = excluded.published_at,
      row_count = excluded.row_count, imported_at = now()`.execute(trx)
}

/** Characters that are handed to COPY at a time. */
const BLOCK = 256 * 1024

async function* copyText(rows: AsyncIterable<EpssRow>): AsyncGenerator<Buffer> {
  let block = ''
  for await (const { cve, score, percentile } of rows) {
    block += `${cve}\t${score}\t${percentile}\n`
    if (block.length < BLOCK) continue
    yield Buffer.from(block)
    block = ''
  }
  if (block !== '') yield Buffer.from(block)
}

/** Reads the rows through COPY and writes those that differ; a vulnerability that the file leaves out keeps its score. Returns how many were read. */
export async function replaceEpss(trx: Trx, rows: AsyncIterable<EpssRow>): Promise<number> {
  await sql`drop table if exists pg_temp.epss_read`.execute(trx)
  await sql`create temporary table epss_read (cve text, score float8, percentile float8) on commit drop`.execute(trx)
  await withClient<Database, void>(trx, async (client) => {
    const copy = client.query(copyFrom('copy epss_read from stdin'))
    await pipeline(Readable.from(copyText(rows), { objectMode: false }), copy)
  })
  await sql`
    insert into epss (cve, score, percentile)
    select distinct on (cve) cve, score, percentile from epss_read order by cve
    on conflict (cve) do update set score = excluded.score, percentile = excluded.percentile
    where (epss.score, epss.percentile) <> (excluded.score, excluded.percentile)`.execute(trx)
  const counted = await sql<{ count: number }>`select count(*)::int as count from epss_read`.execute(trx)
  return counted.rows[0]?.count ?? 0
}

/** Of a catalogue with less than this share of the entries before, what it leaves out stays: it was cut. */
const BELIEVED = 0.9

/** Takes out what the catalogue no longer has, and writes it. */
export async function replaceKnownExploited(trx: Trx, entries: readonly KnownExploited[]): Promise<void> {
  await sql`
    delete from known_exploited
    where not cve = any(${entries.map(({ cve }) => cve)}::text[])
    and (select count(*) from known_exploited) * ${sql.lit(BELIEVED)} <= ${entries.length}::int`.execute(trx)
  const given = JSON.stringify(entries)
  await sql`
    insert into known_exploited (cve, added_on, due_on, is_ransomware)
    select distinct on (cve) cve, "addedOn", "dueOn", "isRansomware"
    from jsonb_to_recordset(${given}::jsonb) as given (cve text, "addedOn" date, "dueOn" date, "isRansomware" boolean)
    order by cve
    on conflict (cve) do update set added_on = excluded.added_on, due_on = excluded.due_on,
      is_ransomware = excluded.is_ransomware`.execute(trx)
}
