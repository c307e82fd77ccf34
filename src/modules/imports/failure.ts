// How an import that comes to nothing ends, and what its caller is told of that.

import { type Db, transaction } from '../../core/db/open.ts'
import { ApplicationError, badUserInput } from '../../core/errors.ts'
import { ReportFault, UnknownFormat } from '../../reports/types.ts'
import * as runs from './store-run.ts'
import { deleteStaged, type ImportKey } from './store-stage.ts'

/** What a report that cannot be read means to the caller. */
export function asRefusal(error: unknown): unknown {
  if (error instanceof UnknownFormat) return badUserInput(error.message, 'input.format')
  return error instanceof ReportFault ? badUserInput(error.message, 'input.file') : error
}

/** Ends the import with what stood in its way; of a fault of ours it says `unforeseen`. */
export async function endFailed(db: Db, key: ImportKey, error: unknown, unforeseen: string): Promise<void> {
  const refusal = asRefusal(error)
  const { code, message } =
    refusal instanceof ApplicationError ? refusal : { code: 'INTERNAL_SERVER_ERROR', message: unforeseen }
  await transaction(db, async (trx) => {
    await runs.failImport(trx, key, code, message)
    await deleteStaged(trx, key)
  })
}
