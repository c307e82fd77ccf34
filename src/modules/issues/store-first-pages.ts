// Keeps the statements of first pages of whole lists, which nearly every caller asks for: making and compiling one takes longer than reading its rows.

import { keepStatement } from '../../core/db/kept.ts'
import type { PageRequest } from '../../core/db/page.ts'
import type { Id } from '../../core/ids.ts'
import type { Condition } from './store-filters.ts'
import { type ListStatements, type Shown, type StatementOptions, statementsOf, WHOLE } from './store-list-statements.ts'

/** The most statements that are kept, of all companies and forms of lists together. */
const MOST_KEPT = 500

const kept = new Map<string, ListStatements<unknown>>()

/** As statementsOf. */
export function keptStatementsOf<Row>(
  companyId: Id,
  conditions: readonly Condition[],
  page: PageRequest,
  options: StatementOptions,
): ListStatements<Row> {
  const narrowed = conditions.length + (options.narrowings?.length ?? 0)
  if (narrowed > 0 || page.page > 1 || page.after !== null) return statementsOf(companyId, conditions, page, options)
  const name = nameOf(companyId, page, options)
  const known = kept.get(name)
  if (known) return known as ListStatements<Row>
  const made = statementsOf<Row>(companyId, conditions, page, options)
  const counting = keepStatement(made.rows({ isCounting: true, isWalked: false }))
  const alone = keepStatement(made.rows({ isCounting: false, isWalked: false }))
  const keeping: ListStatements<Row> = { ...made, rows: ({ isCounting }) => (isCounting ? counting : alone) }
  if (kept.size >= MOST_KEPT) kept.clear()
  kept.set(name, keeping)
  return keeping
}

function nameOf(companyId: Id, { limit }: PageRequest, { order = [], shown = WHOLE }: StatementOptions): string {
  let name = `${companyId} ${limit} ${numberOf(shown)}`
  for (const { field, isDescending } of order) name += ` ${field} ${isDescending}`
  return name
}

const numbers = new WeakMap<Shown, number>()
let numbered = 0

/** A number for what a list shows, which is one object for each selection of a document that is kept. */
function numberOf(shown: Shown): number {
  const known = numbers.get(shown)
  if (known !== undefined) return known
  numbered += 1
  numbers.set(shown, numbered)
  return numbered
}
