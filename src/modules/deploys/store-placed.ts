// The SQL of findings in the files of a deploy's diff: which file each is in, and its line before and after.

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import type { PlacedFindingKind } from '../api.generated.ts'
import { type DeployFile, type DeployKey, fileColumns, isOfIssue } from './store-beside.ts'

/** How many findings without a recorded file (those that came by reports) are considered per deploy. */
const MOST_REPORTED = 10_000

/** The places of the finding `told` on the branch of a deploy `d`. */
const places = sql`occurrence_place
  where company_id = d.company_id and issue_id = told.issue_id and branch = d.branch`

/** The last of these places that was set by the deploy or by a report of its commit. */
const placeAfter = sql`select path, line from ${places} and deploy_id = d.id order by id desc limit 1`

/** Findings reported for a deploy `d` in one of its files, with the file's number. */
const reported = sql`
  select told.issue_id, told.is_introduced, file.number, place.line
  from (
    select deploy_finding.* from deploy_finding
    where deploy_finding.company_id = d.company_id and deploy_id = d.id and file_number is null
      and (is_introduced or disposition = 'TOUCHED') and ${isOfIssue}
    limit ${MOST_REPORTED}::int) as told
  cross join lateral (${placeAfter}) as place
  cross join lateral (
    select number from deploy_file
    where company_id = d.company_id and deploy_id = d.id and old_path = place.path and new_path = place.path
    union all
    select number from deploy_file
    where company_id = d.company_id and deploy_id = d.id and new_path = place.path and new_path is distinct from old_path) as file`

/** What the diff of a deploy `d` did to findings, with the number of the responsible file. */
const carried = sql`
  select issue_id, is_introduced, disposition, file_number as number from deploy_finding
  where deploy_finding.company_id = d.company_id and deploy_id = d.id and file_number is not null and ${isOfIssue}`

export type PlacedFinding = {
  deployId: Id
  number: number
  issueId: Id
  kind: PlacedFindingKind
  isFixed: boolean
  oldLine: number | null
  newLine: number | null
}

/** The findings of each file in the order of their lines, at most `limit` of each. */
export async function findPlaced(
  db: Db,
  files: readonly (DeployKey & { number: number })[],
  limit: number,
): Promise<PlacedFinding[]> {
  const { rows } = await sql<PlacedFinding>`
    select "deployId", number, "issueId", kind, "isFixed", "oldLine", "newLine" from (
      select d.id as "deployId", placed.*,
        row_number() over (partition by d.id, number order by coalesce("newLine", "oldLine"), "issueId") as place
      from (${wantedDeploys(files)}) as wanted
      join deploy d on d.company_id = wanted.company_id and d.id = wanted.id
      cross join lateral (
        select number, issue_id as "issueId", case when is_introduced then 'INTRODUCED' else 'TOUCHED' end as kind,
          false as "isFixed", null::int as "oldLine", line as "newLine"
        from (${reported}) as reported where number = any(wanted.numbers)
        union all
        select number, told.issue_id, case when is_introduced then 'INTRODUCED' else disposition::text end,
          disposition = 'REMOVED' and ${isFixed}, before.line,
          case when disposition <> 'REMOVED' then coalesce(placed_after.line, before.line) end
        from (${carried}) as told
        left join lateral (${placeAfter}) as placed_after on true
        left join lateral (
          select id from ${places} and deploy_id = d.id and disposition is not null and matched_by is null
          order by id limit 1) as moved on true
        left join lateral (
          select line from ${places} and (id < moved.id or (moved.id is null and at <= d.created_at))
          order by id desc limit 1) as before on true
        where number = any(wanted.numbers)) as placed) as numbered
    where place <= ${limit}
    order by "deployId", number, place`.execute(db)
  return rows
}

const wantedDeploys = (files: readonly (DeployKey & { number: number })[]) => sql`
  select company_id, id, array_agg(number) as numbers
  from unnest(${files.map(({ companyId }) => companyId)}::bigint[], ${files.map(({ id }) => id)}::bigint[],
    ${files.map(({ number }) => number)}::int[]) as asked(company_id, id, number)
  group by company_id, id`

/** The same definition as in the list of fixed findings: accepted as fixed, or no longer on the branch. */
const isFixed = sql`(
  exists (select 1 from issue where issue.company_id = d.company_id and issue.id = told.issue_id and status = 'FIX_ACCEPTED')
  or not exists (
    select 1 from occurrence
    where occurrence.company_id = d.company_id and occurrence.issue_id = told.issue_id
      and occurrence.branch = d.branch and is_open and occurrence.disposition is distinct from 'REMOVED'))`

/** The file after which the page begins: `weight` is the value of weightOf, null for the first page. */
export type FilesAsk = DeployKey & { weight: number | null; after: number; offset: number; limit: number }

/** Orders by what happened, then by how often; a file without findings weighs 0. */
const weightOf = (happened: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(max(${happened}) * 1000000 + least(count(*), 999999))::int`

/** Files of each deploy, those with findings first: introduced, then touched or removed, then moved; more findings before fewer. */
export async function findFilesByFindings(
  db: Db,
  asks: readonly FilesAsk[],
  hunkBytes: number,
): Promise<(DeployFile & { weight: number })[]> {
  const { rows } = await sql<DeployFile & { weight: number }>`
    select shown.company_id as "companyId", shown.deploy_id as id, (ask - 1)::int as ask, shown.weight, ${fileColumns(hunkBytes)}
    from unnest(${asks.map(({ companyId }) => companyId)}::bigint[], ${asks.map(({ id }) => id)}::bigint[],
        ${asks.map(({ weight }) => weight)}::int[], ${asks.map(({ after }) => after)}::int[],
        ${asks.map(({ offset }) => offset)}::int[], ${asks.map(({ limit }) => limit)}::int[])
      with ordinality as asked(company_id, id, weight, after, skipped, size, ask)
    cross join lateral (
      select deploy_file.*, coalesce(told.weight, 0) as weight
      from deploy d
      join deploy_file on deploy_file.company_id = d.company_id and deploy_file.deploy_id = d.id
      left join lateral (
        select number, ${weightOf(sql`happened`)} as weight from (
          select number, case when is_introduced then 3 else 2 end as happened from (${reported}) as reported
          union all
          select number, case when is_introduced then 3 when disposition in ('TOUCHED', 'REMOVED') then 2 else 1 end
          from (${carried}) as carried) as all_told
        group by number) as told on told.number = deploy_file.number
      where d.company_id = asked.company_id and d.id = asked.id
        and (asked.weight is null or (coalesce(told.weight, 0), -deploy_file.number) < (asked.weight, -asked.after))
      order by coalesce(told.weight, 0) desc, deploy_file.number
      offset asked.skipped limit asked.size) as shown
    order by ask, shown.weight desc, number`.execute(db)
  return rows
}
