// The worker's jobs: an administrator sees what was given up and why, and retries it; nobody else sees them.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { administratorKey, unique } from '../../test/testkit/client.ts'
import { inside } from '../../test/testkit/inside.ts'
import { newWorld } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories, signIn } from './browser.ts'
import { picture } from './picture.ts'

const openPage = browserStories()

const WHY = 'The vendor answered 503 five times: it is being maintained until Monday'

async function newGivenUp(task: string): Promise<void> {
  const { db } = await inside()
  const { rows } = await sql<{ id: string }>`
    select id from graphile_worker.add_job(${task}, max_attempts => 2)`.execute(db)
  await sql`select graphile_worker.permanently_fail_jobs(array[${rows[0]?.id}]::bigint[], ${WHY})`.execute(db)
}

test.each([1280, 390])('an administrator sees why a job was given up, and retries it, at %i', async (width) => {
  const { companyId } = await newWorld()
  const task = unique('pull')
  await newGivenUp(task)
  const { page } = await openPage({ viewport: { width, height: 800 } })
  await signIn(page, administratorKey(), `/companies/${companyId}/settings`)
  await page.getByRole('link', { name: 'Jobs' }).click()
  const row = page.getByRole('row', { name: new RegExp(task) })

  await page.getByRole('button', { name: 'State' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Given up' }).click()
  await page.keyboard.press('Escape')
  await page.waitForURL('**/jobs?state=GIVEN_UP')
  await row.getByText(WHY).waitFor()
  const state = await row.getByRole('gridcell').first().textContent()
  const faults = await accessibilityFaults(page)
  await picture(page, `jobs-${width}`)
  await row.getByRole('button', { name: `Retry now: ${task}` }).click()
  await row.waitFor({ state: 'detached' })
  await page.goto(`/companies/${companyId}/settings/jobs?state=WAITING`)
  await row.waitFor()

  expect({ state, faults }).toEqual({ state: 'Given up', faults: [] })
})

test('an owner is told who can see jobs', async () => {
  const { companyId, owner } = await newWorld()
  const { page } = await openPage()

  await signIn(page, owner.key, `/companies/${companyId}/settings/jobs`)

  await page
    .getByRole('heading', { name: 'Jobs cover the whole installation; only administrators can see them.' })
    .waitFor()
})
