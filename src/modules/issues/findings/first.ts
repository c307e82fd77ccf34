// Decides the outcome for a finding of an asset that has none yet: it is always new.

import { decideNew } from './decide.ts'
import { birthKeyOf, type Finding, identityOf } from './finding.ts'
import type { Scan } from './scan.ts'
import type { FindingWrite } from './store-write.ts'

/** The same outcome as matching would give, for a scan that is not of an older commit. Equal reports get the same birth key. */
export function firstWrite(scan: Scan, finding: Finding): FindingWrite {
  const birthKey = birthKeyOf(identityOf(scan.assetId, scan.branch, scan.commit, finding), 0)
  return decideNew(0, scan, { finding, place: finding.place, isGone: false }, birthKey).write
}
