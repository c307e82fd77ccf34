// The SQL of the files that are known of an asset, from its deploys and its findings.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'

/** How many files of the newest deploys are considered. */
const MOST_FILES = 100_000

/** The distinct paths, relative to the repository's root, that deploys of the asset created or changed. */
export async function listFiles(db: Db | Trx, companyId: Id, assetId: Id): Promise<string[]> {
  const { rows } = await sql<{ path: string }>`
    select distinct new_path as path from (
      select new_path from deploy join deploy_file on deploy_file.company_id = deploy.company_id and deploy_id = deploy.id
      where deploy.company_id = ${companyId} and asset_id = ${assetId} and new_path is not null
      order by deploy.id desc limit ${MOST_FILES}) as newest`.execute(db)
  return rows.map(({ path }) => path)
}

/** Whether a known finding has an absolute path with this prefix. */
export async function hasFindingsBelow(db: Db | Trx, companyId: Id, assetId: Id, directory: string): Promise<boolean> {
  const { rows } = await sql<{ any: boolean }>`
    select exists (select from occurrence
      where company_id = ${companyId} and asset_id = ${assetId} and starts_with(path, ${directory})) as any`.execute(db)
  return rows[0]?.any ?? false
}
