// Analyses a diff while it is being uploaded, so that it need not be read again once it is stored.

import type { InThread } from '../../core/durable/threaded.ts'
import type { ObjectStore } from '../../core/objects/store.ts'
import { readUploaded, type UploadedFile } from '../../core/uploads.ts'
import { maySomewhere } from '../access/service.ts'
import type { OpenReading } from '../types.ts'
import { type Analysis, analyseDiff, analysisOf, type DiffAnalysis, openAnalysis } from './analysis.ts'
import type { ToldDiff } from './blocks.ts'
import type { Held } from './holding.ts'

/**
 * Bytes that an analysis may hold during an upload, which lasts as long as the sender likes. An analysis that needs more is abandoned, and
 * the diff is read once it is stored.
 */
const MOST_HELD_BYTES = 8 * 1024 * 1024
/** The same for analyses in the thread; there are only as many of them as lanes. */
const MOST_HELD_IN_THREAD = 32 * 1024 * 1024

/** Ends the reading: returns what is held of the diff, or null if the analysis was abandoned. */
type Ending = () => Held | null

const analyses = new WeakMap<UploadedFile, Ending>()

/** Reads uploads for the field `diffContent`, from callers who may add deploys. */
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

const READER = new URL(import.meta.url.endsWith('.ts') ? './blocks.ts' : './blocks.js', import.meta.url)

/** Receives the analysis that the thread makes. */
function followThread(): InThread & { end: Ending } {
  let whole: Held | null = null
  return {
    module: READER,
    told({ heldBytes, held }: ToldDiff) {
      whole = held
      return heldBytes <= MOST_HELD_IN_THREAD
    },
    end: () => whole,
  }
}

/** The analysis of an uploaded diff: the one made during the upload if there is one, else by reading the stored file now. */
export async function analyseUploaded(objects: ObjectStore, file: UploadedFile): Promise<Analysis> {
  const held = analyses.get(file)?.() ?? null
  analyses.delete(file)
  return held === null ? analyseDiff(readUploaded(objects, file)) : analysisOf(held)
}
