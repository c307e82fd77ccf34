// Every topic in every kind of channel: one company's events are told by mail, in Slack and in Teams, at once and in the digest.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { askAt } from '../../../test/testkit/asking.ts'
import { run } from '../../../test/testkit/client.ts'
import { startWorkingService, until } from '../../../test/testkit/events.ts'
import { newDeployed } from '../../../test/testkit/gates.ts'
import { HOST_B, saved } from '../../../test/testkit/integrations.ts'
import { openMailServer } from '../../../test/testkit/mail-server.ts'
import { openReceiver } from '../../../test/testkit/receiver.ts'
import { fakeVendor, get, json } from '../../../test/testkit/vendor-fake.ts'
import { newAsset, newIssue } from '../../../test/testkit/world.ts'
import { sendNotifications } from './notify.ts'

const CREATE = `mutation ($input: CreateNotificationChannelInput!) { createNotificationChannel(input: $input) {
  notificationChannel { id } } }`
const TOPICS = ['SLA_NEAR', 'SLA_BROKEN', 'KNOWN_EXPLOITED', 'GATE_BLOCKED', 'INTEGRATION_BROKEN']
const MEMBERS = '{ viewer { email } }'

test.each(['IMMEDIATELY', 'DAILY'])('each topic is sent %s by mail, to Slack and to Teams', async (when) => {
  const mailServer = await openMailServer()
  const receiver = await openReceiver(() => 200)
  const service = await startWorkingService(mailServer.environment)
  const { db, parts } = service.app
  const { key, companyId, deployId, report } = await newDeployed()
  const { viewer } = await run(key, MEMBERS)
  await fakeVendor('https://gitlab.com', [
    get('/api/v4/user', json({ id: 1 })),
    get('/api/v4/user', json({ message: '401 Unauthorized' }, { status: 401 })),
  ])
  const { id: integrationId } = await saved(key, HOST_B, { companyId, personalToken: `token-${companyId}` })
  const rules = TOPICS.map((topic) => ({ topic, when }))
  const places = {
    EMAIL: { emails: [viewer.email] },
    SLACK: { url: `${receiver.url}slack` },
    TEAMS: { url: `${receiver.url}teams` },
  }
  const channels = new Map<string, string>()
  for (const [type, place] of Object.entries(places)) {
    const input = { companyId, type, name: type, rules, ...place }
    channels.set(
      type,
      (await askAt(service.url, key, CREATE, { input })).createNotificationChannel.notificationChannel.id,
    )
  }
  // no worker is to tell of some before all have happened
  const hold = (until: string | null) =>
    sql`update notification_channel set held_until = ${until}::timestamptz where company_id = ${companyId}`.execute(db)
  await hold(new Date(Date.now() + 3_600_000).toISOString())
  const asset = await newAsset(key, companyId)
  const [near, broken, exploited] = [
    await newIssue(key, asset.id),
    await newIssue(key, asset.id),
    await newIssue(key, asset.id),
  ]
  const pass = (issueId: string, part: number) =>
    sql`update finding set sla_started_at = now() - ${part}::float8 * (sla_due_at - sla_started_at), revalue_at = now()
      where id = ${issueId}`.execute(db)

  await pass(near.id, 0.9)
  await pass(broken.id, 2)
  await sql`update finding set is_known_exploited = true where id = ${exploited.id}`.execute(db)
  await report('CRITICAL')
  await run(key, 'mutation ($id: ID!) { testIntegration(input: { id: $id }) { isAccepted } }', { id: integrationId })
  for (const id of channels.values()) {
    await until(async () => {
      const { rows } = await sql`select distinct topic from notification where channel_id = ${id}`.execute(db)
      return rows.length === TOPICS.length
    })
  }
  await hold(null)
  for (const id of channels.values()) await sendNotifications(parts, companyId, id, when === 'DAILY')

  await until(() => receiver.received.length >= 2 && mailServer.mails.length > 0)
  await service.app.stop(0)
  await receiver.close()
  mailServer.close()
  const [slack, teams] = ['text', 'attachments'].map((name) => receiver.received.find(({ message }) => name in message))
  // a line of mail is broken where it is long
  const mail = mailServer.mails[0]?.text.replace(/=\n/g, '')
  for (const text of [mail, slack?.message.text, JSON.stringify(teams?.message)]) {
    expect(text).toContain(when === 'DAILY' ? 'daily digest' : 'What needs attention')
    for (const { title } of [near, broken, exploited]) expect(text).toContain(title)
    expect(text).toContain(`Deploy ${deployId} on branch main`)
    expect(text).toMatch(new RegExp(`HOST\\\\*_B integration ${integrationId}`))
  }
})
