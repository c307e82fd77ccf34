// What a page shows before its answer arrives, when none can be had, and when it is empty.

import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { administratorKey, run } from '../../test/testkit/client.ts'
import { accessibilityFaults, browserStories, signIn } from './browser.ts'
import { newFurnished, pagesOf } from './furnished.ts'
import { picture } from './picture.ts'

const openPage = browserStories()

/** Pages that query nothing. */
const silent = ['settings', 'jobs']

async function furnishedPages(page: Page) {
  const furnished = await newFurnished()
  await signIn(page, furnished.key, `/companies/${furnished.companyId}/settings/limits`)
  return pagesOf(furnished).filter(({ name }) => !silent.includes(name))
}

/** Retries each failed part of the page until this text appears. */
async function comesBack(page: Page, shows: string): Promise<boolean> {
  const main = page.locator('main')
  for (let round = 0; round < 8; round++) {
    const isBack = await main
      .getByText(shows)
      .first()
      .waitFor({ timeout: round === 0 ? 500 : 2_000 })
      .then(
        () => true,
        () => false,
      )
    if (isBack) return true
    // With a panel open, the last button lies above the others.
    const again = main.getByRole('button', { name: 'Try again' }).last()
    // The button may disappear on its own if the page has refetched meanwhile.
    if (await again.isVisible()) await again.click({ timeout: 2_000 }).catch(() => {})
  }
  return false
}

/** Withholds all answers from now on; once `refuse` is called, each request fails at once. */
async function withoutAnswers(page: Page): Promise<{ refuse: () => void }> {
  let refuse = () => {}
  const held = new Promise<void>((resolve) => {
    refuse = resolve
  })
  await page.route('**/graphql', async (route) => {
    await held
    await route.abort()
  })
  return { refuse }
}

const isThere = (what: Locator, state: 'attached' | 'visible' = 'visible'): Promise<boolean> =>
  what.waitFor({ state, timeout: 20_000 }).then(
    () => true,
    () => false,
  )

test('every page says that it loads, then why it has no answer, and recovers when it is retried', {
  timeout: 300_000,
}, async () => {
  const { page, complaints } = await openPage({ viewport: { width: 390, height: 780 }, colorScheme: 'dark' })
  const main = page.locator('main')
  const wrong: Record<string, unknown> = {}
  for (const { name, path, shows } of await furnishedPages(page)) {
    const { refuse } = await withoutAnswers(page)
    await page.goto(path)
    const isLoading = await isThere(main.getByText('Loading').first(), 'attached')
    refuse()
    const alert = main.getByRole('alert').filter({ hasText: 'The server cannot be reached' }).first()
    const isTold = await isThere(alert)
    const faults = await accessibilityFaults(page)
    await page.unroute('**/graphql')
    const isBack = await comesBack(page, shows)
    if (!isLoading || !isTold || !isBack || faults.length > 0) wrong[name] = { isLoading, isTold, isBack, faults }
  }
  // The browser logs the aborted requests; nothing else may have gone wrong.
  expect(complaints.filter((complaint) => !complaint.includes('ERR_FAILED'))).toEqual([])
  complaints.length = 0

  expect(wrong).toEqual({})
})

/** The text of each empty list. */
const empties = {
  overview: 'No assets yet',
  changes: 'No events yet',
  findings: 'No open findings',
  deploys: 'No deploys yet',
  assets: 'No assets yet',
  applications: 'No applications yet',
  projects: 'No projects yet',
  scans: 'No scans yet',
  requirements: 'No requirements yet',
  'requirements/threat-models': 'No threat models yet',
  tickets: 'No tickets',
  'integrations?tab=exchanges': 'No sync activity yet',
  'integrations?tab=decisions': 'No scanner receives decisions',
  attachments: 'No files yet',
  secrets: 'No secrets yet',
  seals: 'No seals yet',
  certificates: 'No credits',
  'requirements?as=matrix': 'No requirements with attack patterns',
  'settings/users': 'No people in this company yet',
  'settings/notifications': 'No notification channels yet',
  'settings/webhooks': 'No deliveries yet',
}

test.each([1280, 360])(
  'every empty list says what would be here and leads on, at %i',
  { timeout: 300_000 },
  async (width) => {
    // without any member, so that the list of people is empty as well
    const { createCompany } = await run(
      administratorKey(),
      'mutation { createCompany(input: { label: "Nothing yet" }) { company { id } } }',
    )
    const companyId: string = createCompany.company.id
    const { page } = await openPage({ viewport: { width, height: 740 } })
    await signIn(page, administratorKey(), `/companies/${companyId}/settings/limits`)

    const faults: Record<string, string[]> = {}
    for (const [path, says] of Object.entries(empties)) {
      await page.goto(`/companies/${companyId}/${path}`)
      const heading = page.locator('main').getByRole('heading', { name: says })
      await heading.waitFor()
      await picture(page, `empty-${path.replaceAll(/\W/g, '-')}-${width}`)
      const found = await accessibilityFaults(page)
      if ((await heading.locator('xpath=..').locator('a, button').count()) === 0) found.push('It leads nowhere')
      if ((await page.getByRole('checkbox', { name: /^Select all/ }).count()) > 0)
        found.push('All of nothing can be chosen')
      if (found.length > 0) faults[path] = found
    }

    expect(faults).toEqual({})
  },
)
