// How a path of a diff is stored: whole, or only its end if it is too long for an index.

/** The longest path in bytes, as for findings; and the characters kept of the end of a longer one, as for reports. */
const LONGEST = 1500
const KEPT = 500

export const storedPath = (path: string | null): string | null =>
  path === null || isShort(path) ? path : path.slice(-KEPT).toWellFormed()

/** A UTF-16 code unit takes at most three bytes in UTF-8. */
const isShort = (path: string): boolean => path.length * 3 <= LONGEST || Buffer.byteLength(path) <= LONGEST
