// The SQL of selective filters, which keep a handful of issues or nearly all: branches, search, weaknesses and near dates.

import { type RawBuilder, sql } from 'kysely'
import type { Id } from '../../core/ids.ts'
import { type Condition, type IssueFilters, plainConditionsOf } from './store-filters.ts'
import { type Bounds, type Narrowing, USUAL } from './store-narrowings.ts'
import { areNear, isInState, type NearState, selectNear } from './store-sla.ts'

/** The narrowings of a list of the company's issues, the cheapest first; if a file is named, its branch is a condition on the file. */
export function narrowingsOf(
  companyId: Id,
  { branchNames, fileName, search, cweIds, slaStates }: IssueFilters,
  bounds: Bounds = USUAL,
): Narrowing[] {
  const narrowings: Narrowing[] = []
  if (slaStates && areNear(slaStates)) narrowings.push(nearDate(companyId, slaStates))
  if (cweIds) narrowings.push(havingWeakness(companyId, cweIds))
  if (branchNames && !fileName) narrowings.push(openOn(companyId, branchNames))
  if (search) narrowings.push(mentioning(companyId, search, bounds))
  return narrowings
}

/** The filters that are plain conditions, as far as no date is asked for. */
export const withoutNarrowings = (filters: IssueFilters): IssueFilters => ({
  ...filters,
  cweIds: null,
  branchNames: null,
  search: null,
})

/** All filters as conditions over `issue`, for callers that read everything that matches. */
export const conditionsOf = (companyId: Id, filters: IssueFilters): Condition[] => [
  ...plainConditionsOf(companyId, filters),
  ...narrowingsOf(companyId, filters).map(({ asSet, condition }) => asSet ?? condition),
]

function openOn(companyId: Id, branchNames: readonly string[]): Narrowing {
  const places = sql`occurrence where occurrence.company_id = ${companyId} and occurrence.is_open
    and occurrence.branch = any(${branchNames}::text[])`
  const source = sql`select ${branchNames.length > 1 ? sql`distinct` : sql``} occurrence.issue_id as id from ${places}`
  return {
    name: sql`kept_by_branch`,
    source,
    condition: sql`issue.id in (${source})`,
    probe: sql`exists (select from ${places} and occurrence.issue_id = issue.id offset 0)`,
  }
}

function mentioning(companyId: Id, search: string, { packs: few, sieved }: Bounds): Narrowing {
  // a subquery, so that it is evaluated once and not for each row
  const part = sql`(select lower(${search}::text))`
  const words = sql`select words.finding_id as id from finding_words as words where words.company_id = ${companyId}
    and (strpos(words.title, ${part}) > 0 or strpos(words.description, ${part}) > 0)`
  const loose = sql`${words} and words.pack is null`
  const packs = (most: number) => sql`packs as materialized (
      select id, finding_ids from words_pack where company_id = ${companyId} and strpos(words, ${part}) > 0 limit ${sql.lit(most + 1)})`
  const count = sql`(select count(*) from packs)`
  const areFew = sql`${count} <= ${sql.lit(few)}`
  const selected = (areMany: RawBuilder<unknown>) => sql`
      select found.id from packs cross join lateral (
        ${words} and words.finding_id = any(packs.finding_ids) and words.pack = packs.id offset 0) as found where ${areFew}
      union all (${loose} and ${areFew})
      union all (${words} and ${areMany})`
  const source = sql`with ${packs(few)} ${selected(sql`not (${areFew})`)}`
  const sieve = {
    parts: sql`${packs(sieved)}, packs_count as materialized (select count(*) as n from packs)`,
    isUsed: sql<boolean>`(select n between ${sql.lit(few + 1)} and ${sql.lit(sieved)} from packs_count)`,
    source: selected(sql`${count} > ${sql.lit(sieved)}`),
    ids: sql`select unnest(finding_ids) from packs union all (${loose})`,
  }
  return {
    name: sql`kept_by_search`,
    source,
    sieve,
    condition: sql`issue.id in (${source})`,
    probe: sql`(strpos(lower(issue.title), ${part}) > 0 or strpos(lower(issue.description), ${part}) > 0)`,
  }
}

/** One of the weaknesses. */
function havingWeakness(companyId: Id, cweIds: readonly number[]): Narrowing {
  const condition = sql<boolean>`issue.cwe_ids && ${cweIds}::int[]`
  return {
    name: sql`kept_by_weakness`,
    source: wholly(sql`select id from issue where issue.company_id = ${companyId} and ${condition}`),
    condition,
    probe: sql`(${condition}) is true`,
    isSoonFound: true,
  }
}

function nearDate(companyId: Id, states: readonly NearState[]): Narrowing {
  const source = selectNear(companyId, states)
  const condition = isInState(states)
  return {
    name: sql`kept_by_date`,
    source: wholly(source),
    condition,
    probe: condition,
    // an array, because the planner takes many for near their date
    asSet: sql`issue.id = any(array(${source}))`,
    isSoonFound: true,
  }
}

/** Keeps a LIMIT outside from changing the index with which the subquery is read. */
const wholly = (source: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`with whole as materialized (${source}) select id from whole`
