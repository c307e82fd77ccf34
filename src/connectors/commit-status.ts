// What to do when a host does not accept a commit status.

import { VendorRefused } from './errors.ts'

/** A fork's commit is on no branch of the repository, so the host may refuse its status; the comment says the same. */
export function unlessRefused(error: unknown): void {
  if (error instanceof VendorRefused && ['INVALID', 'MISSING', 'PERMISSION'].includes(error.kind)) return
  throw error
}
