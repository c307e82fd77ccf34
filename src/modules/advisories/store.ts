// The SQL of advisories, a catalogue that all companies share.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import type { Advisory, Known } from '../../review/dependencies/advisories/types.ts'

/** Lets only one import run at a time: a second one waits for the first. */
export async function lockAdvisories(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('advisory'))`.execute(trx)
}

/** When the stored version of each of these advisories was last modified; unknown ones are left out. */
export async function findModified(db: Db | Trx, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; modified: string }>`
    select id, modified from advisory where id = any(${ids}::text[])`.execute(db)
  return new Map(rows.map(({ id, modified }) => [id, modified]))
}

/** Writes advisories, replacing stored versions. */
export async function replaceAdvisories(trx: Trx, advisories: readonly Advisory[]): Promise<void> {
  const ids = advisories.map(({ id }) => id)
  await sql`delete from advisory where id = any(${ids}::text[])`.execute(trx)
  const kept = advisories.map(({ id, modified, said }) => ({ id, modified, said }))
  await sql`
    insert into advisory (id, modified, said)
    select id, modified, said
    from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) as given(id text, modified timestamptz, said jsonb)`.execute(
    trx,
  )
  await sql`
    insert into advisory_range (advisory_id, number, ecosystem, package, introduced, fixed, last_affected, versions)
    select "advisoryId", number, ecosystem, package, introduced, fixed, "lastAffected",
      array(select jsonb_array_elements_text(versions))
    from jsonb_to_recordset(${JSON.stringify(advisories.flatMap(rangesOf))}::jsonb) as given("advisoryId" text, number int,
      ecosystem text, package text, introduced text, fixed text, "lastAffected" text, versions jsonb)`.execute(trx)
}

type Range = {
  advisoryId: string
  number: number
  ecosystem: string
  package: string
  introduced: string | null
  fixed: string | null
  lastAffected: string | null
  versions: readonly string[]
}

const rangesOf = ({ id, affected }: Advisory): Range[] =>
  affected
    .flatMap(({ ecosystem, name, intervals, versions }) => {
      const of = { ecosystem, package: name }
      const listed =
        versions.length === 0 ? [] : [{ ...of, introduced: null, fixed: null, lastAffected: null, versions }]
      return [...intervals.map((interval) => ({ ...of, ...interval, versions: [] })), ...listed]
    })
    .map((range, number) => ({ ...range, advisoryId: id, number }))

type PackageKey = { ecosystem: string; name: string }

/** The advisories about these packages. */
export async function findKnown(db: Db, packages: readonly PackageKey[]): Promise<Known[]> {
  const { rows } = await sql<Known>`
    select advisory.id, advisory.said, ecosystem, package as name,
      coalesce(jsonb_agg(jsonb_build_object('introduced', introduced, 'fixed', fixed, 'lastAffected', last_affected))
        filter (where introduced is not null), '[]') as intervals,
      coalesce(jsonb_agg(distinct listed.version) filter (where listed.version is not null), '[]') as versions
    from jsonb_to_recordset(${JSON.stringify(packages)}::jsonb) as asked(ecosystem text, name text)
    join advisory_range using (ecosystem)
    join advisory on advisory.id = advisory_id
    left join lateral unnest(versions) as listed(version) on true
    where package = asked.name
    group by advisory.id, advisory.said, ecosystem, package`.execute(db)
  return rows
}

export type CatalogueState = { ecosystem: string; advisories: number; packages: number; newest: string }

/** The number of advisories and packages of each ecosystem, and when the newest advisory was modified. */
export async function listCatalogue(db: Db): Promise<CatalogueState[]> {
  const { rows } = await sql<CatalogueState>`
    select ecosystem, count(distinct advisory_id)::int as advisories, count(distinct package)::int as packages,
      max(modified) as newest
    from advisory_range join advisory on advisory.id = advisory_id group by ecosystem order by ecosystem`.execute(db)
  return rows
}

/** Whether there is any advisory at all. */
export async function hasAdvisories(db: Db): Promise<boolean> {
  const { rows } = await sql<{ any: boolean }>`select exists (select from advisory) as any`.execute(db)
  return rows[0]?.any ?? false
}
