// Lists in filters: an empty one asks for nothing.

/** null for an empty list, which asks for nothing, as one that is not given. */
export const unlessEmpty = <T>(list: readonly T[] | null | undefined): readonly T[] | null =>
  list?.length ? list : null
