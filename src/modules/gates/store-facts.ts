// The SQL of what gates count, for all deploys and branches of a request at once, and of the findings behind a verdict's reasons.

import { type RawBuilder, sql } from 'kysely'
import { anyCompany } from '../../core/db/any-company.ts'
import { headOf } from '../../core/db/branch-heads.ts'
import { byId } from '../../core/db/by-id.ts'
import { inOrderOf } from '../../core/db/in-order-of.ts'
import { COUNT_LIMIT } from '../../core/db/large-lists.ts'
import type { Db } from '../../core/db/open.ts'
import { isOpenIssue } from '../../core/db/open-issues.ts'
import { decodeCursor, offsetOf, type Page, type PageRequest, pageOf } from '../../core/db/page.ts'
import { badUserInput } from '../../core/errors.ts'
import { type Id, isId } from '../../core/ids.ts'
import { findingTypes, severities } from '../../core/issue-words.ts'
import type { DiffState } from '../../diff/types.ts'
import type { Fact, Rule } from './gate.ts'
import type { DefaultBranch } from './store.ts'

/** What is judged: the findings of a branch, as changed by its deploy if there is one. `branch` is '' for the one without a name. */
export type Judged = { companyId: Id; assetId: Id; branch: string; deployId: Id | null }

/** `merge` is the asset's default branch; null for that branch itself, or if no rule counts unmerged findings. */
export type Merging = { merge: DefaultBranch | null }

/** `ages` are the ages in days by which findings are grouped; `despiteReports` includes findings settled without a decision. */
export type FactsQuestion = Judged & Merging & { ages: readonly number[]; despiteReports: boolean }

type Answered = Fact & { n: number }

/** A finding is on the branch until a scan or a deploy's diff says that it is gone. */
const stands = sql<boolean>`occurrence.is_open and occurrence.disposition is distinct from 'REMOVED'`

/**
 * Reported findings that are suppressed, accepted, false positives or drafts without a person's decision (which has a time). A finding said
 * to be fixed is not among them: the next report that has it opens it again.
 */
const isSettled = sql<boolean>`(not ${isOpenIssue} and issue.status <> 'FIX_ACCEPTED' and issue.decided_at is null
  and issue.type in (${sql.join(findingTypes.map((type) => sql.lit(type)))}))`

/** For `occurrence`: it was never on the branch that this one merges into. Looks up the whole key, however many branches sort before it. */
const isUnmerged = (target: RawBuilder<unknown>) => sql<boolean>`not exists (
  select from (
    select from occurrence as there where there.company_id = occurrence.company_id and there.issue_id = occurrence.issue_id
      and there.branch = ${target} offset 0) as known)`

/** Unless a rule asks for more, only open findings are read, for which there is an index. */
const isAsked = (asked: readonly FactsQuestion[]) =>
  asked.some(({ despiteReports }) => despiteReports)
    ? sql<boolean>`(${isOpenIssue} or (asked."despiteReports" and ${isSettled}))`
    : isOpenIssue

const questions = (asked: readonly FactsQuestion[]) => sql`
  jsonb_to_recordset(${JSON.stringify(asked.map((question, n) => ({ ...question, n })))}::jsonb)
    as asked(n int, "companyId" bigint, "assetId" bigint, branch text, "deployId" bigint, merge jsonb,
      "despiteReports" boolean)`

/** Facts about what is selected as `issue`, each with its count, to be grouped by the first four: told apart by the ages of all questions. */
function factsOf(asked: readonly FactsQuestion[]) {
  const ages = [...new Set(asked.flatMap((question) => question.ages))].sort((one, other) => other - one)
  const passed = ages.map(
    (days) => sql`when issue.created_at < now() - make_interval(days => ${days}::int) then ${days}::int`,
  )
  const olderThanDays = ages.length === 0 ? sql`null::int` : sql`case ${sql.join(passed, sql` `)} end`
  return sql`issue.severity, issue.type, ${olderThanDays} as "olderThanDays", not ${isOpenIssue} as "isSettled",
    count(*)::int as count`
}

/** For each deploy, the countable findings that it introduced or touched and that are still on its branch. */
export async function findChanges(db: Db, asked: readonly FactsQuestion[]): Promise<Answered[]> {
  if (asked.length === 0) return []
  // starts from what the deploys changed: the findings of a company are far more, and would be scanned for each deploy
  const { rows } = await sql<Answered>`
    with changed as materialized (
      select asked.*, finding.issue_id, finding.is_introduced from ${questions(asked)}
      join deploy_finding as finding on finding.company_id = asked."companyId" and finding.deploy_id = asked."deployId"
        and (finding.is_introduced or finding.disposition = 'TOUCHED'))
    select asked.n, case when asked.is_introduced then 'INTRODUCED' else 'TOUCHED' end as subject, ${factsOf(asked)}
    from changed as asked
    join issue on issue.company_id = asked."companyId" and issue.id = asked.issue_id and ${isAsked(asked)}
    join occurrence on occurrence.company_id = asked."companyId" and occurrence.issue_id = asked.issue_id
      and occurrence.branch = asked.branch and ${stands}
    group by 1, 2, 3, 4, 5, 6`.execute(db)
  return rows
}

/** For each branch, the countable findings on it. */
export const findOpen = (db: Db, asked: readonly FactsQuestion[]): Promise<Answered[]> =>
  findStanding(db, asked, sql`'OPEN'`, sql`true`)

/** For each branch, the countable findings on it that were never on the branch that it merges into. */
export const findUnmerged = (db: Db, asked: readonly FactsQuestion[]): Promise<Answered[]> =>
  findStanding(db, asked, sql`'UNMERGED'`, isUnmerged(sql`(asked.merge ->> 'name')`))

async function findStanding(
  db: Db,
  asked: readonly FactsQuestion[],
  subject: RawBuilder<unknown>,
  isMeant: RawBuilder<boolean>,
): Promise<Answered[]> {
  if (asked.length === 0) return []
  const places = sql`from occurrence where occurrence.company_id = asked."companyId" and occurrence.asset_id = asked."assetId"
    and occurrence.branch = asked.branch and ${stands} and ${isMeant}`
  const columns = sql`id, severity, type, status${asked.some(({ ages }) => ages.length > 0) ? sql`, created_at` : sql``}`
  const { rows } = await sql<Answered>`
    select asked.n, ${subject} as subject, fact.*
    from (select asked.*, ${isMost} as "isMost" from ${questions(asked)} offset 0) as asked
    cross join lateral (
      select ${factsOf(asked)}
      from (select occurrence.company_id, occurrence.issue_id ${places} and not asked."isMost" offset 0) as place
      cross join lateral ${byId(sql`issue`, sql`place.company_id`, sql`place.issue_id`)} as issue
      where ${isAsked(asked)} group by 1, 2, 3, 4
      union all
      select ${factsOf(asked)}
      from (
        select issue.*, place.issue_id from (
          select ${columns} from issue
          where issue.company_id = asked."companyId" and issue.asset_id = asked."assetId" and ${isAsked(asked)}) as issue
        full join (select occurrence.issue_id ${places}) as place on place.issue_id = issue.id offset 0) as issue
      where asked."isMost" and id is not null and issue_id is not null group by 1, 2, 3, 4) as fact`.execute(db)
  return rows
}

/**
 * Whether a branch has so many places, and so many of its asset's findings, that all findings are read from an index and met with the places as
 * a set, which takes a third of the time of looking each up. The planner does not know how many there are; a full join is never a loop. The
 * places come first, in a case, because the planner would count the findings first of every branch.
 */
const isMost = sql<boolean>`exists (
  select from (values (2000, 200000), (50000, 2000000000)) as step (places, findings)
  where case when exists (
    select from occurrence where company_id = asked."companyId" and asset_id = asked."assetId" and branch = asked.branch and is_open
    offset step.places)
  then not exists (
    select from finding where company_id = asked."companyId" and asset_id = asked."assetId" and merged_into_id is null
    offset step.findings) end)`

/** A finding on the branch, with the indexes of the rules that count it. */
export type Counted = {
  id: Id
  severity: Rule['severities'][number]
  path: string | null
  line: number | null
  rules: number[]
}

/** The findings counted by any of the rules, each once, the worst first and the newest first among equals. One statement. */
export async function listCounted(
  db: Db,
  { companyId, assetId, branch, deployId, merge }: Judged & Merging,
  rules: readonly Rule[],
  page: PageRequest,
): Promise<Page<Counted>> {
  const changed = (subject: Rule['subject'], isMeant: RawBuilder<boolean>) => sql`
    select occurrence.issue_id, ${sql.lit(subject)} as subject, occurrence.path, occurrence.line
    from (
      select issue_id from deploy_finding where company_id = ${companyId} and deploy_id = ${deployId} and ${isMeant}) as changed
    join occurrence on occurrence.company_id = ${companyId} and occurrence.issue_id = changed.issue_id
      and occurrence.branch = ${branch} and ${stands}`
  const open = (subject: Rule['subject'], isMeant: RawBuilder<boolean>) => sql`
    select issue_id, ${sql.lit(subject)} as subject, path, line from (
      select * from occurrence
      where company_id = ${anyCompany(companyId)} and asset_id = ${assetId} and is_open
        and ${inOrderOf(sql`branch`, branch)}) as occurrence
    where ${stands} and ${isMeant}`
  const introduced = (subject: Rule['subject']) =>
    deployId === null ? open(subject, sql`true`) : changed(subject, sql`is_introduced`)
  const ways: Record<Rule['subject'], () => RawBuilder<unknown>> = {
    INTRODUCED: () => introduced('INTRODUCED'),
    TOUCHED: () => changed('TOUCHED', sql`not is_introduced and disposition = 'TOUCHED'`),
    OPEN: () => open('OPEN', sql`true`),
    UNMERGED: () => (merge === null ? introduced('UNMERGED') : open('UNMERGED', isUnmerged(sql`${merge.name}::text`))),
  }
  const candidates = [...new Set(rules.map(({ subject }) => ways[subject]))].map((way) => way())
  if (candidates.length === 0) return pageOf<Counted>(page, [], 0, ({ id }) => [id])
  const { rows } = await sql<{ matching: number; row: Counted | null }>`
    with candidate as (${sql.join(candidates, sql` union all `)}),
    counted as (
      select issue.id, issue.severity, candidate.path, candidate.line, array_remove(array[${sql.join(
        rules.map((rule, n) => sql`case when bool_or(${isCounted(rule)}) then ${sql.lit(n)} end`),
      )}], null) as rules
      from candidate
      cross join lateral ${byId(sql`issue`, anyCompany(companyId), sql`candidate.issue_id`)} as issue
      where ${rules.some(({ despiteReports }) => despiteReports) ? sql`(${isOpenIssue} or ${isSettled})` : isOpenIssue}
        and (${sql.join(rules.map(isCounted), sql` or `)})
      group by 1, 2, 3, 4),
    page as (
      select * from counted ${page.after === null ? sql`` : sql`where ${isAfter(page.after)}`}
      order by severity desc, id desc limit ${page.limit} offset ${offsetOf(page)})
    select (select count(*)::int from (select 1 from counted limit ${sql.lit(COUNT_LIMIT + 1)}) as bounded) as matching,
      case when page.id is not null then jsonb_build_object('id', page.id::text, 'severity', page.severity, 'path', page.path,
        'line', page.line, 'rules', page.rules) end as row
    from (select) as always left join page on true order by page.severity desc, page.id desc`.execute(db)
  const counted = rows.flatMap(({ row }) => (row === null ? [] : [row]))
  return pageOf(page, counted, rows[0]?.matching ?? 0, ({ severity, id }) => [severity, id])
}

/** True for a candidate that the rule counts; its age is the time since it was first reported. */
const isCounted = (rule: Rule): RawBuilder<boolean> => sql`(
  candidate.subject = ${rule.subject}
  ${rule.despiteReports ? sql`` : sql`and ${isOpenIssue}`}
  and issue.severity = any(${rule.severities}::severity_category[])
  ${rule.types === null ? sql`` : sql`and issue.type = any(${rule.types}::issue_type[])`}
  ${rule.olderThanDays === null ? sql`` : sql`and issue.created_at < now() - make_interval(days => ${rule.olderThanDays}::int)`})`

function isAfter(after: string): RawBuilder<boolean> {
  const [severity, id] = decodeCursor(after, 2).map(String)
  if (!severities.some((known) => known === severity) || id === undefined || !isId(id)) {
    throw badUserInput('after is not a cursor of this list', 'after')
  }
  return sql`(severity, id) < (${severity}::severity_category, ${id}::bigint)`
}

/** The outcome of reading a deploy's diff; `lineage` is null if findings were carried through it. */
export type Reading = { lineage: string | null; diffState: DiffState; diffReason: string | null }

/** The deploy at which a branch stands, if any. A deploy that arrived late does not move the branch. */
export async function findHead(
  db: Db,
  { companyId, assetId, branch }: Pick<Judged, 'companyId' | 'assetId' | 'branch'>,
): Promise<Reading & { deployId: Id | null }> {
  const { rows } = await sql<Reading & { deployId: Id }>`
    select id as "deployId", case when not is_carried then lineage end as lineage,
      diff_state as "diffState", diff_reason as "diffReason"
    from deploy where ${headOf({ companyId, assetId, branch })}`.execute(db)
  return rows[0] ?? { deployId: null, lineage: null, diffState: 'PARSED', diffReason: null }
}
