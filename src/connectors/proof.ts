// Compares what a vendor sent as proof with what it should be, in constant time.

import { timingSafeEqual } from 'node:crypto'
import { sha256 } from '../core/crypto.ts'

/** Whether two secrets are one; digests are compared, so that not even the length shows. */
export const isSameSecret = (given: string, wanted: string): boolean => timingSafeEqual(sha256(given), sha256(wanted))
