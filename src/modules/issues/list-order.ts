// The orders of lists of issues: their SQL, and the cursors for paging through them.

import { type RawBuilder, sql } from 'kysely'
import { decodeCursor } from '../../core/db/page.ts'
import { badUserInput } from '../../core/errors.ts'
import { issueStatuses, severities } from '../../core/issue-words.ts'
import type { IssueRecord } from './store.ts'

export type SortField = 'CREATED_AT' | 'UPDATED_AT' | 'SEVERITY' | 'STATUS' | 'TITLE' | 'ID' | 'PRIORITY' | 'SLA_DUE_AT'

export type SortOption = { field: SortField; isDescending: boolean }

/** Sort keys that are not fields of the record, read beside it. */
type OwnKeys = { titleKey?: string; priorityKey?: number; dueKey?: string }

/** A row of a list. */
export type ListRow = Pick<IssueRecord, 'id' | 'createdAt' | 'updatedAt' | 'severity' | 'status'> & OwnKeys

type Key = {
  column: RawBuilder<unknown>
  /** the table's column from which it is computed, if it is not itself a column */
  source?: RawBuilder<unknown>
  /** the field of the record that valueOf reads; null if it reads a key beside it */
  field: keyof IssueRecord | null
  own?: { name: keyof OwnKeys; column: RawBuilder<unknown> }
  type: RawBuilder<unknown>
  valueOf: (row: ListRow) => string
  isValue: (text: string) => boolean
}

/** JavaScript reads a day past the end of a month as one of the next month; PostgreSQL does not. */
function isTime(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text.slice(0, 10)
}

/** Findings that are never due come last; the expression of the index issue_sla_due. */
const dueColumn = sql`coalesce(issue.sla_due_at, timestamptz '9999-12-31 00:00:00+00')`

const keys: Record<SortField, Key> = {
  ID: {
    column: sql`issue.id`,
    field: 'id',
    type: sql`bigint`,
    valueOf: ({ id }) => id,
    isValue: (text) => /^\d{1,18}$/.test(text),
  },
  CREATED_AT: {
    column: sql`issue.created_at`,
    field: 'createdAt',
    type: sql`timestamptz`,
    valueOf: ({ createdAt }) => createdAt,
    isValue: isTime,
  },
  UPDATED_AT: {
    column: sql`issue.updated_at`,
    field: 'updatedAt',
    type: sql`timestamptz`,
    valueOf: ({ updatedAt }) => updatedAt,
    isValue: isTime,
  },
  SEVERITY: {
    column: sql`issue.severity`,
    field: 'severity',
    type: sql`severity_category`,
    valueOf: ({ severity }) => severity,
    isValue: (text) => severities.some((severity) => severity === text),
  },
  STATUS: {
    column: sql`issue.status`,
    field: 'status',
    type: sql`issue_status`,
    valueOf: ({ status }) => status,
    isValue: (text) => issueStatuses.some((status) => status === text),
  },
  TITLE: {
    column: sql`lower(left(issue.title, 200)) collate "C"`,
    source: sql`issue.title`,
    field: null,
    own: { name: 'titleKey', column: sql`lower(left(issue.title, 200))` },
    type: sql`text`,
    valueOf: ({ titleKey }) => titleKey ?? '',
    isValue: () => true,
  },
  PRIORITY: {
    column: sql`issue.priority_score`,
    field: null,
    own: { name: 'priorityKey', column: sql`issue.priority_score` },
    type: sql`numeric`,
    valueOf: ({ priorityKey }) => String(priorityKey ?? 0),
    isValue: (text) => /^\d{1,3}(\.\d)?$/.test(text),
  },
  SLA_DUE_AT: {
    column: dueColumn,
    source: sql`issue.sla_due_at`,
    field: null,
    own: { name: 'dueKey', column: dueColumn },
    type: sql`timestamptz`,
    valueOf: ({ dueKey }) => dueKey ?? '',
    isValue: isTime,
  },
}

const NEWEST_FIRST: SortOption = { field: 'ID', isDescending: true }

/** The requested order, each field once, with the id as the last key in the direction of the key before it. */
export function completeOrder(asked: readonly SortOption[]): readonly SortOption[] {
  const order = asked.filter(({ field }, index) => asked.findIndex((other) => other.field === field) === index)
  const id = order.findIndex(({ field }) => field === 'ID')
  if (id >= 0) return order.slice(0, id + 1)
  return [...order, { field: 'ID', isDescending: order.at(-1)?.isDescending ?? NEWEST_FIRST.isDescending }]
}

export const orderBy = (order: readonly SortOption[]): RawBuilder<unknown> =>
  sql.join(
    order.map(({ field, isDescending }) => (isDescending ? sql`${keys[field].column} desc` : keys[field].column)),
  )

/** The columns of the order, including the id, for a subquery that orderBy sorts. */
export const sourcesOf = (order: readonly SortOption[]): RawBuilder<unknown> =>
  sql.join(order.map(({ field }) => keys[field].source ?? keys[field].column))

const BARE: readonly SortField[] = ['ID', 'UPDATED_AT', 'PRIORITY']

export const isById = ([first]: readonly SortOption[]): boolean => first?.field === 'ID'

/** Whether the index of the order has all findings and nothing else, as status or severity. */
export const hasBareIndex = ([first]: readonly SortOption[]): boolean =>
  first !== undefined && BARE.includes(first.field)

/** The cursor values from which the page after `row` continues. */
export const cursorOf =
  (order: readonly SortOption[]) =>
  (row: ListRow): readonly string[] =>
    order.map(({ field }) => keys[field].valueOf(row))

/** SQL that is true for rows after the cursor; if all directions agree, a single row comparison, which an index can answer. */
export function afterCursor(order: readonly SortOption[], cursor: string): RawBuilder<boolean> {
  const values = decodeCursor(cursor, order.length).map((value, index) => {
    const key = keys[order[index]?.field ?? 'ID']
    if (typeof value !== 'string' || !key.isValue(value))
      throw badUserInput('after is not a cursor of this list', 'after')
    return sql`${value}::${key.type}`
  })
  const columns = order.map(({ field }) => keys[field].column)
  const [first] = order
  if (first && order.every(({ isDescending }) => isDescending === first.isDescending)) {
    return sql`(${sql.join(columns)}) ${first.isDescending ? sql`<` : sql`>`} (${sql.join(values)})`
  }
  const steps = order.map(({ isDescending }, index) => {
    const equal = columns.slice(0, index).map((column, before) => sql`${column} = ${values[before]}`)
    const beyond = sql`${columns[index]} ${isDescending ? sql`<` : sql`>`} ${values[index]}`
    return sql`(${sql.join([...equal, beyond], sql` and `)})`
  })
  return sql`(${sql.join(steps, sql` or `)})`
}

/** The fields from which the order's cursors are made. */
export const fieldsOf = (order: readonly SortOption[]): (keyof IssueRecord)[] =>
  order.map(({ field }) => keys[field].field).filter((field) => field !== null)

/** The extra columns that the order's cursors need, each preceded by a comma. */
export const ownColumns = (order: readonly SortOption[]): RawBuilder<unknown> =>
  sql.join(
    order.flatMap(({ field }) => {
      const { own } = keys[field]
      return own ? [sql`, ${own.column} as ${sql.ref(own.name)}`] : []
    }),
    sql``,
  )
