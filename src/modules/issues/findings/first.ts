// What a finding of an asset that has none comes to: nothing is known that it could be, so that it is new.

import { decideNew } from './decide.ts'
import { birthKeyOf, type Finding, identityOf } from './finding.ts'
import type { Scan } from './scan.ts'
import type { FindingWrite } from './store-write.ts'

/** As matching has it for a scan that is not of an older commit. Reports of one finding that are equal have one birth key. */
export function firstWrite(scan: Scan, finding: Finding): FindingWrite {
  const birthKey = birthKeyOf(identityOf(scan.assetId, scan.branch, scan.commit, finding), 0)
  return decideNew(0, scan, { finding, place: finding.place, isGone: false }, birthKey).write
}
