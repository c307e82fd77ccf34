// The SQL of dynamic scans: what a run is to scan, its progress, its findings, and which hosts belong to an asset.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import { seenBy } from '../access/service.ts'
import type { Viewer } from '../context.ts'

export type RunKey = { companyId: Id; scanId: Id }

export type Standing = RunKey & {
  targetUrl: string
  phase: string | null
  done: number
  of: number
  requests: number
  operations: number
  /** severity → how many */
  findings: Record<string, number>
  ending: string | null
  skipped: { operation: string; reason: string }[]
  notes: string[]
}

export async function findStandings(db: Db, viewer: Viewer, scanIds: readonly Id[]): Promise<Standing[]> {
  const { rows } = await sql<Standing>`
    select company_id as "companyId", scan_id as "scanId", target_url as "targetUrl", phase, done, of, requests, operations,
      findings, ending, skipped, notes
    from dynamic_scan where scan_id = any(${scanIds}::bigint[]) and ${seenBy(viewer, 'dynamic_scan.company_id')}`.execute(
    db,
  )
  return rows
}

/** What one writes when a run starts; `startedBy` null: nobody who is still there. */
export async function insertDynamicRun(
  trx: Trx,
  { companyId, scanId }: RunKey,
  targetUrl: string,
  startedBy: Id | null,
): Promise<void> {
  await sql`insert into dynamic_scan (company_id, scan_id, target_url, started_by)
    values (${companyId}, ${scanId}, ${targetUrl}, ${startedBy})`.execute(trx)
}

export type Claimed = RunKey & { targetUrl: string; startedBy: Id | null; attempts: number }

/** Begins, or begins again, a run; null for one that has ended or is gone. */
export async function claimRun(db: Db, { companyId, scanId }: RunKey): Promise<Claimed | null> {
  const { rows } = await sql<Claimed>`
    update dynamic_scan set attempts = attempts + 1, phase = null, done = 0, of = 0, requests = 0, operations = 0, findings = '{}'
    where company_id = ${companyId} and scan_id = ${scanId} and ending is null
    returning company_id as "companyId", scan_id as "scanId", target_url as "targetUrl", started_by as "startedBy",
      attempts`.execute(db)
  return rows[0] ?? null
}

/** The beginning of a run that gave way does not count: it met no fault. */
export const uncountBeginning = (trx: Trx, { companyId, scanId }: RunKey): Promise<unknown> =>
  sql`update dynamic_scan set attempts = attempts - 1 where company_id = ${companyId} and scan_id = ${scanId}`.execute(
    trx,
  )

export type Progress = Pick<Standing, 'phase' | 'done' | 'of' | 'requests' | 'operations' | 'findings'>

/** Writes how far the run is where it is further, and returns its state: CANCELED when somebody ended it. */
export async function noteProgress(db: Db, { companyId, scanId }: RunKey, progress: Progress): Promise<string | null> {
  const { phase, done, of, requests, operations } = progress
  const findings = JSON.stringify(progress.findings)
  const { rows } = await sql<{ status: string }>`
    with noted as (
      update dynamic_scan
      set phase = ${phase}, done = ${done}, of = ${of}, requests = ${requests}, operations = ${operations},
        findings = ${findings}::jsonb
      where company_id = ${companyId} and scan_id = ${scanId} and (phase, done, of, requests, operations, findings)
        is distinct from (${phase}::text, ${done}::int, ${of}::int, ${requests}::int, ${operations}::int, ${findings}::jsonb))
    select status from scan where company_id = ${companyId} and id = ${scanId}`.execute(db)
  return rows[0]?.status ?? null
}

type Ended = Pick<Standing, 'ending' | 'requests' | 'operations' | 'skipped' | 'notes' | 'findings'>

export async function endStanding(trx: Trx, { companyId, scanId }: RunKey, ended: Ended): Promise<void> {
  await sql`
    update dynamic_scan set ending = ${ended.ending}, requests = ${ended.requests}, operations = ${ended.operations},
      skipped = ${JSON.stringify(ended.skipped)}::jsonb, notes = ${ended.notes}, findings = ${JSON.stringify(ended.findings)}::jsonb, phase = null
    where company_id = ${companyId} and scan_id = ${scanId}`.execute(trx)
}

type Sightings = {
  companyId: Id
  assetId: Id
  depth: number
  /** how many identities the scan had */
  identities: number
  seen: readonly { fingerprint: string; place: string }[]
  /** what was asked everything that this depth asks; with the checks that did where not all of them came to it */
  covered: readonly { place: string; checks: readonly string[] | null }[]
  /** checks that had all that they need */
  looked: readonly string[]
}

/** Scans in a row that must not see a finding before it is closed. */
const CLEAN_SCANS = 2

/** Keeps what was seen and what was not, and returns the findings that were not seen often enough to be closed. */
export async function noteSightings(
  trx: Trx,
  { companyId, assetId, depth, identities, seen, covered, looked }: Sightings,
): Promise<Id[]> {
  const fingerprints = seen.map(({ fingerprint }) => fingerprint)
  const whole = covered.filter(({ checks }) => checks === null).map(({ place }) => place)
  const inPart = covered.flatMap(({ place, checks }) => (checks ?? []).map((check) => `${check} ${place}`))
  await sql`
    insert into dynamic_finding (company_id, asset_id, fingerprint, operation, depth, identities)
    select ${companyId}::bigint, ${assetId}::bigint, fingerprint, min(place), ${depth}, ${identities}
    from unnest(${fingerprints}::text[], ${seen.map(({ place }) => place)}::text[]) as seen (fingerprint, place)
    group by fingerprint
    on conflict (company_id, asset_id, fingerprint) do update
      set operation = excluded.operation, clean_scans = 0, depth = least(dynamic_finding.depth, excluded.depth),
        identities = least(dynamic_finding.identities, excluded.identities)`.execute(trx)
  await sql`
    update dynamic_finding set clean_scans = clean_scans + 1
    where company_id = ${companyId} and asset_id = ${assetId} and depth <= ${depth} and identities <= ${identities}
      and fingerprint <> all(${fingerprints}::text[])
      and exists (select from finding
        where finding.company_id = ${companyId} and finding.asset_id = ${assetId} and finding.type = 'DAST_FINDING'
          and finding.fingerprint = dynamic_finding.fingerprint and finding.rule = any(${looked}::text[])
          and (dynamic_finding.operation = any(${whole}::text[])
            or finding.rule || ' ' || dynamic_finding.operation = any(${inPart}::text[])))`.execute(trx)
  const { rows } = await sql<{ id: Id }>`
    select finding.id from dynamic_finding
    join finding on finding.company_id = ${companyId} and finding.asset_id = ${assetId} and finding.type = 'DAST_FINDING'
      and finding.fingerprint = dynamic_finding.fingerprint
    where dynamic_finding.company_id = ${companyId} and dynamic_finding.asset_id = ${assetId}
      and clean_scans >= ${CLEAN_SCANS}`.execute(trx)
  return rows.map(({ id }) => id)
}

export type Target = {
  companyId: Id
  assetId: Id
  host: string
  token: string
  verifiedBy: 'FILE' | 'DNS' | 'ADMINISTRATOR' | null
  verifiedAt: string | null
}

const targetColumns = sql`company_id as "companyId", asset_id as "assetId", host, token, verified_by as "verifiedBy",
  verified_at as "verifiedAt"`

/** The asset's record of the host, made where there is none with this token. */
export async function ensureTarget(
  db: Db,
  target: Pick<Target, 'companyId' | 'assetId' | 'host' | 'token'>,
): Promise<Target> {
  const known = await findTarget(db, target)
  if (known) return known
  const { companyId, assetId, host, token } = target
  await sql`insert into scan_target (company_id, asset_id, host, token) values (${companyId}, ${assetId}, ${host}, ${token})
    on conflict do nothing`.execute(db)
  const made = await findTarget(db, target)
  if (!made) throw new Error('A row that was just made is there')
  return made
}

type TargetKey = Pick<Target, 'companyId' | 'assetId' | 'host'>

async function findTarget(db: Db, { companyId, assetId, host }: TargetKey): Promise<Target | null> {
  const { rows } = await sql<Target>`
    select ${targetColumns} from scan_target
    where company_id = ${companyId} and asset_id = ${assetId} and host = ${host}`.execute(db)
  return rows[0] ?? null
}

export async function verifyTarget(
  trx: Trx,
  { companyId, assetId, host }: TargetKey,
  by: Target['verifiedBy'],
): Promise<void> {
  await sql`update scan_target set verified_by = ${by}, verified_at = now()
    where company_id = ${companyId} and asset_id = ${assetId} and host = ${host}`.execute(trx)
}
