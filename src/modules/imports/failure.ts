// How a failed import ends, and what error its caller gets.

import { type Db, transaction } from '../../core/db/open.ts'
import { ApplicationError, badUserInput } from '../../core/errors.ts'
import { NotRecognised, ReportFault, UnknownFormat } from '../../reports/types.ts'
import * as runs from './store-run.ts'
import { deleteStaged, type ImportKey } from './store-stage.ts'

/** Translates a report that cannot be read into an error of the API. */
export function asRefusal(error: unknown): unknown {
  if (error instanceof UnknownFormat) return badUserInput(error.message, 'input.format')
  if (error instanceof NotRecognised) {
    const details = { argument: 'input.file', reason: 'FORMAT_NOT_RECOGNISED' } as const
    return new ApplicationError('BAD_USER_INPUT', error.message, details)
  }
  return error instanceof ReportFault ? badUserInput(error.message, 'input.file') : error
}

/** Ends the import with the reason of its failure, or with `unforeseen` if the fault is ours. */
export async function endFailed(db: Db, key: ImportKey, error: unknown, unforeseen: string): Promise<void> {
  const refusal = asRefusal(error)
  const { code, message } =
    refusal instanceof ApplicationError ? refusal : { code: 'INTERNAL_SERVER_ERROR', message: unforeseen }
  await transaction(db, async (trx) => {
    await runs.failImport(trx, key, code, message)
    await deleteStaged(trx, key)
  })
}
