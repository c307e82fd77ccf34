// Compares what a vendor sent to prove itself with what it should be, in a time that does not depend on where they differ.

import { timingSafeEqual } from 'node:crypto'
import { sha256 } from '../core/crypto.ts'

/** Whether two secrets are one; digests are compared, so that not even the length shows. */
export const isSameSecret = (given: string, wanted: string): boolean => timingSafeEqual(sha256(given), sha256(wanted))
