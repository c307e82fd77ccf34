// The SQL of filters that keep a handful of issues or nearly all of them, and how all that match several of them are found.

import { type RawBuilder, sql } from 'kysely'
import { COUNT_LIMIT } from '../../core/db/large-lists.ts'
import { orderBy, type SortOption, sourcesOf } from './list-order.ts'

/**
 * packs: where no more packs of words have a part, their findings are looked at one by one, else all words; near: so many at the start
 * of a list are looked at one by one for a page that is not counted; few: where a filter keeps no more than this, what it keeps is
 * looked up one by one; many: where it keeps so many, as many as are counted are soon found among all; counted: one more than are
 * counted; soon: where more than so many match, a page of them is soon found by a walk.
 */
export type Bounds = { packs: number; near: number; few: number; many: number; counted: number; soon: number }

export const USUAL: Bounds = {
  packs: 5_000,
  near: 2_000,
  few: 10_000,
  many: 300_000,
  counted: COUNT_LIMIT + 1,
  soon: 10_000,
}

export type Narrowing = {
  /** of its part of a statement */
  name: RawBuilder<unknown>
  /** selects the `id` of each finding that it keeps, once, whatever other filters say */
  source: RawBuilder<unknown>
  /** the same of one issue; the planner asks it of each, and never reads all that the filter keeps instead */
  probe: RawBuilder<boolean>
  /** the same as a condition among others, for who reads all that match */
  condition: RawBuilder<boolean>
  /** where it keeps more than few, a page of what it keeps is soon found among all */
  isSoonFound?: boolean
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
 * Selects the ids of what is found of a page at the start of the order, among so many issues that pass the conditions: of a full page the
 * right ones, and of others nothing is said. Where a filter that is soon found keeps few, they are looked up instead.
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

/** Those of `issues`, a select with conditions, that are kept: each is looked up by its id. */
const lookedUp = (kept: RawBuilder<unknown>, issues: RawBuilder<unknown>) =>
  sql`select issue.* from (select id from ${kept}) as kept
    cross join lateral (${issues} and issue.id = kept.id offset 0) as issue`

/** What was found, no further than the limit, from the parts of a WITH of which the last is `found`. */
const foundUpTo = (limit: RawBuilder<unknown>, parts: RawBuilder<unknown>): Finding => ({
  first: sql`with ${parts}, found_count as materialized (select count(*)::int as n from found)`,
  isWhole: sql`(select n from found_count) <> ${limit}`,
  count: sql`(select least(n, ${limit}) from found_count)`,
})

/**
 * A WITH of `found`: the issues that pass `conditions`, with what the order goes by, up to one more than so many that a page of them is soon
 * found by a walk. A walk may meet none of few for long, where what the conditions keep lies together at the other end of the order.
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
 * A WITH of `found`: the issues that pass `conditions` and all narrowings, with what the order goes by; where each narrowing keeps many,
 * up to one more than are counted. What few keep is looked up one by one; more of them are a set in which each issue that passes the
 * conditions is looked for. Nothing here is left to estimates of the planner, which has none of words, and poor ones of places.
 */
export function findingNarrowed(
  narrowings: readonly Narrowing[],
  conditions: RawBuilder<unknown>,
  order: readonly SortOption[],
  bounds: Bounds,
): Finding {
  const [few, counted] = [sql.lit(bounds.few), sql.lit(bounds.counted)]
  const many = narrowings.map(({ isSoonFound }) => sql.lit(isSoonFound ? bounds.few + 1 : bounds.many))
  const issues = sql`select ${sourcesOf(order)} from issue where ${conditions}`
  // each is counted once
  const sources = narrowings.map(
    ({ name, source }, place) => sql`${name} as materialized (${source} limit ${many[place]}),
      ${name}_count as materialized (select count(*) as n from ${name})`,
  )
  const counts = narrowings.map(({ name }) => sql`(select n from ${name}_count)`)
  const areMany = counts.map((count, place) => sql`${count} = ${many[place]}`)
  const parts = narrowings.flatMap(({ name }, place) => {
    const others = narrowings.filter((_, other) => other !== place).map(({ probe }) => sql` and ${probe}`)
    const ofOthers = sql.join([issues, ...others], sql``)
    const led = (isLed: RawBuilder<unknown>) => sql.join([...areMany.slice(0, place), isLed], sql` and `)
    return [
      sql`${lookedUp(name, ofOthers)} where ${led(sql`${counts[place]} <= ${few}`)}`,
      sql`${ofOthers} and (issue.id in (select id from ${name})) is true
        and ${led(sql`${counts[place]} > ${few} and ${counts[place]} < ${many[place]}`)}`,
    ]
  })
  const each = narrowings.map(({ isSoonFound, condition, probe }) => (isSoonFound ? condition : probe))
  parts.push(sql`${issues} and ${sql.join([...each, ...areMany], sql` and `)} limit ${counted}`)
  const united = sql.join(
    parts.map((part) => sql`(${part})`),
    sql` union all `,
  )
  return foundUpTo(counted, sql`${sql.join(sources)}, found as materialized (${united})`)
}
