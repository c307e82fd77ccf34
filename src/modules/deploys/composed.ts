// Composes the commits of a diff into one change, reading its held files batch by batch so that few of them are objects at a time.

import { composeFiles } from '../../diff/compose.ts'
import { orderOf } from '../../diff/order.ts'
import type { Packed, PatchFile, Range } from '../../diff/types.ts'
import { type AnalysedFile, type AnalysedFiles, analysed, packedFiles } from './analysed.ts'
import { filesOf, type Held, stepsOf } from './holding.ts'
import { type LanguageTotals, openLanguages } from './languages.ts'

/** Ranges kept per file: a diff of many commits may contain the same file often. */
const MOST_RANGES = 20

type Composed = { added: number; removed: number; languages: LanguageTotals[]; files: AnalysedFiles }

/** The change from before the first commit to after the last. */
export function composed(held: Held): Composed {
  const ranges = new Map<string, number[]>()
  const order = orderOf(noting(filesOf(held), ranges))
  const languages = openLanguages()
  const totals = { added: 0, removed: 0 }
  function* files(): Generator<AnalysedFile> {
    let number = 0
    for (const file of composeFiles(stepsOf(held, order))) {
      languages.add(file)
      totals.added += file.added
      totals.removed += file.removed
      yield analysed(file, ++number, rangesOf(file, ranges))
    }
  }
  const packed = packedFiles(files())
  return { ...totals, languages: languages.totals(), files: packed }
}

/** The same files; notes the start and end of each in the diff, by its paths. */
function* noting(files: Iterable<Packed<PatchFile>>, ranges: Map<string, number[]>): Generator<Packed<PatchFile>> {
  for (const file of files) {
    yield file
    if (file.range === null) continue
    const { start, end } = file.range
    for (const path of file.oldPath === file.newPath ? [file.oldPath] : [file.oldPath, file.newPath]) {
      if (path === null) continue
      const known = ranges.get(path)
      if (known === undefined) ranges.set(path, [start, end])
      else if (known.length < 2 * MOST_RANGES) known.push(start, end)
    }
  }
}

function rangesOf(
  { oldPath, newPath }: Pick<AnalysedFile, 'oldPath' | 'newPath'>,
  ranges: ReadonlyMap<string, readonly number[]>,
): Range[] {
  const places = new Map<number, Range>()
  for (const path of [oldPath, newPath]) {
    const known = ranges.get(path ?? '') ?? []
    for (let at = 0; at < known.length; at += 2) {
      const [start = 0, end = 0] = known.slice(at, at + 2)
      places.set(start, { start, end })
    }
  }
  return [...places.values()].sort((left, right) => left.start - right.start).slice(0, MOST_RANGES)
}
