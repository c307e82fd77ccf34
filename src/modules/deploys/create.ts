// Creates a deploy: stores and reads its diff, and carries the findings of its branch through it.

import type { Change } from '../../core/audit.ts'
import { parseCommit } from '../../core/commits.ts'
import { type Db, type Trx, transaction } from '../../core/db/open.ts'
import { conflict, notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { readBranchName } from '../../core/text.ts'
import { keepUpload, readUploaded, requireSize, storeUpload, type UploadedFile } from '../../core/uploads.ts'
import { unpackHunks } from '../../diff/line-map.ts'
import { audit } from '../access/service.ts'
import { authorizeAsset } from '../assets/service.ts'
import type { Context, Parts } from '../context.ts'
import type { AnalysedFile, AnalysedFiles, Analysis } from './analysis.ts'
import { analyseUploaded } from './arriving.ts'
import { carryAmong } from './carry.ts'
import { type Commit, newestAuthoredAt, readHistory } from './history.ts'
import { isCarriable, type Lineage, lineageOf, type Standing } from './lineage.ts'
import { askReview } from './reviewing.ts'
import * as store from './store.ts'
import {
  type CarriedOccurrence,
  copyOccurrences,
  introduceReported,
  lockOccurrences,
  resetDispositions,
  writeCarried,
} from './store-carry.ts'
import { insertDeploy, insertFiles, insertPassed } from './store-insert.ts'
import { type Branch, findStanding, lockAsset } from './store-standing.ts'
import { storedPath } from './stored-path.ts'

type NewDeploy = {
  assetId: Id
  previousCommit: string
  currentCommit: string
  branchName: string | null
  diffContent: UploadedFile
  commitHistory: UploadedFile | null
}

/**
 * Stores and reads the diff, then adds the deploy in a short transaction and carries the findings of its branch through it. CONFLICT if the
 * asset has a deploy with the same commits, also when two are sent at the same time.
 */
export async function createDeploy(context: Context, input: NewDeploy): Promise<store.Deploy> {
  const { companyId } = await authorizeAsset(context, 'deploys:write', input.assetId)
  const note = (trx: Trx, change: Change) => audit(trx, context, change)
  return addDeploy(context, companyId, input, { userId: context.viewer.userId, note })
}

/**
 * On whose behalf a deploy is added: null if that user no longer exists. `requireRead` throws if the outcome of reading the diff rules out
 * a deploy, `note` writes the audit record, `follow` enqueues what follows from it.
 */
type By = {
  userId: Id | null
  requireRead?: (read: Pick<Analysis, 'state' | 'reason'>) => void
  note: (trx: Trx, change: Change) => Promise<void>
  follow?: (trx: Trx, deploy: store.Deploy) => Promise<void>
}

/** As createDeploy, without the permission check: for an asset of the company, by a person or by the program itself. */
export async function addDeploy(
  context: Pick<Parts, 'config' | 'objects'> & { db: Db },
  companyId: Id,
  input: NewDeploy,
  by: By,
): Promise<store.Deploy> {
  const { diffContent, commitHistory, assetId } = input
  const previousCommit = parseCommit(input.previousCommit, 'input.previousCommit')
  const currentCommit = parseCommit(input.currentCommit, 'input.currentCommit')
  // '' is the branch of callers that name none
  const branch = { companyId, assetId, branch: readBranchName(input.branchName, 'input.branchName') ?? '' }
  const { diffBytes } = context.config.limits
  requireSize(diffContent, diffBytes, 'input.diffContent')
  if (commitHistory) requireSize(commitHistory, diffBytes, 'input.commitHistory')
  const commitPair = { previousCommit, currentCommit }
  if (await store.hasDeploy(context.db, branch, commitPair)) throw sameCommits()

  await storeUpload(context.objects, diffContent)
  if (commitHistory) await storeUpload(context.objects, commitHistory)
  const analysis = await analyseUploaded(context.objects, diffContent)
  by.requireRead?.(analysis)
  const commits = await readCommits(context, commitHistory ?? diffContent, commitHistory !== null)

  return transaction(context.db, async (trx) => {
    if (!(await lockAsset(trx, branch))) throw notFound('Asset', assetId)
    if (await store.hasDeploy(trx, branch, commitPair)) throw sameCommits()
    const standing = await findStanding(trx, branch, commitPair)
    const lineage = lineageOf(standing)
    const isCarried = isCarriable(lineage, analysis.state)
    const id = await insertDeploy(trx, {
      ...branch,
      ...commitPair,
      commits,
      authoredAt: newestAuthoredAt(commits, currentCommit),
      analysis,
      lineage,
      isCarried,
      diffObjectId: await keepUpload(trx, companyId, diffContent),
      historyObjectId: commitHistory ? await keepUpload(trx, companyId, commitHistory) : null,
      createdBy: by.userId,
    })
    if (commits.length > 0) await insertPassed(trx, branch, { id, currentCommit }, commits)
    await insertFiles(trx, companyId, id, analysis.files)
    if (analysis.files.length > 0) await askReview(trx, branch, id)
    const deployed = { id, currentCommit, lineage, isCarried }
    if (lineage !== 'LATE') {
      await carryFindings(trx, branch, deployed, standing, analysis)
      let written: number
      do written = await introduceReported(trx, branch, deployed, MOST_AT_ONCE)
      while (written === MOST_AT_ONCE)
    }
    const deploy = await store.lockDeploy(trx, companyId, id)
    if (!deploy) throw notFound('Deploy', id)
    await by.note(trx, { companyId, object: `Deploy ${id}`, after: deploy })
    await by.follow?.(trx, deploy)
    return deploy
  })
}

/** Findings written by one statement, so that it ends within the statement timeout. */
const MOST_AT_ONCE = 20_000

/** Carries the open findings of the branch in one step: a few statements, however many there are. */
async function carryFindings(
  trx: Trx,
  branch: Branch,
  deploy: { id: Id; currentCommit: string; lineage: Lineage; isCarried: boolean },
  { source, lastBreak }: Standing,
  { files }: Analysis,
): Promise<void> {
  await resetDispositions(trx, branch, { isCarried: deploy.isCarried, lastBreak })
  if (!deploy.isCarried) return
  if (deploy.lineage === 'BRANCHES' && source !== null) await copyOccurrences(trx, branch, source, deploy.id)
  const standing = await lockOccurrences(trx, branch, deploy, lastBreak)
  if (standing.length === 0) return
  const changeOf = unpacking()
  const { byNumber, copies } = filesWith(standing, files)
  const moves: CarriedOccurrence[] = []
  for (const { id, issueId, fileNumber, ...place } of standing) {
    const file = byNumber.get(fileNumber)
    if (!file) continue
    const outcome = carryAmong(place, changeOf(file), (copies.get(place.path) ?? []).map(changeOf))
    if (outcome === null) continue
    const { disposition, place: next, file: taken } = outcome
    const isElsewhere = next.path !== place.path || next.line !== place.line
    moves.push({ id, issueId, disposition, ...next, isElsewhere, fileNumber: taken })
  }
  for (let at = 0; at < moves.length; at += MOST_AT_ONCE) {
    await writeCarried(trx, branch, deploy, moves.slice(at, at + MOST_AT_ONCE))
  }
}

/** The files that contain occurrences, and the copies of these files. */
function filesWith(standing: readonly { path: string; fileNumber: number }[], files: AnalysedFiles) {
  const numbers = new Set(standing.map(({ fileNumber }) => fileNumber))
  const byNumber = new Map<number, AnalysedFile>()
  const copies = new Map(standing.map(({ path }) => [path, [] as AnalysedFile[]]))
  for (const file of files) {
    if (numbers.has(file.number)) byNumber.set(file.number, file)
    if (file.kind === 'COPIED') copies.get(storedPath(file.oldPath) ?? '')?.push(file)
  }
  return { byNumber, copies }
}

/** Unpacks the regions of each changed file once. */
function unpacking() {
  const hunksOf = new Map<number, ReturnType<typeof unpackHunks>>()
  return ({ number, newPath, binary, packed }: AnalysedFile) => {
    const hunks = hunksOf.get(number) ?? unpackHunks(packed)
    hunksOf.set(number, hunks)
    return { number, newPath: storedPath(newPath), binary, hunks }
  }
}

const sameCommits = () => conflict('A deploy with the same previous and current commit already exists')

/** Bytes read of a commit history, and of a diff that is searched for commit headers of its own. */
const MOST_HISTORY_BYTES = 8 * 1024 * 1024

async function readCommits(context: Pick<Parts, 'objects'>, file: UploadedFile, isHistory: boolean): Promise<Commit[]> {
  if (!isHistory && file.size > MOST_HISTORY_BYTES) return []
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of readUploaded(context.objects, file)) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= MOST_HISTORY_BYTES) break
    if (!isHistory && chunks.length === 1 && !/^(commit|From) [0-9a-f]{40}/.test(chunk.toString('latin1', 0, 60)))
      return []
  }
  return readHistory(Buffer.concat(chunks).toString('utf8', 0, MOST_HISTORY_BYTES))
}
