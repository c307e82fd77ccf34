// The topics of notifications one by one, and the digest at its hour: what happens reaches the channels that ask for it.

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askAt } from '../../../test/testkit/asking.ts'
import { run } from '../../../test/testkit/client.ts'
import { startWorkingService, until } from '../../../test/testkit/events.ts'
import { newDeployed } from '../../../test/testkit/gates.ts'
import { HOST_B, saved } from '../../../test/testkit/integrations.ts'
import { openReceiver } from '../../../test/testkit/receiver.ts'
import type { Service } from '../../../test/testkit/service.ts'
import { fakeVendor, get, json } from '../../../test/testkit/vendor-fake.ts'
import { newAsset, newIssue, newWorld } from '../../../test/testkit/world.ts'
import { tasks } from './jobs.ts'
import { sendNotifications } from './notify.ts'

let service: Service

beforeAll(async () => {
  service = await startWorkingService({ MERLON_PUBLIC_URL: 'https://merlon.example.test' })
})

afterAll(() => service.app.stop(0))

const CREATE = `mutation ($input: CreateNotificationChannelInput!) { createNotificationChannel(input: $input) {
  notificationChannel { id } } }`
const UPDATE = `mutation ($input: UpdateNotificationChannelInput!) { updateNotificationChannel(input: $input) {
  notificationChannel { id } } }`
const TEST = 'mutation ($id: ID!) { testIntegration(input: { id: $id }) { isAccepted } }'

type Rule = { topic: string; when?: 'IMMEDIATELY' | 'DAILY' }

/** A channel of Slack, and what it was told. */
async function openChannel(key: string, companyId: string, rule: Rule) {
  const receiver = await openReceiver(() => 200)
  const input = { companyId, type: 'SLACK', name: 'Alerts', url: receiver.url, rules: [rule] }
  const { createNotificationChannel } = await askAt(service.url, key, CREATE, { input })
  const id: string = createNotificationChannel.notificationChannel.id
  return {
    id,
    close: receiver.close,
    told: () => receiver.received.map(({ message }): string => message.text),
  }
}

const waitingFor = async (channelId: string): Promise<number> => {
  const { rows } = await sql`select from notification where channel_id = ${channelId}`.execute(service.app.db)
  return rows.length
}

/** How many sendings of the company wait or are under way. */
async function sendingsOf(companyId: string): Promise<number> {
  const { rows } = await sql`
    select from graphile_worker.jobs where key like ${`notify ${companyId}/%`}`.execute(service.app.db)
  return rows.length
}

/** What the channel is told of the one thing that comes to wait for it. */
async function toldOf(companyId: string, channel: Awaited<ReturnType<typeof openChannel>>): Promise<string[]> {
  await until(async () => (await waitingFor(channel.id)) === 1)
  await sendNotifications(service.app.parts, companyId, channel.id, false)
  await until(() => channel.told().length > 0)
  await channel.close()
  return channel.told()
}

/** Lets so large a part of the time of a finding be over. */
const pass = (issueId: string, part: number) =>
  sql`update finding set sla_started_at = now() - ${part}::float8 * (sla_due_at - sla_started_at), revalue_at = now()
    where id = ${issueId}`.execute(service.app.db)

const eventsOf = async (key: string, companyId: string, kinds: string[]) =>
  (
    await run(
      key,
      'query ($companyId: ID!, $kinds: [String!]) { events(companyId: $companyId, kinds: $kinds) { kind objectId data } }',
      { companyId, kinds },
    )
  ).events

describe('A channel', () => {
  test('is notified of a finding in the last fifth of its time, and not before', async () => {
    const { companyId, owner } = await newWorld()
    const asset = await newAsset(owner.key, companyId)
    const channel = await openChannel(owner.key, companyId, { topic: 'SLA_NEAR' })
    const [near, early] = [await newIssue(owner.key, asset.id), await newIssue(owner.key, asset.id)]

    await pass(early.id, 0.7)
    await pass(near.id, 0.9)
    const [text, ...more] = await toldOf(companyId, channel)

    const [event, ...others] = await eventsOf(owner.key, companyId, ['issue.sla_near', 'issue.sla_broken'])
    expect(more).toEqual([])
    expect(text).toContain('Findings that are due soon (1)')
    expect(text).toContain(`HIGH: ${near.title} in ${asset.name} (due ${event.data.slaDueAt.slice(0, 10)})`)
    expect(text).toContain(`<https://merlon.example.test/companies/${companyId}/findings/${near.id}|open>`)
    expect([event, ...others]).toMatchObject([{ kind: 'issue.sla_near', objectId: near.id }])
  })

  test('is notified once of a deploy that the gate blocks, with the sentence of the gate', async () => {
    const { key, companyId, deployId, report } = await newDeployed()
    const channel = await openChannel(key, companyId, { topic: 'GATE_BLOCKED' })

    await report('CRITICAL')
    await sql`select graphile_worker.add_job('judge-deploy',
      json_build_object('companyId', ${companyId}::text, 'id', ${deployId}::text))`.execute(service.app.db)
    const [text, ...more] = await toldOf(companyId, channel)

    const [event, ...others] = await eventsOf(key, companyId, ['deploy.gate_blocked'])
    expect([more, others]).toEqual([[], []])
    expect(event).toMatchObject({ objectId: deployId, data: { decision: 'BLOCK', sentence: expect.any(String) } })
    expect(text).toContain('Deploys that were blocked (1)')
    expect(text).toContain(`Deploy ${deployId} on branch main: ${event.data.sentence}`)
    expect(text).toContain(`<https://merlon.example.test/companies/${companyId}/deploys/${deployId}|open>`)
  })

  test('is notified once of an integration whose credential is refused, and an event says when it has another', async () => {
    const { companyId, owner } = await newWorld()
    await fakeVendor('https://gitlab.com', [
      get('/api/v4/user', json({ id: 1 })),
      get('/api/v4/user', json({ message: '401 Unauthorized' }, { status: 401 })),
      get('/api/v4/user', json({ id: 1 })),
    ])
    const { id } = await saved(owner.key, HOST_B, { companyId, personalToken: 'token' })
    const channel = await openChannel(owner.key, companyId, { topic: 'INTEGRATION_BROKEN' })

    await run(owner.key, TEST, { id })
    await run(owner.key, TEST, { id })
    const [text, ...more] = await toldOf(companyId, channel)
    await saved(owner.key, HOST_B, { companyId, personalToken: 'another' })

    const told = await until(async () => {
      const found = await eventsOf(owner.key, companyId, ['integration.*'])
      return found.length > 1 && found
    })
    const data = { companyId, id, integrationType: 'HOST_B' }
    expect(more).toEqual([])
    expect(text).toContain('Integrations whose credential was rejected (1)')
    expect(text).toContain(
      `HOST_B integration ${id} <https://merlon.example.test/companies/${companyId}/integrations|open>`,
    )
    expect(told).toEqual([
      { kind: 'integration.broken', objectId: id, data },
      { kind: 'integration.restored', objectId: id, data },
    ])
    expect(await waitingFor(channel.id)).toBe(0)
  })
})

test('the digest is sent once, at the hour of its channel, with all that waits, and to no channel of another hour', async () => {
  const { companyId, owner } = await newWorld()
  const asset = await newAsset(owner.key, companyId)
  const rule: Rule = { topic: 'SLA_BROKEN', when: 'DAILY' }
  const due = await openChannel(owner.key, companyId, rule)
  const later = await openChannel(owner.key, companyId, rule)
  const off = await openChannel(owner.key, companyId, rule)
  const issues = [await newIssue(owner.key, asset.id), await newIssue(owner.key, asset.id)]
  for (const { id } of issues) await pass(id, 2)
  for (const { id } of [due, later, off]) await until(async () => (await waitingFor(id)) === 2)
  const set = (id: string, input: object) => askAt(service.url, owner.key, UPDATE, { input: { id, ...input } })
  const sendDigests = tasks.find(({ name }) => name === 'send-digests')
  const hourNow = () => new Date().getUTCHours()

  // again where the hour ends meanwhile
  for (let hour = -1; hour !== hourNow(); ) {
    hour = hourNow()
    await set(later.id, { digestHour: (hour + 12) % 24 })
    await set(off.id, { digestHour: hour, isEnabled: false })
    await set(due.id, { digestHour: hour })
    await sendDigests?.run(service.app.parts, null)
  }
  await until(async () => (await waitingFor(due.id)) === 0 && (await sendingsOf(companyId)) === 0)
  await sendDigests?.run(service.app.parts, null)

  expect(await sendingsOf(companyId)).toBe(0)
  for (const { close } of [due, later, off]) await close()
  const [text] = due.told()
  expect(text).toContain('daily digest (2)')
  for (const { title } of issues) expect(text).toContain(title)
  expect([due, later, off].map(({ told }) => told().length)).toEqual([1, 0, 0])
  expect([await waitingFor(later.id), await waitingFor(off.id)]).toEqual([2, 2])
})
