// Analyses a diff while it arrives, so that it need not be read again once it is stored.

import type { ObjectStore } from '../../core/objects.ts'
import { readUploaded, type UploadedFile } from '../../core/uploads.ts'
import { maySomewhere } from '../access/service.ts'
import type { OpenReading } from '../types.ts'
import { type Analysis, analyseDiff, type DiffAnalysis, openAnalysis } from './analysis.ts'

/**
 * Bytes that an analysis may hold while its diff arrives, which is as long as the sender likes; one that needs more is given up,
 * and the diff is read once it is stored.
 */
const MOST_HELD_BYTES = 8 * 1024 * 1024

const analyses = new WeakMap<UploadedFile, DiffAnalysis>()

/** Reads what comes for the field `diffContent` from somebody who may add deploys. */
export const readArrivingDiff: OpenReading = (place, viewer) => {
  if (!place.endsWith('.diffContent') || !maySomewhere(viewer, 'deploys:write')) return null
  let analysis: DiffAnalysis | null = openAnalysis()
  return {
    push(chunk) {
      analysis?.push(chunk)
      if (analysis && analysis.heldBytes() > MOST_HELD_BYTES) analysis = null
    },
    arrived(file) {
      if (analysis) analyses.set(file, analysis)
    },
  }
}

/** The analysis of a diff that was sent: made while it arrived, or, where nothing told what the file was, by reading it now. */
export async function analyseUploaded(objects: ObjectStore, file: UploadedFile): Promise<Analysis> {
  const analysis = analyses.get(file)
  analyses.delete(file)
  return analysis ? analysis.end() : analyseDiff(readUploaded(objects, file))
}
