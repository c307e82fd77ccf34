// Checks that an installation is consistent: what was acknowledged exists once, nothing exists in part, and every file has a row.

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { objectPath } from '../../src/core/objects/disk.ts'
import type { Journal } from './load.ts'
import type { Place } from './server.ts'
import { AT_ONCE_BYTES, FINDINGS_OF_REPORT, type Write } from './writes.ts'

/** Counts the rows with each mark of `$1`. */
const counts: Record<Write['kind'], string> = {
  company: `select label as mark, count(*)::int as rows from company where label = any($1) group by 1`,
  asset: `select name as mark, count(*)::int as rows from asset where name = any($1) group by 1`,
  finding: `select title as mark, count(*)::int as rows from issue join occurrence using (company_id)
    where issue.id = occurrence.issue_id and title = any($1) group by 1`,
  batch: `select substring(title from '^batch [0-9a-f]+') as mark, count(*)::int as rows from issue
    where substring(title from '^batch [0-9a-f]+') = any($1) group by 1`,
  status: `select issue.id::text as mark, count(*)::int as rows from issue
    join issue_event on issue_event.company_id = issue.company_id and issue_event.issue_id = issue.id
      and issue_event.status = 'FALSE_POSITIVE'
    where issue.id = any($1::bigint[]) and issue.status = 'FALSE_POSITIVE' group by 1`,
  deploy: `select current_commit as mark, count(*)::int as rows from deploy
    join deploy_file on deploy_file.company_id = deploy.company_id and deploy_file.deploy_id = deploy.id
    where current_commit = any($1) group by 1`,
  attachment: `select filename as mark, count(*)::int as rows from attachment
    join stored_object on stored_object.company_id = attachment.company_id and stored_object.id = attachment.object_id
    where filename = any($1) group by 1`,
  ticket: `select title as mark, count(*)::int as rows from ticket where title = any($1) group by 1`,
  import: `select filename as mark, count(*)::int as rows from import where filename = any($1) group by 1`,
}

/**
 * Faults, one a sentence; none if the installation is consistent. `sweptAt` is when the start that swept began, on the
 * clock of performance.now; no request has ended since.
 */
export async function findFaults(
  place: Place,
  client: Client,
  journal: Journal,
  sweptAt: number | null,
): Promise<string[]> {
  return [
    ...journal.wrong,
    ...(await findLost(client, journal.acknowledged)),
    ...(await findPartial(client, journal.open)),
    ...(await findHalfTransactions(client)),
    ...(await findHalfImports(client)),
    ...(await findWrongFiles(place, client, journal, sweptAt)),
  ]
}

async function findLost(client: Client, acknowledged: readonly Write[]): Promise<string[]> {
  const found = await countRows(client, acknowledged)
  return acknowledged
    .filter(({ kind, mark, rows }) => found.get(`${kind} ${mark}`) !== rows)
    .map(({ kind, mark, rows }) => `${kind} ${mark} has ${found.get(`${kind} ${mark}`) ?? 0} rows instead of ${rows}`)
}

async function findPartial(client: Client, open: readonly Write[]): Promise<string[]> {
  const found = await countRows(client, open)
  return open
    .filter(({ kind, mark, rows }) => ![0, rows].includes(found.get(`${kind} ${mark}`) ?? 0))
    .map(({ kind, mark, rows }) => `${kind} ${mark} has ${found.get(`${kind} ${mark}`)} of ${rows} rows`)
}

async function countRows(client: Client, writes: readonly Write[]): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  for (const [kind, own] of Map.groupBy(writes, (write) => write.kind)) {
    const { rows } = await client.query<{ mark: string; rows: number }>(counts[kind], [own.map(({ mark }) => mark)])
    for (const { mark, rows: count } of rows) found.set(`${kind} ${mark}`, count)
  }
  return found
}

/**
 * Imports that failed, or whose findings, rows and audit records do not match their status: they must be all there or
 * not at all.
 */
async function findHalfImports(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ fault: string }>(
    `select 'Import ' || id || ' is ' || status || ' with ' || made || ' findings, ' || told || ' audit records' as fault
     from (select import.id, status, asked_as_job,
             (select count(*) from import_row join issue using (company_id)
              where company_id = import.company_id and import_id = import.id and disposition = 'CREATED'
                and issue.id = issue_id) as made,
             (select count(*) from audit_record
              where company_id = import.company_id and object = 'Import ' || import.id) as told
           from import cross join lateral (select (size > ${AT_ONCE_BYTES})::int as asked_as_job) as how) as import
     where status = 'FAILED'
       or made <> case when status = 'SUCCEEDED' then ${FINDINGS_OF_REPORT} else 0 end
       or told <> asked_as_job + (status = 'SUCCEEDED')::int`,
  )
  return rows.map(({ fault }) => fault)
}

/**
 * Waits up to `most` milliseconds until no import is in progress; resolves to how many still are, how many there are,
 * and how many were imported by a job.
 */
export async function awaitImports(client: Client, most: number): Promise<{ open: number; all: number; jobs: number }> {
  for (const end = performance.now() + most; ; await delay(200)) {
    const { rows } = await client.query<{ open: number; all: number; jobs: number }>(
      `select count(*) filter (where finished_at is null)::int as open, count(*)::int as all,
              count(*) filter (where size > ${AT_ONCE_BYTES})::int as jobs from import`,
    )
    const [found] = rows
    if (found && (found.open === 0 || performance.now() > end)) return found
  }
}

/** Rows with a missing or duplicate audit record, audit records without their row, and deploys without all of their files. */
async function findHalfTransactions(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ fault: string }>(
    `with made(object) as (
       select 'Company ' || id from company union all select 'Asset ' || id from asset union all
       select 'Issue ' || id from issue where not exists (
         select from import_row where company_id = issue.company_id and issue_id = issue.id and disposition = 'CREATED'
       ) union all select 'Deploy ' || id from deploy union all
       select 'Attachment ' || id from attachment union all select 'Ticket ' || id from ticket
     ), told as (
       select object, count(*) filter (where before is null) as made from audit_record
       where object ~ '^(Company|Asset|Issue|Deploy|Attachment|Ticket) ' group by object
     )
     select coalesce(made.object, told.object) || ' has ' || coalesce(told.made, 0) || ' audit records and '
            || case when made.object is null then 'no row' else 'a row' end as fault
     from made full join told using (object) where made.object is null or told.made is distinct from 1
     union all
     select 'Deploy ' || id || ' has not its ' || files || ' files' from deploy
     where files <> (select count(*) from deploy_file where company_id = deploy.company_id and deploy_id = deploy.id)`,
  )
  return rows.map(({ fault }) => fault)
}

type StoredRow = { key: string; filename: string; sha256: string }

async function findWrongFiles(
  place: Place,
  client: Client,
  journal: Journal,
  sweptAt: number | null,
): Promise<string[]> {
  const directory = join(place.data, 'objects')
  const { rows } = await client.query<StoredRow>(
    `select object_key as key, filename, encode(sha256, 'hex') as sha256 from stored_object`,
  )
  const faults: string[] = []
  const sent = new Map(journal.acknowledged.flatMap((write) => (write.sha256 ? [[nameOf(write), write.sha256]] : [])))
  for (const row of rows) {
    const bytes = await readFile(objectPath(directory, row.key)).catch(() => null)
    const actual = bytes && createHash('sha256').update(bytes).digest('hex')
    if (bytes === null && !(await isReferred(client, row.key))) continue
    if (actual !== row.sha256) faults.push(`The object ${row.key} is ${bytes ? 'another' : 'missing'}`)
    const expected = sent.get(row.filename)
    if (expected !== undefined && expected !== row.sha256) faults.push(`${row.filename} is not what was sent`)
  }
  return sweptAt === null ? faults : [...faults, ...(await findOrphans(directory, client, sweptAt))]
}

/** milliseconds for which the sweep of a start may go on once the service serves */
const MOST_SWEPT = 60_000

/** Files that no row refers to, once the sweep of the start has had its time. */
async function findOrphans(directory: string, client: Client, sweptAt: number): Promise<string[]> {
  for (const end = performance.now() + MOST_SWEPT; ; await delay(100)) {
    const { rows } = await client.query<{ key: string }>('select object_key as key from stored_object')
    const known = new Set(rows.map(({ key }) => key))
    const orphans = (await listObjects(directory)).filter((key) => !known.has(key))
    // the report of an import that has ended since the start is deleted only by the next sweep
    const { rowCount } = await client.query(
      `select from import where size > ${AT_ONCE_BYTES} and finished_at > now() - $1 * interval '1 millisecond'`,
      [performance.now() - sweptAt],
    )
    if (orphans.length <= (rowCount ?? 0)) return []
    if (performance.now() > end) return orphans.map((key) => `The object ${key} belongs to no row`)
  }
}

const isReferred = async (client: Client, key: string): Promise<boolean> =>
  ((await client.query('select from stored_object where object_key = $1', [key])).rowCount ?? 0) > 0

const nameOf = ({ kind, mark }: Write): string => (kind === 'deploy' ? `${mark}.diff` : mark)

/** Every object and every draft on disk. */
async function listObjects(directory: string): Promise<string[]> {
  const folders = (await readdir(directory)).filter((name) => /^[0-9a-f]{2}$|^incoming$/.test(name))
  return (await Promise.all(folders.map((folder) => readdir(join(directory, folder))))).flat()
}
