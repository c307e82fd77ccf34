// Notification channels: what people are told by mail, in Slack and in Teams, at once or once a day.

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, runAt } from '../../../test/testkit/client.ts'
import { startWorkingService, until } from '../../../test/testkit/events.ts'
import { openMailServer } from '../../../test/testkit/mail-server.ts'
import { openReceiver } from '../../../test/testkit/receiver.ts'
import type { Service } from '../../../test/testkit/service.ts'
import { newAsset, newIssue, newPerson, newWorld, type World } from '../../../test/testkit/world.ts'
import { sendNotifications } from './notify.ts'

let service: Service
let mailServer: Awaited<ReturnType<typeof openMailServer>>

beforeAll(async () => {
  mailServer = await openMailServer()
  service = await startWorkingService({
    ...mailServer.environment,
    MERLON_PUBLIC_URL: 'https://merlon.example.test',
  })
})

afterAll(async () => {
  await service.app.stop(0)
  mailServer.close()
})

const createChannel = async (key: string, input: object) =>
  (
    await runAt(
      service.url,
      key,
      `mutation ($input: CreateNotificationChannelInput!) { createNotificationChannel(input: $input) {
        notificationChannel { id type name emails host rules { topic minimumSeverity when } digestHour isEnabled } } }`,
      { input },
    )
  ).createNotificationChannel.notificationChannel

/** Lets the time of a finding run out, as the worker's clock would find it. */
async function breakSla({ companyId }: World, issueId: string): Promise<void> {
  const { db } = service.app
  await sql`update finding set sla_started_at = now() - interval '400 days', revalue_at = now()
    where company_id = ${companyId} and id = ${issueId}`.execute(db)
}

/** What the worker does when its time has come; whichever worker comes first, this one has the settings of this file. */
const send = (companyId: string, channelId: string, isDigest = false) =>
  sendNotifications(service.app.parts, companyId, channelId, isDigest)

const waiting = (companyId: string, count: number) =>
  until(async () => {
    const { rows } = await sql`select from notification where company_id = ${companyId}`.execute(service.app.db)
    return rows.length === count
  })

describe('A channel', () => {
  test('of Slack tells once of many findings past their due date, and lets none of them write for itself', async () => {
    const receiver = await openReceiver(() => 200)
    const world = await newWorld()
    const { companyId, owner } = world
    const asset = await newAsset(owner.key, companyId)
    const channel = await createChannel(owner.key, {
      companyId,
      type: 'SLACK',
      name: 'Alerts',
      url: `${receiver.url}services/T000/very-secret`,
      rules: [{ topic: 'SLA_BROKEN', minimumSeverity: 'HIGH', when: 'IMMEDIATELY' }],
    })
    const issues = [
      await newIssue(owner.key, asset.id, { title: 'Beware <!channel> & <https://evil.example.test|me>' }),
      await newIssue(owner.key, asset.id),
    ]
    const minor = await newIssue(owner.key, asset.id, { severity: 'LOW' })

    for (const { id } of [...issues, minor]) await breakSla(world, id)
    await waiting(companyId, 2)
    await send(companyId, channel.id)

    await until(() => receiver.received.length > 0)
    await receiver.close()
    const { text } = receiver.received[0]?.message ?? {}
    expect(channel).toMatchObject({ type: 'SLACK', emails: [], host: new URL(receiver.url).host })
    expect(receiver.received).toHaveLength(1)
    expect(text).toContain('Findings past their due date (2)')
    expect(text).toContain('Beware &lt;!channel&gt; &amp; &lt;https://evil.example.test|me&gt;')
    expect(text).toContain(`<https://merlon.example.test/companies/${companyId}/findings/${issues[0]?.id}|open>`)
    expect(text).not.toContain(minor.title)
  })

  test('of Teams is sent an adaptive card when a vulnerability becomes known to be exploited', async () => {
    const receiver = await openReceiver(() => 202)
    const world = await newWorld()
    const { companyId, owner } = world
    const asset = await newAsset(owner.key, companyId)
    const { id } = await createChannel(owner.key, {
      companyId,
      type: 'TEAMS',
      name: 'Security',
      url: receiver.url,
      rules: [{ topic: 'KNOWN_EXPLOITED' }],
    })
    const issue = await newIssue(owner.key, asset.id, { title: 'CVE-2021-44228 in [log4j](https://evil.example.test)' })

    await sql`update finding set is_known_exploited = true where company_id = ${companyId} and id = ${issue.id}`.execute(
      service.app.db,
    )
    await waiting(companyId, 1)
    await send(companyId, id)

    await until(() => receiver.received.length > 0)
    await receiver.close()
    const card = receiver.received[0]?.message.attachments[0].content
    expect(card).toMatchObject({ type: 'AdaptiveCard', version: '1.4' })
    expect(JSON.stringify(card)).toContain('now known to be exploited (1)')
    expect(JSON.stringify(card)).not.toContain('[log4j](')
  })

  test('of mail writes to members alone, once a day where it is asked to', async () => {
    const world = await newWorld()
    const { companyId, owner } = world
    const asset = await newAsset(owner.key, companyId)
    const leaver = await newPerson(companyId, 'READER')
    const channel = await createChannel(owner.key, {
      companyId,
      type: 'EMAIL',
      name: 'Digest',
      emails: [owner.email, leaver.email],
      rules: [{ topic: 'SLA_BROKEN', minimumSeverity: 'LOW', when: 'DAILY' }],
    })
    await runAt(
      service.url,
      owner.key,
      'mutation ($input: UpdatePortalUserAccessInput!) { updatePortalUserAccess(input: $input) { portalUserAccess { role } } }',
      {
        input: { companyId, id: leaver.id, role: null },
      },
    )
    const issue = await newIssue(owner.key, asset.id)

    await breakSla(world, issue.id)
    await waiting(companyId, 1)
    await send(companyId, channel.id)
    await send(companyId, channel.id, true)

    const [mail, ...more] = mailServer.mails.filter(({ text }) => text.includes(issue.title))
    expect(more).toEqual([])
    expect(channel.emails.sort()).toEqual([owner.email, leaver.email].sort())
    expect(mail?.to).toEqual([owner.email])
    expect(mail?.text).toMatch(/Subject: .*daily/)
  })

  test('that cannot be written to says why, and what waits is delivered once it can be', async () => {
    let answer = 403
    const receiver = await openReceiver(() => answer)
    const world = await newWorld()
    const { companyId, owner } = world
    const asset = await newAsset(owner.key, companyId)
    const { id } = await createChannel(owner.key, {
      companyId,
      type: 'SLACK',
      name: 'Alerts',
      url: receiver.url,
      rules: [{ topic: 'SLA_BROKEN', when: 'IMMEDIATELY' }],
    })
    const issue = await newIssue(owner.key, asset.id)
    const ask = (document: string) => runAt(service.url, owner.key, document, { companyId, id })
    const ofCompany =
      'query ($companyId: ID!) { notificationChannels(companyId: $companyId) { collection { lastFailure } } }'
    const lastFailure = async () => (await ask(ofCompany)).notificationChannels.collection[0].lastFailure
    const tested = 'mutation ($id: ID!) { testNotificationChannel(input: { id: $id }) { failure } }'
    const test = async () => (await ask(tested)).testNotificationChannel.failure

    const outcomes = [[await test(), await lastFailure()]]
    answer = 200
    outcomes.push([await test(), await lastFailure()])
    answer = 403
    await breakSla(world, issue.id)
    await waiting(companyId, 1)
    await send(companyId, id)
    const refused = await lastFailure()
    const asked = receiver.received.length
    // nothing is sent before its time
    await send(companyId, id)
    const held = receiver.received.length
    answer = 200
    await sql`update notification_channel set held_until = null where id = ${id}`.execute(service.app.db)
    await send(companyId, id)
    await waiting(companyId, 0)

    await receiver.close()
    expect(outcomes).toEqual([Array(2).fill('The address answered 403'), [null, null]])
    expect(refused).toBe('The address answered 403')
    expect(held).toBe(asked)
    expect(receiver.received.at(-1)?.message.text).toContain(issue.title)
    expect(await lastFailure()).toBeNull()
  })

  test('is changed and deleted', async () => {
    const { companyId, owner } = await newWorld()
    const { id } = await createChannel(owner.key, {
      companyId,
      type: 'EMAIL',
      name: 'Mail',
      emails: [owner.email],
      rules: [],
    })

    const { updateNotificationChannel } = await runAt(
      service.url,
      owner.key,
      'mutation ($input: UpdateNotificationChannelInput!) { updateNotificationChannel(input: $input) { notificationChannel { name isEnabled emails } } }',
      { input: { id, name: 'Letters', isEnabled: false } },
    )
    await runAt(
      service.url,
      owner.key,
      'mutation ($id: ID!) { deleteNotificationChannel(input: { id: $id }) { id } }',
      { id },
    )

    const { notificationChannels } = await runAt(
      service.url,
      owner.key,
      'query ($companyId: ID!) { notificationChannels(companyId: $companyId) { collection { id } } }',
      { companyId },
    )
    expect(updateNotificationChannel.notificationChannel).toEqual({
      name: 'Letters',
      isEnabled: false,
      emails: [owner.email],
    })
    expect(notificationChannels.collection).toEqual([])
  })
})

test('mail is refused where the operator named no mail server, and addresses of strangers everywhere', async () => {
  const { companyId, owner } = await newWorld()
  const create =
    'mutation ($input: CreateNotificationChannelInput!) { createNotificationChannel(input: $input) { notificationChannel { id } } }'
  const input = { companyId, type: 'EMAIL', name: 'Mail', rules: [], emails: [owner.email] }

  const without = await refusal(owner.key, create, { input })
  const stranger = await runAt(service.url, owner.key, create, {
    input: { ...input, emails: ['stranger@example.test'] },
  }).catch(String)

  expect(without.extensions.code).toBe('FAILED_PRECONDITION')
  expect(stranger).toContain('stranger@example.test is not a member of this company')
})
