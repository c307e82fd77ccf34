// How a path of a diff is kept: as it is, or the end of one that is longer than an index has room for.

/** Bytes, as of the paths of findings; and characters of the end that is kept of a longer one, as of the paths of reports. */
const LONGEST = 1500
const KEPT = 500

export const storedPath = (path: string | null): string | null =>
  path === null || isShort(path) ? path : path.slice(-KEPT).toWellFormed()

/** A character has at most three bytes. */
const isShort = (path: string): boolean => path.length * 3 <= LONGEST || Buffer.byteLength(path) <= LONGEST
