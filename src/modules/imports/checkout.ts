// Where the repository of an asset lay on a scanner's machine, by the files that its deploys have told of.

import type { Db, Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import { knowingFiles } from '../../reports/known-files.ts'
import { hasFindingsBelow, listFiles } from './store-files.ts'

/**
 * Finds the directory of an absolute path, ending in `/`; null where the asset's files do not tell, or where findings are known by
 * their whole paths already, as they were before there was a deploy. The files are read once, when they are first asked for.
 */
export function findingCheckout(db: Db | Trx, companyId: Id, assetId: Id): (path: string) => Promise<string | null> {
  let files: Promise<ReturnType<typeof knowingFiles>> | null = null
  return async (path) => {
    files ??= listFiles(db, companyId, assetId).then(knowingFiles)
    const directory = (await files)(path)
    return directory === null || (await hasFindingsBelow(db, companyId, assetId, directory)) ? null : directory
  }
}
