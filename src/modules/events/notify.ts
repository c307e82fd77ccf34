// Sends the waiting notices of a channel as one message, with retries for up to a day.

import { type Db, transaction } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import { enqueueIn } from '../../core/jobs.ts'
import { MailFailed } from '../../core/mail.ts'
import { OutboundFailed } from '../../core/outbound-errors.ts'
import { membersAmong } from '../access/service.ts'
import type { Parts } from '../context.ts'
import { pauseAfter } from './backoff.ts'
import { NOTIFY_TASK } from './relay.ts'
import * as store from './store-notices.ts'
import { asMail, asSlack, asTeams, type Words, wordsOf } from './words.ts'

const TIMEOUT = 8_000
const LARGEST_ANSWER = 1024 * 1024
const MOST_READ = 500

type Notifying = Pick<Parts, 'keyring' | 'outbound' | 'mailer' | 'config' | 'log'> & { db: Db }

/** A channel's destination, in the form that is encrypted. */
export type ChannelTarget = { emails: string[] } | { url: string }

export const channelPlace = (companyId: Id, id: Id) => ({
  companyId,
  table: 'notification_channel',
  row: id,
  column: 'sealed',
})

export const openTarget = async (
  { db, keyring }: Pick<Notifying, 'db' | 'keyring'>,
  { companyId, id, bytes, keyVersion }: Pick<store.Speaker, 'companyId' | 'id' | 'bytes' | 'keyVersion'>,
): Promise<ChannelTarget> => JSON.parse(await keyring.unseal(db, channelPlace(companyId, id), { bytes, keyVersion }))

/** Sends what is waiting, or schedules it for later. Safe to run twice. */
export async function sendNotifications(parts: Notifying, companyId: Id, id: Id, isDigest: boolean): Promise<void> {
  const { db, config } = parts
  const speaker = await store.findSpeaker(db, companyId, id)
  if (speaker === null) return
  if (speaker.heldSeconds > 0) return comeBack(db, companyId, id, isDigest, speaker.heldSeconds)
  const counts = await store.countWaiting(db, speaker, isDigest)
  const [first] = counts
  if (first === undefined) return
  const notices = Map.groupBy(await store.listWaiting(db, speaker, isDigest, MOST_READ), ({ topic }) => topic)
  const sections = counts.map(({ topic, count }) => ({ topic, count, notices: notices.get(topic) ?? [] }))
  const failure = await speak(parts, speaker, wordsOf(speaker, isDigest, sections, config))
  if (failure === null) return store.recordSent(db, speaker, isDigest, first.last)
  const hold = pauseAfter(speaker.failures + 1)
  await store.recordFailure(db, speaker, failure, hold)
  await comeBack(db, companyId, id, isDigest, hold)
}

const comeBack = (db: Db, companyId: Id, id: Id, isDigest: boolean, seconds: number): Promise<void> =>
  transaction(db, (trx) =>
    enqueueIn(
      trx,
      seconds,
      NOTIFY_TASK,
      { companyId, id, isDigest },
      `notify ${companyId}/${id}${isDigest ? ' digest' : ''}`,
    ),
  )

/** Sends a message to the channel's destination; returns why it could not be sent, or null. */
export async function speak(parts: Notifying, speaker: store.Speaker, words: Words): Promise<string | null> {
  const target = await openTarget(parts, speaker)
  try {
    if ('emails' in target) return await mail(parts, speaker.companyId, target.emails, words)
    const body = JSON.stringify(speaker.type === 'SLACK' ? asSlack(words) : asTeams(words))
    const headers = { 'content-type': 'application/json' }
    const asked = { method: 'POST', headers, body, largest: LARGEST_ANSWER, timeout: TIMEOUT } as const
    const { status } = await parts.outbound.call(target.url, asked)
    return status >= 200 && status < 300 ? null : `The address answered ${status}`
  } catch (error) {
    if (error instanceof OutboundFailed || error instanceof MailFailed) return error.message
    throw error
  }
}

/** Does not write to people who have left the company meanwhile. */
async function mail({ db, mailer }: Notifying, companyId: Id, emails: readonly string[], words: Words) {
  if (mailer === null) return 'This installation sends no mail: MERLON_SMTP_URL is not set'
  const to = await membersAmong(db, companyId, emails)
  if (to.length === 0) return 'None of the addresses is a member of the company any more'
  await mailer.send({ to, subject: words.subject, text: asMail(words) })
  return null
}
