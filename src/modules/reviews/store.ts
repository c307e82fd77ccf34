// The SQL of reviews: pending ones, their results, and where reviews are turned off.

import { sql } from 'kysely'
import { anyOf } from '../../core/db/any-of.ts'
import type { Db, Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import type { Note } from '../../review/types.ts'
import { seenAmong } from '../access/service.ts'
import type { Viewer } from '../context.ts'

export type ReviewState = 'PENDING' | 'RUNNING' | 'DONE' | 'FAILED'

/** Identifies the review of a deploy. */
export type ReviewKey = { companyId: Id; id: Id }

export type Review = {
  deployId: Id
  state: ReviewState
  reason: string | null
  files: number
  packages: number
  findings: number
  created: number
  notes: Note[]
  controlSyncStatusId: Id | null
  createdAt: string
  startedAt: string | null
  finishedAt: string | null
}

/** The reviews of deploys that the viewer sees. */
export async function findReviews(db: Db, viewer: Viewer, deployIds: readonly Id[]): Promise<Review[]> {
  return db
    .selectFrom('deploy_review')
    .select([
      'deploy_id as deployId',
      sql<ReviewState>`state`.as('state'),
      'reason',
      'files',
      'packages',
      'findings',
      'created',
      sql<Note[]>`notes`.as('notes'),
      'scan_id as controlSyncStatusId',
      'created_at as createdAt',
      'started_at as startedAt',
      'finished_at as finishedAt',
    ])
    .where(seenAmong(viewer, sql`company_id`, sql`deploy_id`, deployIds))
    .execute()
}

export type Claimed = ReviewKey & {
  assetId: Id
  attempts: number
  scanId: Id | null
  objectKey: string | null
  /** who added the deploy; null if the service did */
  createdBy: Id | null
}

/** Starts, or restarts, a review that has not ended; null if it has ended or its deploy is gone. */
export async function claimReview(db: Db, { companyId, id }: ReviewKey): Promise<Claimed | null> {
  const { rows } = await sql<Claimed>`
    with claimed as (
      update deploy_review set state = 'RUNNING', attempts = attempts + 1, started_at = coalesce(started_at, now())
      where company_id = ${companyId} and deploy_id = ${id} and state in ('PENDING', 'RUNNING')
      returning attempts, scan_id)
    select deploy.company_id as "companyId", deploy.id, asset_id as "assetId", attempts, scan_id as "scanId",
      object_key as "objectKey", deploy.created_by as "createdBy"
    from claimed
    join deploy on deploy.company_id = ${companyId} and deploy.id = ${id}
    left join stored_object on stored_object.company_id = deploy.company_id and stored_object.id = deploy.diff_object_id`.execute(
    db,
  )
  return rows[0] ?? null
}

export async function isOpen(db: Db, { companyId, id }: ReviewKey): Promise<boolean> {
  const { rows } = await sql<{ isOpen: boolean }>`
    select exists (select from deploy_review
      where company_id = ${companyId} and deploy_id = ${id} and finished_at is null) as "isOpen"`.execute(db)
  return rows[0]?.isOpen ?? false
}

/** Why a review is incomplete: its `state` and `reason`, and whether its dependencies were not checked because there were no advisories. */
export type Shortfall = Pick<Review, 'deployId' | 'state' | 'reason'> & { isUnchecked: boolean }

/** The reviews of these deploys that failed, have not ended yet, or did not check dependencies. */
export async function findShortfalls(db: Db, deploys: readonly ReviewKey[]): Promise<Shortfall[]> {
  const [companies, ids] = [deploys.map(({ companyId }) => companyId), deploys.map(({ id }) => id)]
  const { rows } = await sql<Shortfall>`
    select deploy_id as "deployId", state, reason, is_unchecked as "isUnchecked" from deploy_review
    cross join lateral (
      select packages > 0 and notes @> '[{"kind": "UNREAD", "path": null, "area": "dependencies"}]' as is_unchecked) as dependencies
    where company_id = ${anyOf([...new Set(companies)])} and deploy_id = ${anyOf(ids)}
      and (state <> 'DONE' or is_unchecked)`.execute(db)
  return rows
}

export async function setScan(trx: Trx, { companyId, id }: ReviewKey, scanId: Id): Promise<void> {
  await sql`update deploy_review set scan_id = ${scanId} where company_id = ${companyId} and deploy_id = ${id}`.execute(
    trx,
  )
}

export type Outcome = Pick<Review, 'files' | 'packages' | 'findings' | 'created' | 'notes'>

export async function finishReview(trx: Trx, { companyId, id }: ReviewKey, outcome: Outcome): Promise<void> {
  await sql`
    update deploy_review set state = 'DONE', reason = null, files = ${outcome.files}, packages = ${outcome.packages},
      findings = ${outcome.findings}, created = ${outcome.created}, notes = ${JSON.stringify(outcome.notes)}::jsonb,
      finished_at = clock_timestamp()
    where company_id = ${companyId} and deploy_id = ${id}`.execute(trx)
}

/** Returns the review's run; null if it had none. */
export async function failReview(trx: Trx, { companyId, id }: ReviewKey, reason: string): Promise<Id | null> {
  const { rows } = await sql<{ scanId: Id | null }>`
    update deploy_review set state = 'FAILED', reason = ${reason}, finished_at = clock_timestamp()
    where company_id = ${companyId} and deploy_id = ${id} returning scan_id as "scanId"`.execute(trx)
  return rows[0]?.scanId ?? null
}

export type Setting = { companyId: Id; assetId: Id | null; isOn: boolean }

/** The company's own setting first; reviews are on by default. */
export async function listSettings(db: Db, companyId: Id): Promise<Setting[]> {
  const { rows } = await sql<Setting>`
    select ${companyId}::bigint as "companyId", nullif(asset_id, 0) as "assetId", is_on as "isOn" from (
      select asset_id, is_on from deploy_review_setting where company_id = ${companyId}
      union all
      select 0, true where not exists (
        select from deploy_review_setting where company_id = ${companyId} and asset_id = 0)) as setting
    order by asset_id`.execute(db)
  return rows
}

/** `isOn` null removes the setting. */
export async function saveSetting(trx: Trx, companyId: Id, assetId: Id | null, isOn: boolean | null): Promise<void> {
  if (isOn === null) {
    await sql`
      delete from deploy_review_setting where company_id = ${companyId} and asset_id = ${assetId ?? '0'}`.execute(trx)
    return
  }
  await sql`
    insert into deploy_review_setting (company_id, asset_id, is_on) values (${companyId}, ${assetId ?? '0'}, ${isOn})
    on conflict (company_id, asset_id) do update set is_on = excluded.is_on`.execute(trx)
}
