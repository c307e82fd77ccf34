// The SQL of the relay: takes committed events from the outbox, numbers them in order, and queues them for webhooks and channels.

import { type RawBuilder, sql } from 'kysely'
import { byId } from '../../core/db/by-id.ts'
import { byKeys } from '../../core/db/by-keys.ts'
import type { Db, Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'

const RELAY_LOCK = 7_203_461_025

/** Events per step, of one company and in total, so that a large import does not delay other companies. */
const OF_COMPANY = 1000
const OF_ALL = 4000

export async function hasOutbox(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select exists (select from outbox) as found`.execute(db)
  return rows[0]?.found ?? false
}

/** Takes the relay's lock until the transaction ends; false if another node has it. */
export async function holdRelay(trx: Trx): Promise<boolean> {
  const { rows } = await sql<{
    held: boolean
  }>`select pg_try_advisory_xact_lock(${RELAY_LOCK}::bigint) as held`.execute(trx)
  return rows[0]?.held ?? false
}

/** The outcome of a step: the companies with new events, and what has something to send. */
export type Relayed = {
  count: number
  companies: Id[]
  webhooks: { companyId: Id; id: Id }[]
  channels: { companyId: Id; id: Id }[]
  /** deploys whose verdict may have changed */
  deploys: { companyId: Id; assetId: Id; id: Id }[]
  /** assets whose deploys must all be judged again; null: all assets of the company */
  judged: { companyId: Id; assetId: Id | null }[]
}

const NOTHING: Relayed = { count: 0, companies: [], webhooks: [], channels: [], deploys: [], judged: [] }

/** Takes events out of the outbox, some of each company, in the order of their ids. */
const taken = sql`
  waiting as (
    (select company_id from outbox order by company_id limit 1)
    union all
    select (select next.company_id from outbox as next where next.company_id > waiting.company_id
      order by next.company_id limit 1)
    from waiting where waiting.company_id is not null),
  picked as materialized (
    select mine.ctid from waiting cross join lateral (
      select ctid from outbox where company_id = waiting.company_id order by id limit ${OF_COMPANY}) as mine
    where waiting.company_id is not null limit ${OF_ALL}),
  -- by their addresses, which nobody else changes: the outbox is nearly always empty when its figures are made, and a join that is planned
  -- for that compares each that is picked with each that waits
  taken as (
    delete from outbox where ctid = any(array(select ctid from picked))
    returning outbox.*)`

/** Numbers them in order, and adds a summary of the finding that each is about. */
const told = sql`
  told as (
    insert into event (company_id, at, kind, object_id, data)
    select taken.company_id, taken.at, taken.kind, taken.object_id,
      coalesce(about.words, '{}') || taken.data
      || jsonb_build_object('companyId', taken.company_id::text, 'id', taken.object_id::text)
    from taken join company on company.id = taken.company_id and taken.kind <> 'gate.asked'
    -- each by its key: the planner takes what is taken for many times as much, and would read all findings for it
    left join lateral (
      select jsonb_build_object('assetId', finding.asset_id::text, 'assetName', asset.name, 'type', finding.type,
        'severity', finding.severity, 'title', left(finding.title, 300)) as words
      from ${byId(sql`finding`, sql`taken.company_id`, sql`taken.object_id`)} as finding
      cross join lateral ${byId(sql`asset`, sql`finding.company_id`, sql`finding.asset_id`)} as asset
      where taken.kind like 'issue.%' offset 0) as about on true
    order by taken.company_id, taken.id
    returning *)`

/** Queues them for the webhooks that subscribe to their kind. */
const queued = sql`
  queued as (
    insert into webhook_delivery (company_id, webhook_id, sequence, kind, object_id, message)
    select told.company_id, webhook.id, told.sequence, told.kind, told.object_id, jsonb_build_object('type', told.kind,
      'timestamp', to_char(told.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'data', told.data)
    from told join webhook on webhook.company_id = told.company_id and webhook.is_enabled
      and (told.kind = any(webhook.kinds) or split_part(told.kind, '.', 1) || '.*' = any(webhook.kinds) or '*' = any(webhook.kinds))
    where told.kind not like 'delivery.%'
    order by told.sequence, webhook.id
    returning company_id, webhook_id)`

/** Queues them for the notification channels that have a rule for their topic. */
const noted = sql`
  noted as (
    insert into notification (company_id, channel_id, topic, severity, is_digest, message)
    select told.company_id, channel.id, topic.name, (told.data ->> 'severity')::severity_category, rule.time = 'DAILY',
      jsonb_build_object('type', told.kind, 'data', told.data)
    from told
    join (values ('issue.sla_near', 'SLA_NEAR'), ('issue.sla_broken', 'SLA_BROKEN'), ('issue.known_exploited', 'KNOWN_EXPLOITED'),
      ('deploy.gate_blocked', 'GATE_BLOCKED'), ('integration.broken', 'INTEGRATION_BROKEN')) as topic (kind, name)
      on topic.kind = told.kind
    join notification_channel as channel on channel.company_id = told.company_id and channel.is_enabled
    cross join lateral (
      select rule ->> 'when' as time from jsonb_array_elements(channel.rules) as rule
      where rule ->> 'topic' = topic.name and (told.data ->> 'severity' is null
        or (told.data ->> 'severity')::severity_category >= (rule ->> 'minimumSeverity')::severity_category)
      order by rule ->> 'when' desc limit 1) as rule
    order by told.sequence
    returning company_id, channel_id, is_digest)`

/** What may change a verdict: events, and explicit requests for a new verdict. */
const news = sql`
  news as (
    select company_id, kind, object_id, data, (data ->> 'assetId')::bigint as asset_id from told
    union all select company_id, kind, object_id, data, (data ->> 'assetId')::bigint from taken where kind = 'gate.asked')`

/** The deploys that introduced or touched a finding, found as by byId. */
const deploysBringing = (companyId: RawBuilder<unknown>, issueId: RawBuilder<unknown>) => sql`(
  select deploy_id from deploy_finding where company_id = ${companyId} and issue_id between ${issueId} and ${issueId}
    and (is_introduced or disposition = 'TOUCHED') order by issue_id offset 0)`

/** The deploys to judge: new ones, those with newly reported findings, and those that introduced what changed or what a new one removed. */
const affected = sql`
  affected as (
    select company_id, asset_id, object_id as id from news where kind = 'deploy.created'
    union select company_id, asset_id, (data ->> 'deployId')::bigint from news
    where (kind like 'issue.%' or kind = 'import.succeeded') and data ? 'deployId'
    union select news.company_id, news.asset_id, brought.deploy_id
    from news cross join lateral ${deploysBringing(sql`news.company_id`, sql`news.object_id`)} as brought
    where news.kind like 'issue.%' or news.kind = 'gate.asked'
    union select news.company_id, news.asset_id, brought.deploy_id
    from news join deploy_finding as gone on gone.company_id = news.company_id and gone.deploy_id = news.object_id
      and gone.disposition = 'REMOVED'
    cross join lateral ${deploysBringing(sql`gone.company_id`, sql`gone.issue_id`)} as brought
    where news.kind = 'deploy.created')`

/**
 * The assets whose deploys must all be judged: after a report, which tells what is no longer on a branch, and after any change if a rule
 * counts findings that are open on the branch or unmerged.
 */
const judged = sql`
  judged as (
    select company_id, asset_id from news where kind = 'import.succeeded' or (kind = 'gate.asked' and object_id = 0)
    union select news.company_id, news.asset_id from news join gate_policy as policy on policy.company_id = news.company_id
      and (policy.asset_id is null or policy.asset_id = news.asset_id)
      and (policy.rules @> '[{"subject": "OPEN"}]' or policy.rules @> '[{"subject": "UNMERGED"}]')
    where news.kind like 'issue.%' or news.kind in ('gate.asked', 'deploy.created'))`

/**
 * One step, under the lock: events take their places in the order of their ids, company by company. By keys: its plan may have been made when
 * the tables were all but empty, and be kept until their figures are made anew.
 */
export const relaySome = (trx: Trx): Promise<Relayed> => byKeys(trx, () => relay(trx))

async function relay(trx: Trx): Promise<Relayed> {
  const { rows } = await sql<Relayed>`
    with recursive ${taken}, ${told}, ${queued}, ${noted}, ${news}, ${affected}, ${judged}
    select (select count(*)::int from told) as count,
      array(select distinct company_id::text from told) as companies,
      (select coalesce(jsonb_agg(distinct jsonb_build_object('companyId', company_id::text, 'id', webhook_id::text)), '[]')
       from queued) as webhooks,
      (select coalesce(jsonb_agg(distinct jsonb_build_object('companyId', company_id::text, 'id', channel_id::text)), '[]')
       from noted where not is_digest) as channels,
      (select coalesce(jsonb_agg(jsonb_build_object('companyId', company_id::text, 'assetId', asset_id::text, 'id', id::text)), '[]')
       from affected) as deploys,
      (select coalesce(jsonb_agg(jsonb_build_object('companyId', company_id::text, 'assetId', asset_id::text)), '[]')
       from judged) as judged`.execute(trx)
  return rows[0] ?? NOTHING
}

/** Notifies all nodes, on commit, of the companies with new events. */
export async function notifyNodes(trx: Trx, channel: string, companies: readonly Id[]): Promise<void> {
  const said = companies.join(' ')
  await sql`select pg_notify(${channel}, ${said.length < 7_000 ? said : '*'})`.execute(trx)
}
