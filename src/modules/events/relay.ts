// The relay: puts committed events in order and triggers everything that follows from them; one node at a time runs it.

import { setTimeout as delay } from 'node:timers/promises'
import { type Db, transaction } from '../../core/db/open.ts'
import { enqueue, enqueueIn } from '../../core/jobs.ts'
import type { Log } from '../../core/log.ts'
import type { Upward } from '../context.ts'
import { FEED_CHANNEL } from './feed.ts'
import { hasOutbox, holdRelay, notifyNodes, type Relayed, relaySome } from './store-relay.ts'

/** Milliseconds between two polls of an empty outbox, and after a failure. */
const PAUSE = 150
const PAUSE_AFTER_FAILURE = 1_000

/** Seconds for which events of one kind are collected before they trigger a job. */
const BEFORE_NOTIFYING = 10
const BEFORE_JUDGING = 2

export const DELIVER_TASK = 'deliver-webhook'
export const NOTIFY_TASK = 'send-notifications'
export const JUDGE_TASK = 'judge-deploy'
export const JUDGE_ALL_TASK = 'judge-deploys'

/** Up to this many deploys of an asset are judged by a job each; for more, one job judges all deploys of the asset. */
const MOST_BY_THEMSELVES = 50

/**
 * One step of the relay. Returns the number of events relayed, or null if another node is the relay. Events, deliveries and jobs are
 * written together or not at all.
 */
const relayOnce = (db: Db, follow: Upward['followEvents']): Promise<number | null> =>
  transaction(db, async (trx) => {
    if (!(await holdRelay(trx))) return null
    const relayed = await relaySome(trx)
    const { count, companies, webhooks, channels } = relayed
    for (const { companyId, id } of webhooks) await wakeWebhook(trx, companyId, id)
    for (const { companyId, id } of channels) {
      const payload = { companyId, id, isDigest: false }
      await enqueueIn(trx, BEFORE_NOTIFYING, NOTIFY_TASK, payload, `notify ${companyId}/${id}`)
    }
    await askForVerdicts(trx, relayed)
    if (count > 0) await notifyNodes(trx, FEED_CHANNEL, companies)
    if (count > 0) await follow(trx, companies)
    return count
  })

type Enqueuing = Parameters<typeof enqueue>[0]

async function askForVerdicts(trx: Enqueuing, { deploys, judged }: Relayed): Promise<void> {
  const ofAssets = [...Map.groupBy(deploys, ({ companyId, assetId }) => `${companyId}/${assetId}`).values()]
  const many = ofAssets.filter(({ length }) => length > MOST_BY_THEMSELVES).flatMap(([first]) => first ?? [])
  for (const { companyId, id } of ofAssets.filter(({ length }) => length <= MOST_BY_THEMSELVES).flat()) {
    await enqueueIn(trx, BEFORE_JUDGING, JUDGE_TASK, { companyId, id }, `judge ${companyId}/${id}`)
  }
  for (const { companyId, assetId } of [...judged, ...many]) {
    const key = `judge ${companyId}/all of ${assetId ?? 'all'}`
    await enqueueIn(trx, BEFORE_JUDGING, JUDGE_ALL_TASK, { companyId, assetId }, key)
  }
}

const nameOf = (companyId: string, id: string) => `webhook ${companyId}/${id}`

/** Enqueues the job that sends a webhook's waiting deliveries. */
export const wakeWebhook = (trx: Enqueuing, companyId: string, id: string): Promise<void> =>
  enqueue(trx, DELIVER_TASK, { companyId, id }, nameOf(companyId, id), nameOf(companyId, id))

/** As wakeWebhook, after so many seconds, unless a job is enqueued already. */
export const wakeWebhookIn = (trx: Enqueuing, seconds: number, companyId: string, id: string): Promise<void> =>
  enqueueIn(trx, seconds, DELIVER_TASK, { companyId, id }, nameOf(companyId, id), nameOf(companyId, id))

export type Relay = { stop(): Promise<void> }

/** Runs the relay until it is stopped, and notifies `followEvents`; waits for a database that is unavailable. */
export function startRelay(db: Db, log: Log, follow: Upward['followEvents']): Relay {
  const stopping = new AbortController()
  const wait = (milliseconds: number) => delay(milliseconds, undefined, { signal: stopping.signal }).catch(() => {})
  const relaying = async () => {
    while (!stopping.signal.aborted) {
      try {
        const told = (await hasOutbox(db)) ? await relayOnce(db, follow) : null
        if (told === null || told === 0) await wait(PAUSE)
      } catch (err) {
        if (stopping.signal.aborted) return
        log.warn({ err }, 'Events could not be relayed; another attempt follows')
        await wait(PAUSE_AFTER_FAILURE)
      }
    }
  }
  const running = relaying()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}
