// Events while the server is killed: every committed change is reported, in order for each object, and nothing else is.

import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { openReceiver, type Received } from '../testkit/receiver.ts'
import { type Access, run } from './client.ts'
import { newJournal, startLoad } from './load.ts'
import { newPlace, type Place, somePort, startServer } from './server.ts'
import { type Follower, follow } from './subscriber.ts'
import { newHome, type Write } from './writes.ts'

/** One in this many deliveries is refused, so that it is retried. */
const REFUSED_OF = 50
/** milliseconds until jobs of a dead worker are given to another, and everything is sent */
const MOST_WAITED = 180_000

/** Writes that cause an event. */
const told: ReadonlySet<Write['kind']> = new Set(['finding', 'batch', 'status', 'deploy', 'import'])

const environment = { MERLON_OUTBOUND_ALLOW: 'http://127.0.0.1' }

type EventsResult = { faults: string[]; events: number; deliveries: number; received: number }

/** Kills the server `rounds` times while six clients write, and a webhook and a subscriber receive the events. */
export async function killWhileTelling(rounds: number, underLoad = 700): Promise<EventsResult> {
  const place = await newPlace()
  const port = await somePort()
  const receiver = await openReceiver(() => (randomInt(REFUSED_OF) === 0 ? 503 : 204))
  let server = await startServer(place, { port, environment })
  const access: Access = { url: server.url, key: server.key }
  const follower = follow(access)
  try {
    const home = await newHome(access)
    await createWebhook(access, home.companyId, receiver.url)
    await follower.start(home.companyId)
    for (let round = 0; round < rounds; round += 1) {
      const load = startLoad(home, 6, newJournal())
      await delay(underLoad + randomInt(underLoad))
      await load.acknowledges(({ kind }) => told.has(kind))
      await server.end('SIGKILL')
      await load.stop()
      server = await startServer(place, { port, environment })
    }
    return await judge(place, home.companyId, receiver.received, follower)
  } finally {
    follower.end()
    await server.end('SIGTERM')
    await receiver.close()
    await place.remove()
  }
}

const createWebhook = (access: Access, companyId: string, url: string) =>
  run(access, 'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id } } }', {
    input: { companyId, url, kinds: ['*'] },
  })

async function judge(
  place: Place,
  companyId: string,
  received: readonly Received[],
  follower: Follower,
): Promise<EventsResult> {
  const client = await place.connect()
  try {
    const unsent = await awaitSent(client)
    const { rows: events } = await client.query<{ sequence: number; kind: string; object: string }>(
      `select sequence::float8 as sequence, kind, split_part(kind, '.', 1) || ' ' || object_id as object from event
       where company_id = $1 and kind not like 'delivery.%' order by sequence`,
      [companyId],
    )
    await follower.reach(events.filter(({ kind }) => kind.startsWith('issue.')).at(-1)?.sequence ?? 0)
    const faults = [
      ...unsent,
      ...(await findUntold(client)),
      ...findUnsent(events, received),
      ...findDisorder(received),
      ...findUnfollowed(events, follower.sequences),
    ]
    const ids = new Set(received.map(({ headers }) => headers['webhook-id']))
    return { faults, events: events.length, deliveries: ids.size, received: received.length }
  } finally {
    await client.end()
  }
}

/** Waits until nothing is left to relay or send; deliveries that wait for a retry are sent at once. */
async function awaitSent(client: Client): Promise<string[]> {
  let left: Record<string, number> = {}
  for (const end = performance.now() + MOST_WAITED; performance.now() < end; await delay(500)) {
    await client.query(
      `update webhook_delivery set next_attempt_at = now() where state = 'PENDING' and next_attempt_at > now()`,
    )
    await client.query('update webhook set held_until = null where held_until is not null')
    await client.query(
      `select graphile_worker.add_job('look-after-deliveries', job_key => 'look-after-deliveries')
       where exists (select from webhook_delivery where state = 'PENDING')`,
    )
    const { rows } = await client.query<Record<string, number>>(
      `select (select count(*) from outbox)::int as outbox,
        (select count(*) from webhook_delivery where state = 'PENDING')::int as deliveries,
        (select count(*) from import where finished_at is null)::int as imports,
        (select count(*) from deploy_review where finished_at is null)::int as reviews`,
    )
    left = rows[0] ?? {}
    if (Object.values(left).every((count) => count === 0)) return []
  }
  return [`Not everything was relayed and sent within ${MOST_WAITED} ms: ${JSON.stringify(left)} are left`]
}

/** Objects whose events differ from their history, in either direction or in order. */
async function findUntold(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ fault: string }>(
    `with happened as (
       select company_id, issue_id as id, 'issue' as thing, array_agg('issue.' || lower(action) order by id) as kinds
       from issue_event group by company_id, issue_id
       union all select company_id, id, 'deploy', array['deploy.created'] from deploy
       union all select company_id, id, 'scan', array_remove(array['scan.created',
         case when started_at is not null then 'scan.running' end,
         case when finished_at is not null then 'scan.' || lower(status::text) end], null) from scan
     ), told as (
       select company_id, object_id as id, split_part(kind, '.', 1) as thing, array_agg(kind order by sequence) as kinds
       from event where kind like 'issue.%' or kind like 'deploy.%' or kind like 'scan.%'
       group by company_id, object_id, split_part(kind, '.', 1)
     )
     select coalesce(happened.thing, told.thing) || ' ' || id || ' had ' || coalesce(happened.kinds::text, 'nothing')
       || ' and was told as ' || coalesce(told.kinds::text, 'nothing') as fault
     from happened full join told using (company_id, id, thing)
     where happened.kinds is distinct from
       (select array_agg(kind) from unnest(told.kinds) as kind where kind not in ('deploy.gate_blocked', 'deploy.gate_passed'))
     union all
     select 'import ' || id || ' ' || status || ' was told as ' || coalesce(told.kinds::text, 'nothing')
     from import left join lateral (
       select array_agg(kind order by sequence) as kinds from event
       where company_id = import.company_id and object_id = import.id and kind like 'import.%') as told on true
     where told.kinds[1] is distinct from 'import.created'
       or told.kinds[array_upper(told.kinds, 1)] is distinct from 'import.' || lower(status)`,
  )
  return rows.map(({ fault }) => fault)
}

type Told = { sequence: number; object: string }

function findUnsent(events: readonly Told[], received: readonly Received[]): string[] {
  const ids = new Set(received.map(({ headers }) => String(headers['webhook-id'])))
  const known = new Set(events.map(({ sequence }) => `evt_${sequence}`))
  return [
    ...[...known].filter((id) => !ids.has(id)).map((id) => `${id} was not sent to the webhook`),
    ...[...ids].filter((id) => !known.has(id)).map((id) => `${id} was sent and is no event`),
  ]
}

/** Each object's events must first be sent in order; retries may come later. */
function findDisorder(received: readonly Received[]): string[] {
  const last = new Map<string, number>()
  const seen = new Set<string>()
  const faults: string[] = []
  for (const { headers, message } of received) {
    const id = String(headers['webhook-id'])
    if (seen.has(id)) continue
    seen.add(id)
    const object = `${message.type.split('.')[0]} ${message.data.id}`
    const sequence = Number(id.slice('evt_'.length))
    if (sequence < (last.get(object) ?? 0)) faults.push(`${id} of ${object} was sent after evt_${last.get(object)}`)
    last.set(object, sequence)
  }
  return faults
}

/** The subscriber resumed from its last cursor each time, so it must have seen every issue event once and in order. */
function findUnfollowed(events: readonly (Told & { kind: string })[], followed: readonly number[]): string[] {
  const expected = events.filter(({ kind }) => kind.startsWith('issue.')).map(({ sequence }) => sequence)
  const at = expected.findIndex((sequence, index) => sequence !== followed[index])
  if (at < 0 && followed.length === expected.length) return []
  return [
    `The subscriber saw ${followed[Math.max(at, 0)]} where evt_${expected[Math.max(at, 0)]} was next, ${followed.length} of ${expected.length}`,
  ]
}

export async function runTrial(rounds: number): Promise<string[]> {
  const { faults, events, deliveries, received } = await killWhileTelling(rounds)
  console.log(
    `${rounds} kills: ${events} events, ${deliveries} of them received by the webhook in ${received} requests; ${faults.length} faults`,
  )
  return faults
}
