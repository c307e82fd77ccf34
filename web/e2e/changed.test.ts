// Changes since the last visit: each figure of the overview links to exactly the list that it counts.

import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { serveBoards } from '../../test/testkit/boards-fake.ts'
import { run } from '../../test/testkit/client.ts'
import { startWorkingService, until } from '../../test/testkit/events.ts'
import { sast, upsert } from '../../test/testkit/findings.ts'
import { BOARDS, saved } from '../../test/testkit/integrations.ts'
import { newAsset, newDeploy, newIssue, newWorld } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories, signIn } from './browser.ts'
import { picture } from './picture.ts'

const openPage = browserStories()

/** A company in which one of each change happened, and one finding that did not change. */
async function eventful() {
  const service = await startWorkingService()
  onTestFinished(() => service.app.stop())
  const { companyId, owner } = await newWorld()
  const { key } = owner
  const asset = await newAsset(key, companyId, { name: 'storefront' })
  const finding = (title: string) => newIssue(key, asset.id, { status: 'IDENTIFIED', title })
  const change = async (id: string, ...statuses: string[]) => {
    for (const status of statuses) {
      await run(
        key,
        'mutation ($input: ChangeIssueStatusInput!) { changeIssueStatus(input: $input) { issue { id } } }',
        {
          input: { id, status, reason: 'Decided' },
        },
      )
    }
  }
  await finding('Nothing befell this')
  await change((await finding('This was fixed')).id, 'IN_PROGRESS', 'AWAITING_VALIDATION', 'FIX_ACCEPTED')
  await change((await finding('This was opened again')).id, 'FALSE_POSITIVE', 'IDENTIFIED')
  const late = await finding('This is past its date')
  const { db } = service.app
  await sql`update issue set sla_started_at = now() - 1.0001 * (sla_due_at - sla_started_at), revalue_at = now()
    where company_id = ${companyId} and id = ${late.id}`.execute(db)
  const deploy = await newDeploy(key, asset.id, '', { branchName: 'main' })
  const { currentCommit: commitRef } = deploy
  await upsert(
    key,
    sast(Number(asset.id), { deployId: deploy.id, branchName: 'main', severity: 'CRITICAL', commitRef }),
  )
  await run(key, 'mutation ($input: SetGatePolicyInput!) { setGatePolicy(input: $input) { gatePolicy { scope } } }', {
    input: {
      companyId,
      rules: [{ subject: 'INTRODUCED', minimumSeverity: 'CRITICAL', limit: 0, decision: 'BLOCK' }],
    },
  })
  await sql`select graphile_worker.add_job('judge-deploy',
    json_build_object('companyId', ${companyId}::text, 'id', ${deploy.id}::text))`.execute(db)
  const boards = await serveBoards()
  const { id } = await saved(key, BOARDS, { companyId, personalToken: 'pat', organizationName: 'acme' })
  boards.trouble = () => ({ write: (response) => void response.writeHead(401).end('{}') })
  await run(key, 'mutation ($input: TestIntegrationInput!) { testIntegration(input: $input) { isAccepted } }', {
    input: { id },
  })
  await until(async () => {
    const { events } = await run(
      key,
      'query ($companyId: ID!) { events(companyId: $companyId, kinds: ["deploy.gate_blocked", "integration.broken"]) { id } }',
      { companyId },
    )
    return events.length === 2
  })
  return { companyId, key, baseURL: service.url }
}

const figure = (page: Page, name: string) =>
  page.getByRole('region', { name: 'What changed' }).getByRole('link', { name: new RegExp(name) })

test('each figure of what changed links to exactly the list that it counts', async () => {
  const { companyId, key, baseURL } = await eventful()
  const { page } = await openPage({ baseURL })
  await signIn(page, key, `/companies/${companyId}/overview`)

  const told: Record<string, string> = {}
  const shown: Record<string, string | null> = {}
  for (const [name, row] of [
    ['fixed', 'This was fixed'],
    ['reopened', 'This was opened again'],
    ['newly overdue', 'This is past its date'],
    ['deploy blocked', 'Deploy blocked'],
    ['credential rejected', 'Credential refused'],
  ] as const) {
    await page.goto(`/companies/${companyId}/overview`)
    await figure(page, name).getByText('1', { exact: true }).waitFor()
    if (name === 'fixed') await picture(page, 'overview-changed')
    await figure(page, name).click()
    await page.getByRole('row', { name: new RegExp(row) }).waitFor()
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    told[name] = `${(await page.getByRole('row').count()) - 1}`
    shown[name] = await page.getByRole('button', { name: /since/i }).first().textContent()
    if (name === 'deploy blocked') {
      await page.getByRole('link', { name: /^storefront, deploy \d+$/ }).waitFor()
      expect(await accessibilityFaults(page)).toEqual([])
      await picture(page, 'changes')
    }
  }

  expect(new Set(Object.values(told))).toEqual(new Set(['1']))
  expect(shown).toMatchObject({
    fixed: expect.stringContaining('Fixed since'),
    reopened: expect.stringContaining('Reopened since'),
    'newly overdue': expect.stringContaining('Overdue since'),
  })
})

test('changes before the last visit are not counted, and the link leads to an empty list that says so', async () => {
  const { companyId, key, baseURL } = await eventful()
  const { page } = await openPage({ baseURL, colorScheme: 'dark', viewport: { width: 390, height: 780 } })
  await signIn(page, key, `/companies/${companyId}/settings/limits`)
  await page.evaluate(
    ([name, at]) => localStorage.setItem(`${name}`, JSON.stringify({ before: at, last: at })),
    [`merlon.visit.${companyId}`, new Date().toISOString()],
  )

  await page.goto(`/companies/${companyId}/overview`)
  await figure(page, 'deploys blocked').getByText('0', { exact: true }).waitFor()
  await picture(page, 'overview-phone-dark')
  await figure(page, 'deploys blocked').click()
  await page.getByText('No events match the filters').waitFor()

  expect(await accessibilityFaults(page)).toEqual([])
})
