// The SQL that adds a deploy: its row, and its files in bulk.

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import { from as copyFrom } from 'pg-copy-streams'
import { SHORTEST_COMMIT } from '../../core/commits.ts'
import { withClient } from '../../core/db/driver.ts'
import type { Trx } from '../../core/db/open.ts'
import type { Database } from '../../core/db/tables.generated.ts'
import { noteGarbage } from '../../core/durable/garbage.ts'
import type { Id } from '../../core/ids.ts'
import type { AnalysedFiles, Analysis } from './analysis.ts'
import type { Commit } from './history.ts'
import type { Lineage } from './lineage.ts'
import type { Branch } from './store-standing.ts'
import { storedPath } from './stored-path.ts'

type NewDeploy = Branch & {
  previousCommit: string
  currentCommit: string
  authoredAt: string | null
  commits: readonly Commit[]
  analysis: Analysis
  lineage: Lineage
  isCarried: boolean
  diffObjectId: Id
  historyObjectId: Id | null
  createdBy: Id | null
}

/** Returns the id. */
export async function insertDeploy(trx: Trx, deploy: NewDeploy): Promise<Id> {
  const { analysis } = deploy
  const inserted = await trx
    .insertInto('deploy')
    .values({
      company_id: deploy.companyId,
      asset_id: deploy.assetId,
      branch: deploy.branch,
      previous_commit: deploy.previousCommit,
      current_commit: deploy.currentCommit,
      authored_at: deploy.authoredAt,
      commits: JSON.stringify(deploy.commits),
      diff_state: analysis.state,
      diff_reason: analysis.reason,
      files: analysis.files.length,
      added: analysis.added,
      removed: analysis.removed,
      languages: JSON.stringify(analysis.languages),
      lineage: deploy.lineage,
      is_carried: deploy.isCarried,
      diff_object_id: deploy.diffObjectId,
      history_object_id: deploy.historyObjectId,
      created_by: deploy.createdBy,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return inserted.id
}

/** Writes the commits that the deploy went through, so that they can be found: its history without its last commit. */
export async function insertPassed(
  trx: Trx,
  { companyId, assetId, branch }: Branch,
  { id, currentCommit }: { id: Id; currentCommit: string },
  commits: readonly Commit[],
): Promise<void> {
  const passed = commits.flatMap((commit) =>
    commit.id !== null && commit.id.length >= SHORTEST_COMMIT ? commit.id : [],
  )
  await sql`
    insert into deploy_commit (company_id, deploy_id, commit, asset_id, branch)
    select distinct ${companyId}::bigint, ${id}::bigint, commit, ${assetId}::bigint, ${branch}
    from unnest(${passed}::text[]) as commit
    where not starts_with(commit, ${currentCommit}) and not starts_with(${currentCommit}, commit)`.execute(trx)
}

/** Writes the files of a deploy through COPY, in bounded memory. */
export async function insertFiles(trx: Trx, companyId: Id, deployId: Id, files: AnalysedFiles): Promise<void> {
  if (files.length === 0) return
  await withClient<Database, void>(trx, async (client) => {
    const copy = client.query(
      copyFrom(`copy deploy_file (company_id, deploy_id, number, old_path, new_path, kind, is_binary, added, removed, language,
                hunks, ranges) from stdin`),
    )
    await pipeline(Readable.from(copyLines(companyId, deployId, files), { objectMode: false }), copy)
  })
}

/** Characters buffered before they are sent. */
const BLOCK = 32 * 1024
/** Roughly how many bytes of short-lived objects a character costs: the unpacked file and the parts of its line. */
const GARBAGE = 12

function* copyLines(companyId: Id, deployId: Id, files: AnalysedFiles): Generator<Buffer> {
  let lines: string[] = []
  let size = 0
  const take = () => {
    const block = Buffer.from(lines.join(''))
    noteGarbage(size * GARBAGE)
    lines = []
    size = 0
    return block
  }
  for (const file of files) {
    const oldPath = copyText(storedPath(file.oldPath))
    const newPath = file.newPath === file.oldPath ? oldPath : copyText(storedPath(file.newPath))
    const ranges = file.ranges.map(({ start, end }) => `${start},${end}`).join(',')
    const line =
      `${companyId}\t${deployId}\t${file.number}\t${oldPath}\t${newPath}\t${file.kind}\t${file.binary ? 't' : 'f'}\t${file.added}\t` +
      `${file.removed}\t${copyText(file.language)}\t\\\\x${file.packed.toString('hex')}\t{${ranges}}\n`
    lines.push(line)
    size += line.length
    if (size >= BLOCK) yield take()
  }
  if (size > 0) yield take()
}

const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

const copyText = (text: string | null): string =>
  text === null ? '\\N' : text.replace(/[\\\t\n\r]/g, (char) => escapes[char] ?? char)
