// Compares a vendor's proof with the expected one in constant time.

import { timingSafeEqual } from 'node:crypto'
import { sha256 } from '../core/crypto.ts'

/** Whether two secrets are equal; digests are compared, so that not even the length leaks. */
export const isSameSecret = (given: string, wanted: string): boolean => timingSafeEqual(sha256(given), sha256(wanted))
