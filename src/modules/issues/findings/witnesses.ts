// After findings are written, merges those that two tools report, and updates issues from their witnesses.

import type { Trx } from '../../../core/db/open.ts'
import type { Id } from '../../../core/ids.ts'
import { auditAll } from '../../access/service.ts'
import type { Context } from '../../context.ts'
import type { IssueRecord } from '../store.ts'
import { insertEvents } from '../store-change.ts'
import { lockForIdentity } from '../store-identity.ts'
import type { Decision } from './decide.ts'
import type { RecordOptions } from './matching.ts'
import type { Scan } from './scan.ts'
import { obeyStatements } from './statements.ts'
import type { KnownFinding } from './store-known.ts'
import { findTwins } from './store-twins.ts'
import { findStandings, mergeFindings, settleWitnesses, type Telling } from './store-witnesses.ts'
import { isCode, isComponent, type Joining, pairTwins } from './twins.ts'

/** A written finding; `isKept`: it was exported by another installation, where it may have been merged already. */
type WrittenFinding = { id: Id; scan: Scan; decision: Decision; isKept: boolean }

type Standing = { issue: IssueRecord; isShared: boolean; isJoined: boolean }

const nothing = new Map<Id, Standing>()

/** Whether its issue has further findings. */
export const isOfMany = ({ known }: Decision): boolean =>
  known !== null && (known.mergedIntoId !== null || known.witnesses > 0)

/**
 * Locks the issues of everything that changes before any witness is written, because people's changes also lock an issue before its
 * witnesses. One statement if a witness changes, otherwise none.
 */
export async function holdIssuesOf(trx: Trx, companyId: Id, decisions: readonly Decision[]): Promise<void> {
  const changing = decisions.flatMap(({ known, write }) => (known !== null && write.isChanged ? [known] : []))
  if (changing.every(({ mergedIntoId }) => mergedIntoId === null)) return
  await lockForIdentity(trx, companyId, [...new Set(changing.map(({ id, mergedIntoId }) => mergedIntoId ?? id))])
}

/** Whether another tool may report the same: only for findings that are new, have moved, or were described differently. */
function mayBeSpokenOf({ known, write }: Decision): boolean {
  const { toolName, type, place, fields } = write
  if (toolName === '' || !place.isPresent) return false
  if (isComponent(type)) return known === null || fields.detail !== undefined || fields.patterns !== undefined
  const cwes = fields.cweIds ?? known?.cweIds ?? []
  const isPlaced = place.path !== null && place.path !== '' && (place.line !== null || !isCode(type))
  return isPlaced && cwes.length > 0 && (known === null || place.isNew || fields.cweIds !== undefined)
}

/** The weaknesses and details by which another tool's finding could match the one to be written; null if none could. */
export function spokenOf(decision: Decision): Pick<KnownFinding, 'cweIds' | 'detail'> | null {
  if (!mayBeSpokenOf(decision)) return null
  const {
    known,
    write: { fields },
  } = decision
  return { cweIds: [...(fields.cweIds ?? known?.cweIds ?? [])], detail: fields.detail ?? known?.detail ?? {} }
}

/**
 * Merges findings that other tools report too, updates every issue that has, or is, a witness, and applies what VEX documents state. Returns,
 * by finding, its issue if that is not the finding itself, or was changed here. No statement if no finding can concern another; one if none
 * is merged; one more in components of an asset about which VEX documents state something.
 */
export async function settle(
  trx: Trx,
  context: Context,
  companyId: Id,
  written: readonly WrittenFinding[],
  options: RecordOptions,
): Promise<ReadonlyMap<Id, Standing>> {
  const [first] = written
  if (!first || options.mode === 'CREATE') return nothing
  const by = { authorId: context.viewer.userId, scanId: first.scan.scanId, deployId: first.scan.deployId }
  const standings = await settleWitnessed(trx, context, companyId, written, options, by)
  const told = written.filter(({ scan, decision, isKept }) => isToldOf(scan, decision) && !isKept)
  const changed = await obeyStatements(trx, companyId, idsOf(told), by)
  if (changed.size === 0) return standings
  const anew = told.filter(({ id }) => changed.has(standings.get(id)?.issue.id ?? id))
  const now = await findStandings(trx, companyId, idsOf(anew))
  return new Map([
    ...standings,
    ...[...now].map(([id, one]): [Id, Standing] => [id, { ...one, isJoined: standings.get(id)?.isJoined ?? false }]),
  ])
}

const idsOf = (findings: readonly WrittenFinding[]): Id[] => findings.map(({ id }) => id)

const isToldOf = ({ hasStatements, isOlder }: Scan, { write }: Decision): boolean =>
  hasStatements && !isOlder && isComponent(write.type)

async function settleWitnessed(
  trx: Trx,
  context: Context,
  companyId: Id,
  written: readonly WrittenFinding[],
  { isAudited, isAlone = false }: RecordOptions,
  by: Pick<Telling, 'authorId' | 'scanId' | 'deployId'>,
): Promise<ReadonlyMap<Id, Standing>> {
  const fresh = isAlone ? [] : written.filter(({ decision, isKept }) => !isKept && mayBeSpokenOf(decision))
  const asked = fresh.map(({ id, decision }) => ({ id, branch: decision.write.branch, isNew: decision.known === null }))
  const joinings = asked.length === 0 ? [] : pairTwins(await findTwins(trx, companyId, asked))
  const telling: Telling = { kind: 'SCAN', reason: 'Seen again by a scan', ...by }
  if (joinings.length > 0) {
    await mergeFindings(trx, companyId, joinings)
    await insertEvents(trx, companyId, joinings.map(eventOf(telling)))
    if (isAudited) await auditAll(trx, context, joinings.map(changeOf(companyId)))
  }
  const joined = new Set(joinings.map(({ findingId }) => findingId))
  const own = new Set(joinings.map(({ issueId }) => issueId))
  for (const { decision } of written) {
    if (isOfMany(decision) && decision.known) own.add(decision.known.mergedIntoId ?? decision.known.id)
  }
  if (own.size === 0) return nothing
  await settleWitnesses(trx, companyId, [...own], telling)
  const concerned = written.filter(({ id, decision }) => own.has(id) || joined.has(id) || isOfMany(decision))
  const standings = await findStandings(
    trx,
    companyId,
    concerned.map(({ id }) => id),
  )
  return new Map([...standings].map(([id, standing]) => [id, { ...standing, isJoined: joined.has(id) }]))
}

const sentences = {
  SAME_PLACE: 'Another tool reports the same weakness at the same place',
  SAME_VULNERABILITY: 'Another tool reports the same vulnerability of the same component',
} as const satisfies Record<Joining['by'], string>

const eventOf =
  ({ kind, authorId, scanId, deployId }: Telling) =>
  ({ issueId, findingId, by }: Joining) => ({
    issueId,
    kind,
    action: 'MERGED',
    authorId,
    reason: `${sentences[by]}: ${findingId}`,
    controlSyncStatusId: scanId,
    deployId,
  })

const changeOf =
  (companyId: Id) =>
  ({ issueId, findingId, by }: Joining) => ({
    companyId,
    object: `Issue ${issueId}`,
    after: { merged: findingId, because: by },
  })
