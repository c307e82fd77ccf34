// The SQL of dynamic scans: what a run is to scan, how it stands, what it found, and which hosts belong to an asset.

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

export type Claimed = RunKey & {
  assetId: Id
  targetUrl: string
  attempts: number
  schemaKey: string | null
  schemaName: string | null
  schemaUrl: string | null
  apiFormat: 'OPENAPI' | 'GRAPHQL' | 'SOAP' | null
  profile: 'BASIC' | 'BALANCED' | 'DEEP'
  includePaths: string[]
  excludePaths: string[]
  requestsPerSecond: number | null
  mostRequests: number | null
  mostMinutes: number | null
  secretIds: Id[]
  secondSecretIds: Id[]
  /** in whose name findings are written: who started it, or an owner of the company */
  userId: Id | null
  email: string | null
  name: string | null
}

/** Begins, or begins again, a run; null for one that has ended or is gone, or whose configuration is. */
export async function claimRun(db: Db, { companyId, scanId }: RunKey): Promise<Claimed | null> {
  const { rows } = await sql<Claimed>`
    with claimed as (
      update dynamic_scan set attempts = attempts + 1, phase = null, done = 0, of = 0, requests = 0, findings = '{}'
      where company_id = ${companyId} and scan_id = ${scanId} and ending is null
      returning target_url, attempts, started_by)
    select scan.company_id as "companyId", scan.id as "scanId", scan.asset_id as "assetId",
      claimed.target_url as "targetUrl", attempts, file.object_key as "schemaKey", file.filename as "schemaName",
      c.api_schema_url as "schemaUrl", c.api_format as "apiFormat", c.scan_profile as profile,
      c.include_paths as "includePaths", c.exclude_paths as "excludePaths", c.requests_per_second as "requestsPerSecond",
      c.most_requests as "mostRequests", c.most_minutes as "mostMinutes",
      array(select secret_id from scanner_configuration_secret s where s.company_id = c.company_id
        and s.configuration_id = c.id and not is_second order by secret_id) as "secretIds",
      array(select secret_id from scanner_configuration_secret s where s.company_id = c.company_id
        and s.configuration_id = c.id and is_second order by secret_id) as "secondSecretIds",
      portal_user.id as "userId", email, portal_user.name
    from claimed
    join scan on scan.company_id = ${companyId} and scan.id = ${scanId}
    join scanner_configuration c on c.company_id = scan.company_id and c.asset_id = scan.asset_id
    left join stored_object file on file.company_id = c.company_id and file.id = c.api_schema_object_id
    left join portal_user on portal_user.id = coalesce(claimed.started_by, (
      select min(user_id) from membership where company_id = ${companyId} and role = 'OWNER'))`.execute(db)
  return rows[0] ?? null
}

export type Progress = Pick<Standing, 'phase' | 'done' | 'of' | 'requests' | 'findings'>

/** Writes how far the run is, and answers with its state: CANCELED when somebody ended it. */
export async function noteProgress(db: Db, { companyId, scanId }: RunKey, progress: Progress): Promise<string | null> {
  const { rows } = await sql<{ status: string }>`
    with noted as (
      update dynamic_scan set phase = ${progress.phase}, done = ${progress.done}, of = ${progress.of},
        requests = ${progress.requests}, findings = ${JSON.stringify(progress.findings)}::jsonb
      where company_id = ${companyId} and scan_id = ${scanId})
    select status from scan where company_id = ${companyId} and id = ${scanId}`.execute(db)
  return rows[0]?.status ?? null
}

export type Ended = Pick<Standing, 'ending' | 'requests' | 'operations' | 'skipped' | 'notes' | 'findings'>

export async function endStanding(trx: Trx, { companyId, scanId }: RunKey, ended: Ended): Promise<void> {
  await sql`
    update dynamic_scan set ending = ${ended.ending}, requests = ${ended.requests}, operations = ${ended.operations},
      skipped = ${JSON.stringify(ended.skipped)}::jsonb, notes = ${ended.notes}, findings = ${JSON.stringify(ended.findings)}::jsonb, phase = null
    where company_id = ${companyId} and scan_id = ${scanId}`.execute(trx)
}

export type Sightings = {
  companyId: Id
  assetId: Id
  depth: number
  seen: readonly { fingerprint: string; operation: string }[]
  /** operations that were asked everything that this depth asks */
  covered: readonly string[]
}

/** Scans in a row that must not see a finding before it is closed. */
const CLEAN_SCANS = 2

/** Keeps what was seen and what was not, and answers with the findings that were not seen often enough to be closed. */
export async function noteSightings(trx: Trx, { companyId, assetId, depth, seen, covered }: Sightings): Promise<Id[]> {
  const fingerprints = seen.map(({ fingerprint }) => fingerprint)
  await sql`
    insert into dynamic_finding (company_id, asset_id, fingerprint, operation, depth)
    select ${companyId}::bigint, ${assetId}::bigint, fingerprint, min(operation), ${depth}
    from unnest(${fingerprints}::text[], ${seen.map(({ operation }) => operation)}::text[]) as seen (fingerprint, operation)
    group by fingerprint
    on conflict (company_id, asset_id, fingerprint) do update
      set operation = excluded.operation, clean_scans = 0, depth = least(dynamic_finding.depth, excluded.depth)`.execute(
    trx,
  )
  await sql`
    update dynamic_finding set clean_scans = clean_scans + 1
    where company_id = ${companyId} and asset_id = ${assetId} and depth <= ${depth}
      and operation = any(${covered}::text[]) and fingerprint <> all(${fingerprints}::text[])`.execute(trx)
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
  const { companyId, assetId, host, token } = target
  await sql`insert into scan_target (company_id, asset_id, host, token) values (${companyId}, ${assetId}, ${host}, ${token})
    on conflict do nothing`.execute(db)
  const { rows } = await sql<Target>`
    select ${targetColumns} from scan_target
    where company_id = ${companyId} and asset_id = ${assetId} and host = ${host}`.execute(db)
  const [found] = rows
  if (!found) throw new Error('A row that was just made is there')
  return found
}

export async function verifyTarget(
  trx: Trx,
  { companyId, assetId, host }: Pick<Target, 'companyId' | 'assetId' | 'host'>,
  by: Target['verifiedBy'],
): Promise<void> {
  await sql`update scan_target set verified_by = ${by}, verified_at = now()
    where company_id = ${companyId} and asset_id = ${assetId} and host = ${host}`.execute(trx)
}

export type Scheduled = { companyId: Id; assetId: Id; schedule: string; scheduledBy: Id | null }

/** Assets that are scanned by the clock and were not looked at in this minute. */
export async function findScheduled(db: Db): Promise<Scheduled[]> {
  const { rows } = await sql<Scheduled>`
    select company_id as "companyId", asset_id as "assetId", schedule, scheduled_by as "scheduledBy"
    from scanner_configuration
    where schedule is not null and target_url is not null
      and (scheduled_at is null or scheduled_at < date_trunc('minute', now()))`.execute(db)
  return rows
}

/** False when another worker took this minute. */
export async function takeMinute(
  trx: Trx,
  { companyId, assetId }: Pick<Scheduled, 'companyId' | 'assetId'>,
): Promise<boolean> {
  const { rows } = await sql`
    update scanner_configuration set scheduled_at = date_trunc('minute', now())
    where company_id = ${companyId} and asset_id = ${assetId}
      and (scheduled_at is null or scheduled_at < date_trunc('minute', now()))
    returning 1`.execute(trx)
  return rows.length > 0
}
