// Works out where an asset's repository was checked out on the scanner's machine, from the file paths that its deploys changed.

import type { Db, Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import { knowingFiles } from '../../reports/known-files.ts'
import { hasFindingsBelow, listFiles } from './store-files.ts'

/**
 * Finds the checkout directory of an absolute path, ending in `/`. Null if the asset's files do not show it, or if findings are already
 * known by their absolute paths, as they are when they were reported before the first deploy. The files are read once, on first use.
 */
export function findingCheckout(db: Db | Trx, companyId: Id, assetId: Id): (path: string) => Promise<string | null> {
  let files: Promise<ReturnType<typeof knowingFiles>> | null = null
  return async (path) => {
    files ??= listFiles(db, companyId, assetId).then(knowingFiles)
    const directory = (await files)(path)
    return directory === null || (await hasFindingsBelow(db, companyId, assetId, directory)) ? null : directory
  }
}
