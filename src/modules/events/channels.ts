// Notification channels: who may create, change and test them.

import { type Trx, transaction } from '../../core/db/open.ts'
import type { Page, PageRequest } from '../../core/db/page.ts'
import { badUserInput, failedPrecondition, notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { resealingColumn } from '../../core/resealing.ts'
import { readName } from '../../core/text.ts'
import { audit, authorize, authorizeRecord, membersByEmail } from '../access/service.ts'
import { type Context, load } from '../context.ts'
import { type ChannelTarget, channelPlace, openTarget, speak } from './notify.ts'
import * as store from './store-channels.ts'
import { findSpeaker, recordTest } from './store-notices.ts'
import { readUrl } from './webhooks.ts'

/** Per company. */
const MOST_CHANNELS = 20
const MOST_EMAILS = 50

const authorizeChannel = (context: Context, action: 'webhooks:read' | 'webhooks:write', id: Id) =>
  authorizeRecord(context, action, 'NotificationChannel', id, () => store.findChannel(context.db, context.viewer, id))

export async function listChannels(context: Context, companyId: Id, page: PageRequest): Promise<Page<store.Channel>> {
  await authorize(context, 'webhooks:read', companyId)
  return store.listChannels(context.db, companyId, page)
}

/** The input of a channel; null leaves a field unchanged. */
type GivenChannel = {
  name: string | null
  emails: readonly string[] | null
  url: string | null
  rules: readonly store.Rule[] | null
  digestHour: number | null
  isEnabled: boolean | null
}

type Before = store.ChannelWrite

function readGiven(given: GivenChannel, before: Before): store.ChannelWrite {
  const name = readName(given.name ?? before.name, 'input.name', 200)
  const digestHour = given.digestHour ?? before.digestHour
  const rules = given.rules ?? before.rules
  if (digestHour < 0 || digestHour > 23) throw badUserInput('digestHour is from 0 to 23', 'input.digestHour')
  if (rules.length > store.topics.length * 2) throw badUserInput('Each topic needs one rule', 'input.rules')
  return { name, digestHour, rules: [...rules], isEnabled: given.isEnabled ?? before.isEnabled }
}

/** The channel's destination; null if the input has none. */
async function readTarget(
  context: Context,
  companyId: Id,
  type: store.ChannelType,
  { emails, url }: GivenChannel,
): Promise<ChannelTarget | null> {
  if (type === 'EMAIL') {
    if (url !== null) throw badUserInput('A mail channel takes emails, not a url', 'input.url')
    if (emails === null) return null
    if (context.mailer === null) {
      throw failedPrecondition('This installation sends no mail: its operator has not set MERLON_SMTP_URL')
    }
    if (emails.length === 0 || emails.length > MOST_EMAILS) {
      throw badUserInput(`emails has 1 to ${MOST_EMAILS} addresses`, 'input.emails')
    }
    const members = await membersByEmail(context, companyId, emails, 'input.emails')
    return { emails: members.map(({ email }) => email) }
  }
  if (emails !== null) throw badUserInput(`A ${type} channel takes a url, not emails`, 'input.emails')
  return url === null ? null : { url: readUrl(context, url, 'input.url') }
}

const told = ({ type, name, rules, digestHour, isEnabled }: store.Channel) => ({
  type,
  name,
  rules,
  digestHour,
  isEnabled,
})

export async function createChannel(
  context: Context,
  companyId: Id,
  type: store.ChannelType,
  given: GivenChannel,
): Promise<store.Channel> {
  await authorize(context, 'webhooks:write', companyId)
  const write = readGiven(given, { name: '', rules: [], digestHour: 6, isEnabled: true })
  const target = await readTarget(context, companyId, type, given)
  if (target === null) {
    const needed = type === 'EMAIL' ? 'emails' : 'url'
    throw badUserInput(`A ${type} channel needs ${needed}`, `input.${needed}`)
  }
  return transaction(context.db, async (trx) => {
    if ((await store.countChannels(trx, companyId)) >= MOST_CHANNELS) {
      throw failedPrecondition(`The company has ${MOST_CHANNELS} channels, the maximum`)
    }
    const id = await store.nextChannelId(trx)
    const sealed = await context.keyring.seal(trx, channelPlace(companyId, id), JSON.stringify(target))
    const row = { ...write, companyId, id, type, createdById: context.viewer.userId }
    const channel = await store.insertChannel(trx, row, sealed)
    await audit(trx, context, { companyId, object: `NotificationChannel ${id}`, after: told(channel) })
    return channel
  })
}

export async function updateChannel(context: Context, id: Id, given: GivenChannel): Promise<store.Channel> {
  const { companyId, type } = await authorizeChannel(context, 'webhooks:write', id)
  const target = await readTarget(context, companyId, type, given)
  return transaction(context.db, async (trx) => {
    const before = await requireLocked(trx, companyId, id)
    const write = readGiven(given, before)
    const sealed = target && (await context.keyring.seal(trx, channelPlace(companyId, id), JSON.stringify(target)))
    const after = await store.updateChannel(trx, before, write, sealed)
    await audit(trx, context, {
      companyId,
      object: `NotificationChannel ${id}`,
      before: told(before),
      after: { ...told(after), targetReplaced: target !== null },
    })
    return after
  })
}

export async function deleteChannel(context: Context, id: Id): Promise<Id> {
  const { companyId } = await authorizeChannel(context, 'webhooks:write', id)
  return transaction(context.db, async (trx) => {
    const before = await requireLocked(trx, companyId, id)
    await store.deleteChannel(trx, before)
    await audit(trx, context, { companyId, object: `NotificationChannel ${id}`, before: told(before) })
    return id
  })
}

async function requireLocked(trx: Trx, companyId: Id, id: Id): Promise<store.Channel> {
  const channel = await store.lockChannel(trx, companyId, id)
  if (!channel) throw notFound('NotificationChannel', id)
  return channel
}

/** Sends a test message, and records the outcome with the channel; returns why it could not be sent, or null. */
export async function testChannel(context: Context, id: Id): Promise<string | null> {
  const { companyId } = await authorizeChannel(context, 'webhooks:write', id)
  await transaction(context.db, (trx) =>
    audit(trx, context, { companyId, object: `NotificationChannel ${id}`, after: { tested: true } }),
  )
  const speaker = await findSpeaker(context.db, companyId, id)
  if (speaker === null) throw failedPrecondition('The channel is disabled')
  const line = { text: 'Test message: Merlon can post here.', url: null }
  const sections = [{ title: 'A test', lines: [line], more: 0 }]
  const failure = await speak(context, speaker, { subject: `${speaker.companyName}: a test`, sections })
  await recordTest(context.db, speaker, failure)
  return failure
}

/** The destination as it is shown: the e-mail addresses, or the host of the webhook. */
export async function shownTarget(context: Context, { companyId, id }: store.Channel) {
  const target = await load(context, loadTargets, `${companyId}/${id}`)
  if (target === null) return { emails: [], host: null }
  return 'emails' in target ? { emails: target.emails, host: null } : { emails: [], host: new URL(target.url).host }
}

async function loadTargets(context: Context, pairs: readonly string[]): Promise<Map<string, ChannelTarget>> {
  const targets = new Map<string, ChannelTarget>()
  for (const [pair, sealed] of await store.findSealed(context.db, pairs)) {
    const [companyId = '', id = ''] = pair.split('/')
    targets.set(pair, await openTarget(context, { companyId, id, ...sealed }))
  }
  return targets
}

export const reencryptChannels = resealingColumn(channelPlace, store.lockSealedBefore, store.updateSealed)
