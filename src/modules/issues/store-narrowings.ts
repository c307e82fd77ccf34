// The SQL of filters that keep a handful of issues or nearly all of them: a branch, and a search.

import { type RawBuilder, sql } from 'kysely'
import { COUNT_LIMIT } from '../../core/db/large-lists.ts'
import type { Id } from '../../core/ids.ts'
import { type SortOption, sourcesOf } from './list-order.ts'

/**
 * packs: where no more packs of words have a part, their findings are looked at one by one, else all words; near: so many at the start
 * of a list are looked at one by one for a page that is not counted; few: where a filter keeps no more than this, what it keeps is
 * looked up one by one; many: where it keeps so many, as many as are counted are soon found among all; counted: one more than are
 * counted.
 */
export type Bounds = { packs: number; near: number; few: number; many: number; counted: number }

export const USUAL: Bounds = { packs: 5_000, near: 2_000, few: 10_000, many: 300_000, counted: COUNT_LIMIT + 1 }

export type Narrowing = {
  /** of its part of a statement */
  name: RawBuilder<unknown>
  /** selects the `id` of each finding that it keeps, once, whatever other filters say */
  source: RawBuilder<unknown>
  /** the same of one issue; the planner asks it of each, and never reads all that the filter keeps instead */
  probe: RawBuilder<boolean>
}

type Narrowed = { branchNames?: readonly string[] | null; fileName?: string | null; search?: string | null }

/** What narrows a list of the company's issues beside plain conditions; a branch of a named file is found by the file. */
export function narrowingsOf(
  companyId: Id,
  { branchNames, fileName, search }: Narrowed,
  { packs }: Bounds = USUAL,
): Narrowing[] {
  const narrowings: Narrowing[] = []
  if (branchNames && !fileName) narrowings.push(openOn(companyId, branchNames))
  if (search) narrowings.push(mentioning(companyId, search, packs))
  return narrowings
}

/** As a condition among others, for who reads all that match. */
export const narrowedBy = ({ source }: Narrowing): RawBuilder<boolean> => sql`issue.id in (${source})`

function openOn(companyId: Id, branchNames: readonly string[]): Narrowing {
  const places = sql`occurrence where occurrence.company_id = ${companyId} and occurrence.is_open
    and occurrence.branch = any(${branchNames}::text[])`
  return {
    name: sql`kept_by_branch`,
    source: sql`select ${branchNames.length > 1 ? sql`distinct` : sql``} occurrence.issue_id as id from ${places}`,
    probe: sql`exists (select from ${places} and occurrence.issue_id = issue.id offset 0)`,
  }
}

function mentioning(companyId: Id, search: string, mostPacks: number): Narrowing {
  // by itself, so that it is made once and not for each row
  const part = sql`(select lower(${search}::text))`
  const words = sql`select words.finding_id as id from finding_words as words where words.company_id = ${companyId}
    and (strpos(words.title, ${part}) > 0 or strpos(words.description, ${part}) > 0)`
  const areFew = sql`(select count(*) from packs) <= ${sql.lit(mostPacks)}`
  return {
    name: sql`kept_by_search`,
    source: sql`with packs as materialized (
        select id, finding_ids from words_pack where company_id = ${companyId} and strpos(words, ${part}) > 0
        limit ${sql.lit(mostPacks + 1)})
      select found.id from packs cross join lateral (
        ${words} and words.finding_id = any(packs.finding_ids) and words.pack = packs.id offset 0) as found where ${areFew}
      union all (${words} and words.pack is null and ${areFew})
      union all (${words} and not (${areFew}))`,
    probe: sql`(strpos(lower(issue.title), ${part}) > 0 or strpos(lower(issue.description), ${part}) > 0)`,
  }
}

/** How all that match are found at once: `first` comes before the statement, the others say what was found. */
export type Finding = {
  first: RawBuilder<unknown>
  /** true where `found` has all that match */
  isWhole: RawBuilder<boolean>
  /** how many match, no further than one more than are counted */
  count: RawBuilder<number>
}

/**
 * A WITH of `found`: the issues that pass `conditions` and all narrowings, with what the order goes by; where each narrowing keeps many,
 * up to one more than are counted. What few keep is looked up one by one; more of them are a set in which each issue that passes the
 * conditions is looked for. Nothing here is left to estimates of the planner, which has none of words, and poor ones of places.
 */
export function findingAll(
  narrowings: readonly Narrowing[],
  conditions: RawBuilder<unknown>,
  order: readonly SortOption[],
  bounds: Bounds,
): Finding {
  const [few, many, counted] = [sql.lit(bounds.few), sql.lit(bounds.many), sql.lit(bounds.counted)]
  const issues = sql`select ${sourcesOf(order)} from issue where ${conditions}`
  // each is counted once
  const sources = narrowings.map(
    ({ name, source }) => sql`${name} as materialized (${source} limit ${many}),
      ${name}_count as materialized (select count(*) as n from ${name})`,
  )
  const counts = narrowings.map(({ name }) => sql`(select n from ${name}_count)`)
  const areMany = counts.map((count) => sql`${count} = ${many}`)
  const parts = narrowings.flatMap(({ name }, place) => {
    const others = narrowings.filter((_, other) => other !== place).map(({ probe }) => sql` and ${probe}`)
    const ofOthers = sql.join([issues, ...others], sql``)
    const ids = sql`select id from ${name}`
    const led = (isLed: RawBuilder<unknown>) => sql.join([...areMany.slice(0, place), isLed], sql` and `)
    return [
      sql`select issue.* from (${ids}) as kept cross join lateral (${ofOthers} and issue.id = kept.id offset 0) as issue
        where ${led(sql`${counts[place]} <= ${few}`)}`,
      sql`${ofOthers} and (issue.id in (${ids})) is true
        and ${led(sql`${counts[place]} > ${few} and ${counts[place]} < ${many}`)}`,
    ]
  })
  const probes = narrowings.map(({ probe }) => probe)
  parts.push(sql`${issues} and ${sql.join([...probes, ...areMany], sql` and `)} limit ${counted}`)
  const united = sql.join(
    parts.map((part) => sql`(${part})`),
    sql` union all `,
  )
  return {
    first: sql`with ${sql.join(sources)}, found as materialized (${united}),
      found_count as materialized (select count(*)::int as n from found)`,
    isWhole: sql`(select n from found_count) <> ${counted}`,
    count: sql`(select least(n, ${counted}) from found_count)`,
  }
}
