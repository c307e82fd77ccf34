// A webhook is created for chosen events, tested, switched off and on, and gets a new secret; a channel is created with topics, and tested.

import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { runAt } from '../../test/testkit/client.ts'
import { startWorkingService } from '../../test/testkit/events.ts'
import { sast, upsert } from '../../test/testkit/findings.ts'
import { inside } from '../../test/testkit/inside.ts'
import { openReceiver } from '../../test/testkit/receiver.ts'
import { newAsset, newWorld } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories, signIn } from './browser.ts'
import { picture } from './picture.ts'

const openPage = browserStories()

/** A service that may send to this machine, and a receiver here that accepts or refuses what it sends. */
async function withReceiver() {
  const { companyId, owner } = await newWorld()
  const { url: baseURL, app } = await startWorkingService()
  onTestFinished(() => app.stop())
  let status = 204
  const receiver = await openReceiver(() => status)
  onTestFinished(() => receiver.close())
  return { companyId, key: owner.key, baseURL, receiver, answer: (next: number) => (status = next) }
}

test('a webhook takes chosen events, is tested, switched off, and signed with a new secret beside the old one', async () => {
  const { companyId, key, baseURL, receiver } = await withReceiver()
  const { page } = await openPage({ baseURL })
  await signIn(page, key, `/companies/${companyId}/settings/webhooks`)

  await page.getByRole('button', { name: 'New webhook' }).click()
  const made = page.getByRole('dialog', { name: 'New webhook' })
  await made.getByLabel('URL').fill(receiver.url)
  await made.getByLabel('Description').fill('the team’s channel')
  await made.getByRole('checkbox', { name: '*', exact: true }).uncheck()
  await made.getByRole('checkbox', { name: 'issue.sla_broken' }).check()
  await made.getByRole('checkbox', { name: 'integration.*' }).check()
  const faults = await accessibilityFaults(page)
  await picture(page, 'webhook-new')
  await made.getByRole('button', { name: 'Create webhook' }).click()
  const shown = page.getByRole('dialog', { name: 'Webhook secret' })
  const first = await shown.locator('code').textContent()
  await shown.getByRole('button', { name: 'Close' }).click()
  const row = page.getByRole('list', { name: 'Webhooks' }).getByRole('listitem')
  await row.getByText('issue.sla_broken, integration.*').waitFor()

  await row.getByRole('button', { name: /^Test/ }).click()
  await page.getByText(`Test delivered to ${receiver.url} (204).`).waitFor()
  await page.getByRole('row', { name: /webhook\.test/ }).waitFor()
  await row.getByRole('button', { name: /^Rotate secret/ }).click()
  const rotated = page.getByRole('dialog', { name: 'Rotate secret' })
  await rotated.getByLabel('Overlap').selectOption({ label: '1 week' })
  await rotated.getByRole('button', { name: 'Rotate secret' }).click()
  const second = await shown.locator('code').textContent()
  await shown.getByRole('button', { name: 'Close' }).click()
  await row.getByText('Deliveries are also signed with the previous secret, which expires in 6 days.').waitFor()
  await row.getByRole('button', { name: /^Test/ }).click()
  await expect.poll(() => receiver.received.length).toBe(2)
  await row.getByRole('button', { name: /^Disable/ }).click()
  await row.getByText('Off', { exact: true }).waitFor()
  faults.push(...(await accessibilityFaults(page)))
  await picture(page, 'webhooks')
  await row.getByRole('button', { name: /^Enable/ }).click()
  await row.getByText('On', { exact: true }).waitFor()

  const signatures = receiver.received.map(({ headers }) => `${headers['webhook-signature']}`.split(' ').length)
  expect(signatures).toEqual([1, 2])
  expect(first).toMatch(/^whsec_/)
  expect(second).toMatch(/^whsec_/)
  expect(second).not.toBe(first)
  expect(faults).toEqual([])
})

test('a refused webhook says so and is edited, and its deliveries are filtered by state', async () => {
  const { companyId, key, baseURL, receiver, answer } = await withReceiver()
  const { page } = await openPage({ baseURL, viewport: { width: 390, height: 780 }, colorScheme: 'dark' })
  await signIn(page, key, `/companies/${companyId}/settings/webhooks`)
  await page.getByRole('button', { name: 'New webhook' }).click()
  await page.getByRole('dialog').getByLabel('URL').fill(receiver.url)
  await page.getByRole('dialog').getByRole('button', { name: 'Create webhook' }).click()
  await page.getByRole('dialog', { name: 'Webhook secret' }).getByRole('button', { name: 'Close' }).click()
  answer(500)
  await page.getByRole('button', { name: /^Test/ }).click()
  await page.getByText(/^Test delivery to .* failed: .*500/).waitFor()

  await page.getByRole('button', { name: /^Edit/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit webhook' })
  await dialog.getByRole('checkbox', { name: '*', exact: true }).uncheck()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('At least one kind of event is needed').waitFor()
  await dialog.getByRole('checkbox', { name: 'issue.*' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('issue.*', { exact: true }).waitFor()
  await picture(page, 'webhooks-phone-dark')
  await page.getByRole('button', { name: 'State' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Delivered' }).click()
  await page.keyboard.press('Escape')
  await page.getByText('No deliveries in this state').waitFor()
  const { db } = await inside()
  await sql`update webhook set failures = 38, held_until = now() + interval '59.5 minutes' where company_id = ${companyId}`.execute(
    db,
  )
  await page.reload()
  await page
    .getByText('Next retry in 59 min., after 38 failures since the last successful delivery.', { exact: true })
    .waitFor()

  expect(await accessibilityFaults(page)).toEqual([])
})

test('deliveries are listed with their answers, and sent again from their row under the same id', async () => {
  const { companyId, key, baseURL, receiver, answer } = await withReceiver()
  await runAt(
    baseURL,
    key,
    'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { clientMutationId } }',
    { input: { companyId, url: receiver.url, kinds: ['issue.*'] } },
  )
  const asset = await newAsset(key, companyId)
  for (const ruleId of ['one', 'two', 'three']) await upsert(key, sast(Number(asset.id), { ruleId, title: ruleId }))
  await expect.poll(() => receiver.received.length).toBe(3)
  const { page } = await openPage({ baseURL })
  await signIn(page, key, `/companies/${companyId}/settings/webhooks`)
  const rows = page.getByRole('row').filter({ hasText: 'issue.created' })
  await expect.poll(() => rows.filter({ hasText: 'Delivered' }).count()).toBe(3)
  const told = await rows.first().innerText()
  const faults = await accessibilityFaults(page)

  answer(500)
  await rows
    .first()
    .getByRole('button', { name: /^Resend/ })
    .click()
  await page.getByText('Delivery queued for resend.').waitFor()
  await expect.poll(() => receiver.received.length).toBe(4)
  await page.reload()
  const pending = rows.filter({ hasText: 'Pending' })
  await pending.getByRole('gridcell', { name: 'The endpoint answered 500', exact: true }).waitFor()
  const held = await pending.getByRole('button', { name: /^Resend/ }).getAttribute('aria-description')
  await page.setViewportSize({ width: 390, height: 780 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await picture(page, 'deliveries-phone-dark')
  faults.push(...(await accessibilityFaults(page)))

  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  expect(ids.slice(0, 3)).toContain(ids[3])
  expect({ told, held, faults }).toEqual({
    told: expect.stringMatching(/^Delivered\s+issue\.created\s+204\s+1\s/),
    held: 'Delivery is pending.',
    faults: [],
  })
})

test('a channel is created with chosen topics, tested, and says why it could not be reached', async () => {
  const { companyId, key, baseURL, receiver, answer } = await withReceiver()
  const { page } = await openPage({ baseURL, viewport: { width: 390, height: 780 } })
  await signIn(page, key, `/companies/${companyId}/settings/notifications`)
  await page.getByText('No notification channels yet').waitFor()

  await page.getByRole('button', { name: 'New channel' }).click()
  const dialog = page.getByRole('dialog', { name: 'New channel' })
  await dialog.getByLabel('Name').fill('Security team')
  await dialog.getByLabel('Channel type').selectOption({ label: 'Slack' })
  await dialog.getByLabel('Incoming webhook URL').fill(receiver.url)
  await dialog.getByLabel('Overdue findings: when').selectOption('DAILY')
  await dialog.getByLabel('Overdue findings: minimum severity').selectOption('MEDIUM')
  await dialog.getByLabel('Broken integrations: when').selectOption('')
  const faults = await accessibilityFaults(page)
  await dialog.getByRole('button', { name: 'Create channel' }).click()
  const row = page.getByRole('list', { name: 'Channels' }).getByRole('listitem')
  await row.getByText('Daily at 06:00 UTC: overdue findings (medium and above)').waitFor()
  await row.getByText('Immediately: newly known exploited findings (high and above); blocked deploys').waitFor()
  await row.getByRole('button', { name: 'Test – Security team' }).click()
  await page.getByText('Test message sent to Security team.').waitFor()
  answer(500)
  await row.getByRole('button', { name: 'Test – Security team' }).click()
  await page
    .getByRole('dialog', { name: 'Error' })
    .getByText(/^Test message to Security team failed: .*500/)
    .waitFor()
  await page.keyboard.press('Escape')
  await row.getByText(/^The last message failed: .*500/).waitFor()

  await row.getByRole('button', { name: 'Edit… – Security team' }).click()
  const changing = page.getByRole('dialog', { name: 'Edit channel' })
  await changing.getByLabel('Name').fill('Everybody')
  await changing.getByRole('button', { name: 'Save' }).click()
  await row.getByText('Everybody', { exact: true }).waitFor()
  await row.getByText(/^Slack at /).waitFor()
  expect([...faults, ...(await accessibilityFaults(page))]).toEqual([])
  await row.getByRole('button', { name: 'Delete – Everybody' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete channel' }).click()
  await page.getByText('No notification channels yet').waitFor()
})
