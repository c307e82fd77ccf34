// A page of a collection as the contract has it.

/**
 * What every collection of the contract has. A collection that is counted in a query of its own has `limitValue`, the
 * page size, instead of the counts.
 */
export type Page<Row> = {
  collection: readonly Row[]
  metadata: { endCursor: string | null; totalCount?: number; totalCountIsExact?: boolean; limitValue?: number }
}

/** Whether the page alone proves that no other follows, because it is not full. */
export const isLast = ({ collection, metadata }: Page<unknown>): boolean =>
  collection.length < (metadata.limitValue ?? 1)
