// Lists in filters: an empty list means no filter.

/** Null for an empty list, as for a missing one. */
export const unlessEmpty = <T>(list: readonly T[] | null | undefined): readonly T[] | null =>
  list?.length ? list : null
