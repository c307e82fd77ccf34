// A decision on all findings that match the filters, beyond those that can be chosen: exceptions, progress, and all or nothing.

import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { unique } from '../../test/testkit/client.ts'
import { fillWith, inside } from '../../test/testkit/inside.ts'
import { startService } from '../../test/testkit/service.ts'
import { withAsset } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories, signIn } from './browser.ts'
import { withKeyboard } from './keyboard.ts'
import { picture } from './picture.ts'

const openPage = browserStories()

/** Creates `many` findings, every tenth of which is fixed. */
async function newFindings(many: number) {
  const world = await withAsset()
  await fillWith(sql`
    insert into issue (company_id, asset_id, type, tool_name, rule, title, severity, status, birth_key)
    select ${world.companyId}, ${world.asset.id}, 'SAST_FINDING', 'tool', 'rule', 'Finding ' || n, 'LOW',
      case when n % 10 = 0 then 'FIX_ACCEPTED' else 'CREATED' end::issue_status, sha256((${unique('birth')} || n)::bytea)
    from generate_series(1, ${many}::int) n`)
  return { ...world, key: world.owner.key }
}

async function startWorker() {
  const { app } = await startService({})
  await app.startWorker(['decide-on-issues'])
  onTestFinished(() => app.stop(0))
}

test('ten thousand findings are decided on at once by keyboard, after a preview of those that cannot be', async () => {
  const { companyId, key } = await newFindings(10_000)
  const { page } = await openPage()
  const { fill, enter, press, faults } = await withKeyboard(page)
  await signIn(page, key, '/')
  faults.length = 0
  await page.goto(`/companies/${companyId}/findings?status=any`)
  await page
    .getByRole('row', { name: /Finding/ })
    .first()
    .waitFor()

  await press('j', 'x')
  await enter(page.getByRole('button', { name: 'Decide on all 10,000 findings…' }))
  const dialog = page.getByRole('dialog', { name: 'Decide on all matching findings' })
  await dialog.getByText('10,000 findings, including those not loaded in the list.').waitFor()
  // moves from the first status to the last
  await press('ArrowUp')
  await dialog.getByText('1,000 findings keep their status: 1,000 Fix accepted that cannot change to it.').waitFor()
  const found = await accessibilityFaults(page)
  await picture(page, 'decide-all')
  await fill(dialog.getByLabel('Reason'), 'Generated code')
  await enter(dialog.getByRole('button', { name: 'Decide on 9,000 findings' }))
  await dialog.getByText('Queued').or(dialog.getByText('0 of 10,000 findings updated')).waitFor()
  found.push(...(await accessibilityFaults(page)))
  await startWorker()

  await page.getByText('9,000 findings set to Suppressed. 1,000 unchanged.').waitFor()
  await dialog.waitFor({ state: 'detached' })
  await page.goto(`/companies/${companyId}/findings?status=SUPPRESSED`)
  await page.getByText('9,000 findings', { exact: true }).waitFor()
  expect({ found, faults }).toEqual({ found: [], faults: [] })
})

test('a decision is refused when findings have changed since the preview, which is then loaded again', async () => {
  const { companyId, key } = await newFindings(200)
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/findings`)
  await page.getByRole('checkbox').nth(1).check()
  await page.getByRole('button', { name: 'Decide on all 180 findings…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Decide on all matching findings' })
  await dialog.getByRole('radio', { name: 'In progress' }).check()
  const { db } = await inside()
  await sql`
    update issue set status = 'FALSE_POSITIVE' where company_id = ${companyId} and id = (
      select max(id) from issue where company_id = ${companyId} and status = 'CREATED')`.execute(db)

  await dialog.getByRole('button', { name: 'Decide on 180 findings' }).click()

  await dialog.getByText('The filters now match 179 findings, not 180: check the list again').waitFor()
  const found = await accessibilityFaults(page)
  await startWorker()
  await dialog.getByRole('button', { name: 'Decide on 179 findings' }).click()
  await page.getByText('179 findings set to In progress.').waitFor()
  expect(found).toEqual([])
})
