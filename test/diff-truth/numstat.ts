// Writes a file's counts the way `git diff --numstat -z` does, which makes them comparable.

import type { DiffFile } from '../../src/diff/types.ts'

/** `added TAB removed TAB path`, with `-` for a binary file's counts, and `TAB NUL old NUL new` for a rename or copy. */
export function numstat(file: DiffFile): string {
  const counts = file.binary ? '-\t-' : `${file.added}\t${file.removed}`
  const moved = file.oldPath !== null && file.newPath !== null && file.oldPath !== file.newPath
  return moved ? `${counts}\t\0${file.oldPath}\0${file.newPath}` : `${counts}\t${file.newPath ?? file.oldPath}`
}
