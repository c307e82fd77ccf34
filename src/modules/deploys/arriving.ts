// Analyses a diff while it arrives, so that it need not be read again once it is stored.

import type { InThread } from '../../core/durable/threaded.ts'
import type { ObjectStore } from '../../core/objects.ts'
import { readUploaded, type UploadedFile } from '../../core/uploads.ts'
import type { ToldDiff } from '../../diff/blocks.ts'
import type { DiffResult } from '../../diff/types.ts'
import { maySomewhere } from '../access/service.ts'
import type { OpenReading } from '../types.ts'
import { type Analysis, analyseDiff, type DiffAnalysis, openAnalysis, openHolding } from './analysis.ts'

/**
 * Bytes that an analysis may hold while its diff arrives, which is as long as the sender likes; one that needs more is given up,
 * and the diff is read once it is stored.
 */
const MOST_HELD_BYTES = 8 * 1024 * 1024

/** A diff that is read to its end: what comes of it, or null where it was given up. */
type Ending = () => Analysis | null

const analyses = new WeakMap<UploadedFile, Ending>()

/** Reads what comes for the field `diffContent` from somebody who may add deploys. */
export const readArrivingDiff: OpenReading = (place, viewer) => {
  if (!place.endsWith('.diffContent') || !maySomewhere(viewer, 'deploys:write')) return null
  let analysis: DiffAnalysis | null = openAnalysis()
  let end: Ending = () => analysis?.end() ?? null
  return {
    push(chunk) {
      analysis?.push(chunk)
      if (analysis && analysis.heldBytes() > MOST_HELD_BYTES) analysis = null
    },
    inThread() {
      analysis = null
      const followed = followThread()
      end = followed.end
      return followed
    },
    arrived(file) {
      analyses.set(file, end)
    },
  }
}

const READER = new URL(
  import.meta.url.endsWith('.ts') ? '../../diff/blocks.ts' : '../../diff/blocks.js',
  import.meta.url,
)

/** Gathers what the thread reads. */
function followThread(): InThread & { end: Ending } {
  const holding = openHolding()
  let outcome: DiffResult | null = null
  return {
    module: READER,
    told({ files, heldBytes, result }: ToldDiff) {
      holding.hold(files.map((file) => ({ ...file, packed: Buffer.from(file.packed) })))
      outcome = result
      return holding.heldBytes() + heldBytes <= MOST_HELD_BYTES
    },
    end: () => outcome && holding.end(outcome),
  }
}

/** The analysis of a diff that was sent: made while it arrived, or, where nothing told what the file was, by reading it now. */
export async function analyseUploaded(objects: ObjectStore, file: UploadedFile): Promise<Analysis> {
  const analysis = analyses.get(file)?.()
  analyses.delete(file)
  return analysis ?? analyseDiff(readUploaded(objects, file))
}
