// `npm run screenshots`: each page in light and dark with realistic content; those for the docs go to docs/pictures.

import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { BOARD, PROJECT, serveBoards, TEAM } from '../../test/testkit/boards-fake.ts'
import { administratorKey, run } from '../../test/testkit/client.ts'
import { commit } from '../../test/testkit/deploys.ts'
import { startWorkingService, until } from '../../test/testkit/events.ts'
import { upsert } from '../../test/testkit/findings.ts'
import { inside } from '../../test/testkit/inside.ts'
import { newInstallation } from '../../test/testkit/installation.ts'
import { BOARDS, saved } from '../../test/testkit/integrations.ts'
import { emptyTree, newAsset, newDeploy, newPerson, newWorld } from '../../test/testkit/world.ts'
import { browserStories, signIn } from './browser.ts'
import { newChangedShop } from './changed-shop.ts'
import { examples } from './examples.ts'
import { newFurnished, pagesOf } from './furnished.ts'
import { picture } from './picture.ts'
import { newCredits, newScans } from './runs.ts'

const openPage = browserStories()

async function newShop() {
  const { createCompany } = await run(
    administratorKey(),
    'mutation { createCompany(input: { label: "Harbour Shop" }) { company { id } } }',
  )
  const companyId: string = createCompany.company.id
  const { key } = await newPerson(companyId, 'OWNER')
  const ids: string[] = []
  const assetIds: string[] = []
  for (const name of ['storefront', 'payments', 'warehouse']) {
    const { id } = await newAsset(key, companyId, { name })
    assetIds.push(id)
    for (const example of examples) {
      const { issue } = await upsert(key, { ...example, title: example.title, assetId: Number(id) })
      ids.push(issue.id)
    }
  }
  const [first = '', second = ''] = ids
  const decide = (id: string, status: string, reason: string) =>
    run(key, 'mutation ($input: ChangeIssueStatusInput!) { changeIssueStatus(input: $input) { issue { id } } }', {
      input: { id, status, reason },
    })
  await decide(first, 'IDENTIFIED', 'Reproduced with a quote in the search box.')
  await decide(first, 'IN_PROGRESS', 'Parameterised in the branch search-parameters.')
  await decide(second, 'IN_PROGRESS', 'The upload service gets its own directory.')
  await spread(companyId)
  await deployTwice(key, assetIds[0] ?? '')
  await newScans(key, assetIds, 'ScannerA answered 503 five times: it is being maintained')
  await newCredits(companyId)
  await judged(companyId, key)
  return { companyId, key, first }
}

/** Has a worker judge the deploys, because only judged ones are counted. */
async function judged(companyId: string, key: string) {
  const { app } = await startWorkingService()
  const list = `query ($companyId: ID!) { deploys(companyId: $companyId, decisions: [PASS, WARN, BLOCK]) { metadata { totalCount } } }`
  await until(async () => (await run(key, list, { companyId })).deploys.metadata.totalCount === 2)
  await app.stop(0)
}

/** Spreads the findings' creation over three months, and shifts each due date accordingly. */
async function spread(companyId: string) {
  const { db } = await inside()
  await sql`
    update issue_event set at = now() - make_interval(days => (issue_id * 37 % 88)::int + 1)
    where company_id = ${companyId} and action = 'CREATED'`.execute(db)
  await sql`
    update issue set created_at = event.at, sla_started_at = event.at, revalue_at = now()
    from issue_event as event
    where event.action = 'CREATED' and issue.company_id = ${companyId} and event.company_id = ${companyId} and event.issue_id = issue.id`.execute(
    db,
  )
}

async function deployTwice(key: string, assetId: string) {
  const diff = (from: string, to: string) =>
    `diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-${from}\n+${to}\n`
  const commits = [emptyTree, commit('a'), commit('b')]
  for (const [index, currentCommit] of commits.slice(1).entries()) {
    const previousCommit = commits[index]
    await newDeploy(key, assetId, diff(`${index}`, `${index + 1}`), {
      previousCommit,
      currentCommit,
      branchName: 'main',
    })
  }
}

/** The screenshots in README.md and the docs; all others are only for whoever took them. */
const kept = ['overview-light', 'finding-light', 'findings-dark', 'deploy-light', 'requirement-graph-light']

const take = (page: Page, name: string) => picture(page, name, kept.includes(name) ? 'docs/pictures' : undefined)

/** Waits for what is counted once the rows are here. */
async function counted(page: Page) {
  await page.getByRole('group', { name: 'By severity' }).waitFor()
  await page.getByRole('link', { name: /running or queued/ }).waitFor()
}

test('pictures of findings', async () => {
  const { companyId, key, first } = await newShop()
  const findings = `/companies/${companyId}/findings`

  for (const colorScheme of ['light', 'dark'] as const) {
    const { page } = await openPage({ colorScheme, reducedMotion: 'reduce' })
    await page.goto('/')
    await page.getByLabel('API key').waitFor()
    await take(page, `sign-in-${colorScheme}`)

    await signIn(page, key, findings)
    await page.getByRole('row', { name: /SQL/ }).first().waitFor()
    await counted(page)
    await take(page, `findings-${colorScheme}`)

    await page.goto(`${findings}/${first}`)
    await page.getByRole('region', { name: 'Timeline' }).waitFor()
    await page
      .getByRole('region', { name: /^Code of/ })
      .locator('span[style*="color"]')
      .first()
      .waitFor()
    await counted(page)
    await take(page, `finding-${colorScheme}`)
    await page.mouse.move(640, 790)
    await page.keyboard.press('d')
    await page.getByRole('dialog').waitFor()
    await take(page, `decide-${colorScheme}`)

    await page.goto(`/companies/${companyId}/overview`)
    await page.getByText('As a table').waitFor()
    await page.waitForLoadState('networkidle')
    await page.getByRole('link', { name: /running or queued/ }).waitFor()
    await take(page, `overview-${colorScheme}`)

    await page.goto(`/companies/${companyId}/settings/keys`)
    await page.getByRole('row', { name: /A key/ }).waitFor()
    await take(page, `keys-${colorScheme}`)
    for (const [section, shows] of [
      ['scans', 'Succeeded'],
      ['certificates', 'www.harbour-shop.example'],
    ] as const) {
      await page.goto(`/companies/${companyId}/${section}`)
      await page.locator('main').getByText(shows).first().waitFor()
      await take(page, `${section}-${colorScheme}`)
    }
    await page.goto(`${findings}?search=nothing-has-this`)
    await page.getByText('No findings match').waitFor()
    await take(page, `empty-${colorScheme}`)

    await page.setViewportSize({ width: 390, height: 780 })
    await page.goto(findings)
    await page.getByRole('row', { name: /SQL/ }).first().waitFor()
    await take(page, `phone-${colorScheme}`)
    await page.goto(`/companies/${companyId}/scans`)
    await page.locator('main').getByText('Succeeded').first().waitFor()
    await take(page, `phone-scans-${colorScheme}`)
    await page.goto(`/companies/${companyId}/certificates`)
    await page.locator('main').getByText('www.harbour-shop.example').waitFor()
    await take(page, `phone-certificates-${colorScheme}`)
    await page.goto(`/companies/${companyId}/overview`)
    await page.getByText('As a table').waitFor()
    await take(page, `phone-overview-${colorScheme}`)
    await page.goto(`${findings}/${first}`)
    await page.getByRole('region', { name: 'Data flow' }).scrollIntoViewIfNeeded()
    await take(page, `phone-finding-${colorScheme}`)
  }
})

test('pictures of a board that is mapped', async () => {
  const { companyId, owner } = await newWorld()
  await serveBoards()
  await saved(owner.key, BOARDS, { companyId, personalToken: 'pat', organizationName: 'acme' })
  for (const [colorScheme, width] of [
    ['light', 1280],
    ['dark', 390],
  ] as const) {
    const { page } = await openPage({ colorScheme, reducedMotion: 'reduce', viewport: { width, height: 800 } })
    await signIn(page, owner.key, `/companies/${companyId}/integrations`)
    await page.getByRole('button', { name: 'Map a board' }).click()
    for (const [label, option] of [
      ['Project', PROJECT.name],
      ['Team', TEAM.name],
      ['Board', BOARD.name],
    ] as const) {
      await page.getByLabel(label, { exact: true }).selectOption({ label: option })
    }
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Add a state to Identified').selectOption('New')
    await dialog.getByLabel('Add a state to In progress').selectOption('Active')
    await dialog.getByLabel('Add a state to In progress').selectOption('Blocked')
    await dialog.getByLabel('Add a state to Fix accepted').selectOption('Closed')
    await take(page, `mapping-${colorScheme}`)
  }
})

test('pictures of a deploy and of a requirement', async () => {
  const { companyId, key, deployId, requirementId } = await newChangedShop()
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page } = await openPage({ colorScheme, reducedMotion: 'reduce' })
    await signIn(page, key, `/companies/${companyId}/deploys/${deployId}`)
    await page.getByRole('region', { name: 'Introduced' }).getByRole('link').nth(1).waitFor()
    await page.waitForLoadState('networkidle')
    await take(page, `deploy-${colorScheme}`)
    await page.goto(`/companies/${companyId}/requirements/${requirementId}?view=graph`)
    await page.getByRole('region', { name: 'Requirement graph' }).getByRole('link').last().waitFor()
    await page.waitForLoadState('networkidle')
    await take(page, `requirement-graph-${colorScheme}`)
  }
})

test('pictures of what else there is', { timeout: 600_000 }, async () => {
  const furnished = await newFurnished('Product search')
  await run(
    furnished.key,
    'mutation ($input: UpdateCompanyInput!) { updateCompany(input: $input) { company { id } } }',
    {
      input: { id: furnished.companyId, label: 'Harbour Shop' },
    },
  )
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page } = await openPage({ colorScheme, reducedMotion: 'reduce' })
    await signIn(page, furnished.key, `/companies/${furnished.companyId}/settings/limits`)
    // the busier pages were taken above, with another company
    const others = pagesOf(furnished).filter(({ name }) => !['overview', 'findings', 'finding', 'scans'].includes(name))
    for (const [width, start] of [
      [1280, ''],
      [390, 'phone-'],
    ] as const) {
      await page.setViewportSize({ width, height: 800 })
      for (const { name, path, shows } of others) {
        // on a wide screen, too
        if (width > 390 && ['deploy', 'requirement-graph'].includes(name)) continue
        await page.goto(path)
        await page.locator('main').getByText(shows).first().waitFor()
        await page.waitForLoadState('networkidle')
        await take(page, `${start}${name}-${colorScheme}`)
      }
    }
  }
})

test('pictures of what is outside a company, or is not there', async () => {
  const { companyId, owner } = await newWorld()
  const nobody = await newInstallation()
  for (const colorScheme of ['light', 'dark'] as const) {
    const options = { colorScheme, reducedMotion: 'reduce' } as const
    const { page: first } = await openPage({ ...options, baseURL: nobody.url })
    await first.goto('/')
    await first.getByLabel('API key').fill(nobody.key)
    await first.getByRole('button', { name: 'Sign in' }).click()
    const { page, complaints } = await openPage(options)
    await signIn(page, owner.key, `/companies/${companyId}/settings/limits`)
    for (const [width, start] of [
      [1280, ''],
      [390, 'phone-'],
    ] as const) {
      const shot = async (of: Page, name: string, shows: string) => {
        await of.setViewportSize({ width, height: 800 })
        await of.getByText(shows).first().waitFor()
        await take(of, `${start}${name}-${colorScheme}`)
      }
      await shot(first, 'first', 'No company yet')
      await page.goto('/consent?code=old&state=old')
      await shot(page, 'consent', 'was not started in this tab')
      await page.goto(`/companies/${companyId}/nothing`)
      await shot(page, 'not-found', 'Page not found')
      await page.goto(`/companies/${companyId}/assets/999999999`)
      await shot(page, 'gone', 'It was deleted, or the address is wrong.')
      await page.setViewportSize({ width: 1280, height: 800 })
      await page.goto(`/companies/${companyId}/overview`)
      await page.route('**/console/*.js', (route) => route.abort())
      await page.getByRole('link', { name: 'Attachments' }).click()
      await shot(page, 'error', 'This page could not be loaded')
      await page.unroute('**/console/*.js')
      await page.goto(`/graphiql?company=${companyId}`)
      await shot(page, 'graphiql', 'GateVerdicts')
    }
    // What a lost script and the editor's workers log is not ours.
    complaints.length = 0
    await first.close()
  }
  await nobody.end()
})
