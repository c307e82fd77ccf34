// The SQL that combines selective filters, which keep a handful of issues or nearly all, and finds what matches several of them.

import { type RawBuilder, sql } from 'kysely'
import { COUNT_LIMIT } from '../../core/db/large-lists.ts'
import { hasBareIndex, isById, orderBy, type SortOption, sourcesOf } from './list-order.ts'

/**
 * packs: up to this many packs of words with a search term have their findings checked one by one; with more, all words are searched.
 * sieved: for a page without a count, up to this many packs have the list walked past all findings that are in none of them.
 * near: how many issues at the start of a list are checked one by one for a page without a count.
 * few: up to this many issues that a filter keeps are looked up one by one.
 * many: if a filter keeps this many, enough matches to reach the counting limit are soon found among all issues.
 * counted: one more than the highest exact count.
 * soon: if more than this many match, a walk soon finds a page of them.
 */
export type Bounds = {
  packs: number
  sieved: number
  near: number
  few: number
  many: number
  counted: number
  soon: number
}

export const USUAL: Bounds = {
  packs: 5_000,
  sieved: 15_000,
  near: 2_000,
  few: 10_000,
  many: 300_000,
  counted: COUNT_LIMIT + 1,
  soon: 10_000,
}

export type Narrowing = {
  /** the name of its part of the statement */
  name: RawBuilder<unknown>
  /** selects the distinct `id`s of the findings that it keeps, regardless of other filters */
  source: RawBuilder<unknown>
  /** the same for one issue, written so that the planner evaluates it per issue instead of reading everything that the filter keeps */
  probe: RawBuilder<boolean>
  /** the same as an ordinary condition */
  condition: RawBuilder<boolean>
  /** the same for callers that read everything that matches, if it is better found by itself */
  asSet?: RawBuilder<boolean>
  /** if it keeps more than `few`, a page of its matches is soon found among all issues */
  isSoonFound?: boolean
  /** for a page without a count */
  sieve?: Sieve
}

/** What is known of a narrowing's findings before they are searched: a walk of the list then need not look at any others. */
type Sieve = {
  /** the parts of a WITH that the others read */
  parts: RawBuilder<unknown>
  /** whether it is used; `source` then selects nothing */
  isUsed: RawBuilder<boolean>
  /** in place of the narrowing's */
  source: RawBuilder<unknown>
  /** selects the `id`s of the findings among which are all that the narrowing keeps */
  ids: RawBuilder<unknown>
}

/** A search for all matches: `first` is its WITH clause, the other parts describe what was found. */
export type Finding = {
  first: RawBuilder<unknown>
  /** true if `found` has all matches */
  isWhole: RawBuilder<boolean>
  /** the number of matches, up to one more than the highest exact count */
  count: RawBuilder<number>
  /** if all matches are among known issues: whether they are, and walks of these alone, each with whether it is the one to take */
  sieved?: { isUsed: RawBuilder<boolean>; walks: (start: RawBuilder<unknown>) => Walk[] }
}

/** `ofCompany` is the first of the conditions; `passing` is how many issues pass them all, null if that is not known. */
type List = {
  ofCompany: RawBuilder<unknown>
  conditions: RawBuilder<unknown>
  passing: RawBuilder<unknown> | null
}

type Walk = { select: RawBuilder<unknown>; isTaken: RawBuilder<boolean> }

/**
 * Selects the ids of a page among the first issues of the order that pass the conditions: correct if they fill the page, meaningless
 * otherwise. If a filter with isSoonFound keeps few, these are looked up instead.
 */
export function findingNear(
  narrowings: readonly Narrowing[],
  conditions: RawBuilder<unknown>,
  order: readonly SortOption[],
  { start, ofPage, bounds }: { start: RawBuilder<unknown>; ofPage: RawBuilder<unknown>; bounds: Bounds },
): RawBuilder<unknown> {
  const probes = narrowings.map(({ probe }) => probe)
  const sorted = sql`order by ${orderBy(order)}`
  const atStart = sql`select ${sourcesOf(order)} from (
    select * from issue where ${conditions} ${start} ${sorted} limit ${sql.lit(bounds.near)}) as issue
    where ${sql.join(probes, sql` and `)}`
  const leading = narrowings.find(({ isSoonFound }) => isSoonFound)
  if (!leading) return sql`select id from (${atStart}) as issue ${ofPage}`
  const few = sql.lit(bounds.few)
  const passing = sql`select ${sourcesOf(order)} from issue where ${sql.join([conditions, ...probes], sql` and `)} ${start}`
  return sql`with kept as materialized (${leading.source} limit ${sql.lit(bounds.few + 1)}),
      kept_count as materialized (select count(*) as n from kept)
    select id from (
      (${lookedUp(sql`kept`, passing)} where (select n from kept_count) <= ${few})
      union all (${atStart} and (select n from kept_count) > ${few})) as issue ${ofPage}`
}

/** Those of `issues`, a select with conditions, that are in `kept`, each looked up by its id. */
const lookedUp = (kept: RawBuilder<unknown>, issues: RawBuilder<unknown>) =>
  sql`select issue.* from (select id from ${kept}) as kept
    cross join lateral (${issues} and issue.id = kept.id offset 0) as issue`

/** What was found, up to the limit, from the parts of a WITH whose last part is `found`; `isUnsearched`: nothing was looked for. */
const foundUpTo = (
  limit: RawBuilder<unknown>,
  parts: RawBuilder<unknown>,
  isUnsearched: RawBuilder<unknown> = sql`false`,
): Finding => ({
  first: sql`with ${parts}, found_count as materialized (
    select case when ${isUnsearched} then ${limit} else count(*)::int end as n from found)`,
  isWhole: sql`(select n from found_count) <> ${limit}`,
  count: sql`(select least(n, ${limit}) from found_count)`,
})

/**
 * A WITH of `found`: the issues that pass `conditions`, with the columns of the order, up to `soon` + 1 of them. With more than that a walk
 * soon finds a page; with fewer a walk could take long, if the matches are all at the other end of the order.
 */
export function findingFew(conditions: RawBuilder<unknown>, order: readonly SortOption[], bounds: Bounds): Finding {
  const limit = sql.lit(bounds.soon + 1)
  return foundUpTo(
    limit,
    sql`whole as materialized (select ${sourcesOf(order)} from issue where ${conditions}),
      found as materialized (select * from whole limit ${limit})`,
  )
}

/**
 * A WITH of `found`: the issues that pass `conditions` and all narrowings, with the columns of the order; if each narrowing keeps many, up to
 * one more than the highest exact count. What a narrowing keeps is looked up one by one, unless that is many: as a set in which each issue is
 * looked up, the planner would go through 100,000 of them for every issue, because it takes them for too many to hash. Nothing relies on
 * its estimates: it has none for words, and poor ones for places.
 */
export function findingNarrowed(
  narrowings: readonly Narrowing[],
  { conditions, ...list }: List,
  order: readonly SortOption[],
  bounds: Bounds,
  isCounting: boolean,
): Finding {
  const counted = sql.lit(bounds.counted)
  const many = narrowings.map(({ isSoonFound }) => sql.lit(isSoonFound ? bounds.few + 1 : bounds.many))
  const issues = sql`select ${sourcesOf(order)} from issue where ${conditions}`
  const sieve = isCounting ? undefined : narrowings.find((narrowing) => narrowing.sieve)?.sieve
  const isSieved = sieve?.isUsed ?? sql`false`
  // each source is counted once; what a sieve has in its place is many
  const sources = narrowings.map(({ name, source, sieve: own }, place) => {
    const isOwn = sieve !== undefined && own === sieve
    const count = isOwn ? sql`case when ${isSieved} then ${many[place]} else count(*) end` : sql`count(*)`
    return sql`${name} as materialized (${isOwn ? sieve.source : source} limit ${many[place]}),
      ${name}_count as materialized (select ${count} as n from ${name})`
  })
  const counts = narrowings.map(({ name }) => sql`(select n from ${name}_count)`)
  const areMany = counts.map((count, place) => sql`${count} = ${many[place]}`)
  const parts = narrowings.map(({ name }, place) => {
    const others = narrowings.filter((_, other) => other !== place).map(({ probe }) => sql` and ${probe}`)
    const ofOthers = sql.join([issues, ...others], sql``)
    const isLed = sql.join([...areMany.slice(0, place), sql`${counts[place]} < ${many[place]}`], sql` and `)
    return sql`${lookedUp(name, ofOthers)} where ${isLed} limit ${counted}`
  })
  const each = narrowings.map(({ isSoonFound, condition, probe }) => (isSoonFound ? condition : probe))
  const areAllMany = sql.join(areMany, sql` and `)
  parts.push(sql`${issues} and ${sql.join(each, sql` and `)} and ${areAllMany} and not (${isSieved}) limit ${counted}`)
  const united = sql.join(
    parts.map((part) => sql`(${part})`),
    sql` union all `,
  )
  const first = sieve ? [sieve.parts, ...sources] : sources
  const found = sql`${sql.join(first)}, found as materialized (${united})`
  if (!sieve) return foundUpTo(counted, found)
  return {
    ...foundUpTo(counted, found, sql`${isSieved} and ${areAllMany}`),
    sieved: {
      isUsed: isSieved,
      walks: (start) => walksThrough(sieve, narrowings, { conditions, ...list }, { order, start, bounds }),
    },
  }
}

/**
 * Walks the issues among a sieve's ids, and looks at each as it is reached. If many pass the conditions, and the index of the order has nothing
 * of what these are about, they too are looked at only then, because each row before the first match would be read for them.
 */
function walksThrough(
  sieve: Sieve,
  narrowings: readonly Narrowing[],
  { ofCompany, conditions, passing }: List,
  { order, start, bounds }: { order: readonly SortOption[]; start: RawBuilder<unknown>; bounds: Bounds },
): Walk[] {
  const matching = sql.join([conditions, ...narrowings.map(({ probe }) => probe)], sql` and `)
  const through = (from: RawBuilder<unknown>) => reaching(sql`${from} ${start}`, matching, order)
  const sifted = through(walked(sieve, sql`issue where ${conditions}`))
  if (passing === null || !hasBareIndex(order)) return [{ select: sifted, isTaken: sql`true` }]
  const areMany = sql<boolean>`${passing} > ${sql.lit(bounds.few)}`
  const all = isById(order) ? sorted(sieve, order) : walked(sieve, sql`finding as issue where ${ofCompany}`)
  return [
    { select: sifted, isTaken: sql`not (${areMany})` },
    { select: through(all), isTaken: areMany },
  ]
}

/** The sieve's ids in the order of the list, which then needs no walk. */
const sorted = ({ ids }: Sieve, order: readonly SortOption[]): RawBuilder<unknown> =>
  sql`(select distinct id from (${ids}) as sieve (id) order by id ${order[0]?.isDescending ? sql`desc` : sql``}) as issue where true`

/**
 * The ids are unnested from an array, which the planner takes for a few, and in an expression of which it makes no join: it then keeps them as
 * a hash, and reads an index of the order alone.
 */
const walked = ({ ids }: Sieve, from: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`${from} and (issue.id in (select unnest(array(${ids})))) is true`

/** Looks at each issue of `from` as it is reached. */
const reaching = (
  from: RawBuilder<unknown>,
  matching: RawBuilder<unknown>,
  order: readonly SortOption[],
): RawBuilder<unknown> => sql`select issue.id from (select ${sourcesOf(order)} from ${from}) as issue
    cross join lateral (select issue.id as id) as reached
    cross join lateral (select from issue where ${matching} and issue.id = reached.id offset 0) as passing
    where true`
