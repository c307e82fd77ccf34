// Lists that are not tables: what is not shown is counted, and can be reached.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { BOARD, PROJECT, serveBoards, TEAM } from '../../test/testkit/boards-fake.ts'
import { run } from '../../test/testkit/client.ts'
import { commit } from '../../test/testkit/deploys.ts'
import { newHome, sast, upsert } from '../../test/testkit/findings.ts'
import { inside } from '../../test/testkit/inside.ts'
import { newBoardsWorld } from '../../test/testkit/trackers.ts'
import { emptyTree, newDeploy, newWorld } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories, signIn } from './browser.ts'
import { picture } from './picture.ts'

const openPage = browserStories()

test('with more than a hundred identity rules, tools or mapped boards, the rest is counted and shown on request', async () => {
  await serveBoards()
  const { companyId, owner, integrationId } = await newBoardsWorld()
  const { db } = await inside()
  const more = (table: string, columns: string, values: string, many: number) =>
    sql`insert into ${sql.table(table)} (company_id, ${sql.raw(columns)})
      select company_id, ${sql.raw(values)} from ${sql.table(table)}, generate_series(1, ${many})
      where company_id = ${companyId}`.execute(db)
  await more('integration', 'type, settings', `'HOST_B', '{}'`, 104)
  await sql`insert into asset (company_id, name) select ${companyId}, 'service-' || n from generate_series(1, 110) n`.execute(
    db,
  )
  await sql`
    insert into defect_tracker_configuration (company_id, integration_id, asset_id, project, board, team, status_mappings)
    select ${companyId}, ${integrationId}, asset.id, project, board, team, status_mappings
    from asset, defect_tracker_configuration as mapped
    where asset.company_id = ${companyId} and mapped.company_id = ${companyId} and asset.name like 'service-%'`.execute(
    db,
  )
  for (let number = 1; number <= 101; number++) {
    await run(
      owner.key,
      'mutation ($input: SetIdentityRuleInput!) { setIdentityRule(input: $input) { clientMutationId } }',
      {
        input: { companyId, toolName: `tool-${number}`, rule: { fields: ['TOOL_ID'] } },
      },
    )
  }
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/settings/identity`)

  await page.getByText('Showing 100 of 101 rules.').waitFor()
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByText(/^tool-1$/).waitFor()
  await page.goto(`/companies/${companyId}/integrations`)
  await page.getByText('Showing 100 of 105 connected tools.').waitFor()
  await page.getByText('Showing 100 of 111 mapped boards.').waitFor()
  await page
    .getByRole('listitem')
    .filter({ hasText: '100 of 111' })
    .last()
    .getByRole('button', { name: 'Show more' })
    .click()
  await page.getByText('100 of 111').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByText('100 of 105').waitFor({ state: 'detached' })
  await expect.poll(() => page.getByText(`→ ${PROJECT.name} / ${BOARD.name}`).count()).toBe(111)

  expect(TEAM.name).not.toBe('')
  expect(await accessibilityFaults(page)).toEqual([])
})

test('of many domains, those with the most tickets have a button, and any is found by name', async () => {
  const { companyId, owner } = await newWorld()
  for (let number = 1; number <= 12; number++) {
    await run(owner.key, 'mutation ($input: CreateTicketInput!) { createTicket(input: $input) { clientMutationId } }', {
      input: { companyId, title: `Of ${number}`, description: 'More', domainName: `domain-${number}`, type: 'BUG' },
    })
  }
  const { page } = await openPage({ viewport: { width: 390, height: 780 } })
  await signIn(page, owner.key, `/companies/${companyId}/tickets`)
  const domains = page.getByRole('list', { name: 'Domains' })

  await domains.getByRole('button', { name: 'All 12 domains' }).click()
  const search = page.getByRole('dialog', { name: 'Choose from domains' })
  await search.getByRole('combobox').fill('n-12')
  await search.getByRole('option', { name: /domain-12/ }).click()
  const faults = await accessibilityFaults(page)
  await page.keyboard.press('Escape')
  await domains.getByRole('button', { name: 'All 12 domains' }).and(page.locator(':focus')).waitFor()
  await page.getByText('1 ticket', { exact: true }).waitFor()
  await picture(page, 'domains-phone')

  await expect
    .poll(() => domains.getByRole('button', { name: /^domain-12 / }).getAttribute('aria-pressed'))
    .toBe('true')
  expect(await domains.getByRole('button').count()).toBeLessThan(11)
  expect(faults).toEqual([])
})

test('all findings that a deploy introduced can be reached, fifty at a time', async () => {
  const { key, companyId, assetId } = await newHome()
  const { id } = await newDeploy(key, String(assetId), '', {
    previousCommit: emptyTree,
    currentCommit: commit('a'),
    branchName: 'main',
  })
  for (let number = 1; number <= 53; number++) {
    await upsert(key, {
      ...sast(assetId, { title: `Finding ${number}`, fileName: `src/${number}.ts`, ruleId: `rule-${number}` }),
      branchName: 'main',
      deployId: id,
      commitRef: commit('a'),
    })
  }
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/deploys/${id}`)
  const introduced = page.getByRole('region', { name: 'Introduced' })

  // only the first eight, so that the diff stays in sight
  await introduced.getByRole('button', { name: 'Show 45 more introduced' }).focus()
  await expect.poll(() => introduced.getByRole('listitem').count()).toBe(8)
  await page.keyboard.press('Enter')
  await introduced.getByText('Showing 50 of 53 findings.').waitFor()
  await introduced.getByRole('button', { name: 'Show more' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => introduced.getByRole('listitem').count()).toBe(53)
  await introduced.and(page.locator(':focus')).waitFor()
})
