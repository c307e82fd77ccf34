// Holds the files of a diff, packed as bytes, until the diff has been read to its end, together with their totals.

import { filesFromBytes, filesToBytes } from '../../diff/file-bytes.ts'
import type { DiffResult, Packed, PatchFile } from '../../diff/types.ts'
import { type LanguageTotals, openLanguages } from './languages.ts'
import { openRepeats } from './repeats.ts'

type Outcome = Pick<DiffResult, 'state' | 'reason'>

/** Plain data, so that it can be sent from one thread to another. */
export type Held = Outcome & {
  files: number
  added: number
  removed: number
  languages: LanguageTotals[]
  /** a single commit in which no path occurs twice, so that there is nothing to compose */
  isOneChange: boolean
  batches: Uint8Array<ArrayBuffer>[]
}

type Holding = {
  hold(files: readonly Packed<PatchFile>[]): void
  isCut(): boolean
  heldBytes(): number
  /** Returns what is held, with how reading ended. */
  end(outcome: Outcome): Held
}

/** Roughly the bytes of a file beside its paths and regions. */
const FILE_BYTES = 100
/** Files, and bytes of regions, that are packed at once: few enough that the garbage collector frees the objects while young. */
const BATCH = 50
const BATCH_BYTES = 64 * 1024

const takenBy = ({ oldPath, newPath, packed }: Packed<PatchFile>): number =>
  FILE_BYTES + packed.length + (newPath?.length ?? 0) + (oldPath === newPath ? 0 : (oldPath?.length ?? 0))

/** Holds little more than `mostHeld` bytes of one diff; beyond them the diff is truncated. */
export function openHolding(mostHeld: number): Holding {
  const batches: Uint8Array<ArrayBuffer>[] = []
  let pending: Packed<PatchFile>[] = []
  let pendingBytes = 0
  const languages = openLanguages()
  const repeats = openRepeats()
  const totals = { files: 0, added: 0, removed: 0 }
  let size = 0
  let commit: number | null = null
  let isOneCommit = true
  let cut: Outcome | null = null

  const count = (file: Packed<PatchFile>) => {
    totals.files++
    totals.added += file.added
    totals.removed += file.removed
    languages.add(file)
    repeats.add(file.newPath ?? file.oldPath ?? '')
    commit ??= file.commit
    isOneCommit &&= commit === file.commit
    size += takenBy(file)
    if (size <= mostHeld) return
    const reason = `The diff cannot be read past its file ${totals.files}: its changes take more than ${mostHeld} bytes.`
    cut = { state: 'TRUNCATED', reason }
  }

  const write = () => {
    if (pending.length > 0) batches.push(filesToBytes(pending))
    pending = []
    pendingBytes = 0
  }

  return {
    hold(files) {
      for (const file of files) {
        if (cut !== null) return
        count(file)
        pending.push(file)
        pendingBytes += file.packed.length
        if (pending.length >= BATCH || pendingBytes >= BATCH_BYTES) write()
      }
    },
    isCut: () => cut !== null,
    heldBytes: () => size,
    end(outcome) {
      write()
      const isOneChange = isOneCommit && !repeats.has()
      return { ...(cut ?? outcome), ...totals, languages: languages.totals(), isOneChange, batches }
    },
  }
}

/** The held files in their order, unpacked batch by batch. */
export function* filesOf({ batches }: Pick<Held, 'batches'>): Generator<Packed<PatchFile>> {
  for (const bytes of batches) yield* filesFromBytes(bytes)
}
