// Lists that narrow what is asked for.

/** null for an empty list, which asks for nothing, as one that is not given. */
export const unlessEmpty = <T>(list: readonly T[] | null | undefined): readonly T[] | null =>
  list?.length ? list : null
