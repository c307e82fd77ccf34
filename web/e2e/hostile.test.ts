// Whatever a scanner, a vendor or a user writes stays text on every page: nothing of it runs, loads, or becomes an element.

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { administratorKey } from '../../test/testkit/client.ts'
import { browserStories, follow, signIn } from './browser.ts'
import { bundles } from './corpus.ts'
import { newHostile } from './hostile.ts'
import { type Look, lookAt, noteViolations } from './look.ts'

const openPage = browserStories()

/**
 * Their code is coloured by a worker after its text is there. These pages are loaded anew, because only then can one wait until the network
 * is idle.
 */
const withCode = ['finding', 'written', 'deploy', 'commits']

async function visit(
  page: Page,
  companyId: string,
  { name, path, shows }: { name: string; path: string; shows: string },
) {
  const isLoaded = withCode.includes(name)
  if (isLoaded) await page.goto(path)
  else {
    // by way of a page with none of the words, so that what is waited for is not seen on the page before
    await follow(page, `/companies/${companyId}/nothing`)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await follow(page, path)
  }
  await page.locator('main').getByText(shows).filter({ visible: true }).first().waitFor()
  if (isLoaded) await page.waitForLoadState('networkidle')
}

/** A snapshot of every page, by name, of a company with these texts, and of the palette that finds them. */
async function walk(page: Page, tricks: readonly string[]): Promise<Record<string, Look>> {
  const { companyId, key, pages, exchange, task } = await newHostile(tricks)
  await signIn(page, key, `/companies/${companyId}/settings/limits`)
  const looks: Record<string, Look> = await walkMapping(page, companyId, tricks)
  expect(new Set(pages.map(({ name }) => name)).size).toBe(pages.length)
  for (const one of pages) {
    await visit(page, companyId, one)
    looks[one.name] = await lookAt(page)
  }
  await page.goto(exchange)
  await page.getByRole('region', { name: 'Response' }).waitFor()
  looks.exchange = await lookAt(page)
  await page.getByRole('tab', { name: 'Reproduce' }).click()
  await page.getByText(/^curl -i -X GET/).waitFor()
  looks.curl = await lookAt(page)
  await page.goto(`/companies/${companyId}/findings`)
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menu').waitFor()
  looks.views = await lookAt(page)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or run a command' }).fill(tricks[0] ?? '')
  await page.getByRole('option').last().waitFor()
  looks.palette = await lookAt(page)
  looks.explorer = await lookAtExplorer(page, companyId, tricks)
  looks.jobs = await lookAtJobs(page, companyId, task)
  return looks
}

/** GraphiQL, with the words in its address and in the answer to a query. */
async function lookAtExplorer(page: Page, companyId: string, tricks: readonly string[]): Promise<Look> {
  const words = encodeURIComponent(tricks.join(' '))
  await page.goto(`/graphiql?company=${companyId}&query=${words}&variables=${words}&operationName=${words}`)
  await page.locator('.graphiql-tab-button').getByText('TopFindings').click()
  const answered = async () => {
    await page.getByRole('button', { name: /Execute query/ }).click()
    return page.getByText('"collection"').count()
  }
  await expect.poll(answered, { interval: 1000 }).toBe(1)
  return lookAt(page)
}

/** The jobs, which only an administrator sees: one was given up with these words. */
async function lookAtJobs(page: Page, companyId: string, task: string): Promise<Look> {
  await page.context().clearCookies()
  await signIn(page, administratorKey(), `/companies/${companyId}/settings/jobs?state=GIVEN_UP`)
  await page.getByRole('row', { name: new RegExp(task) }).waitFor()
  return lookAt(page)
}

/** The dialogs that edit an existing mapping, with its preview, and that create one: project, team, board and states. */
async function walkMapping(page: Page, companyId: string, tricks: readonly string[]): Promise<Record<string, Look>> {
  await page.goto(`/companies/${companyId}/integrations`)
  await page.getByRole('button', { name: /^Edit mapping of/ }).click()
  const change = page.getByRole('dialog', { name: 'Edit mapping' })
  await change
    .getByRole('button', { name: /^Remove / })
    .first()
    .waitFor()
  await change.getByRole('button', { name: 'Preview sync' }).click()
  await change.getByRole('list', { name: 'Sync steps' }).waitFor()
  const mapping = await lookAt(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Map a board…' }).click()
  const map = page.getByRole('dialog', { name: 'Map a board' })
  for (const field of ['Project', 'Team', 'Board']) {
    await map.getByLabel(field, { exact: true }).selectOption({ index: 1 })
  }
  await map.getByLabel('Add a state to Identified').selectOption({ index: tricks.length })
  await map.getByRole('region', { name: 'Preview' }).getByText('can get one manually').waitFor()
  const board = await lookAt(page)
  await page.keyboard.press('Escape')
  await map.waitFor({ state: 'detached' })
  return { mapping, board }
}

test('whatever anybody writes stays text on every page, with every attack', { timeout: 900_000 }, async () => {
  const { page } = await openPage()
  await noteViolations(page)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).host))
  const plain = await walk(page, ['Plain words', 'and more'])
  const usual = new Set(Object.values(plain).flatMap(({ kinds }) => kinds))

  const faults: string[] = []
  for (const tricks of bundles) {
    await page.context().clearCookies()
    for (const [name, { kinds, runs, violations }] of Object.entries(await walk(page, tricks))) {
      const strange = kinds.filter((kind) => !usual.has(kind))
      const found = [...strange, ...runs, ...violations]
      if (found.length > 0) faults.push(`${name}: ${found.join(', ')}: ${tricks.join(' ')}`)
    }
  }

  expect(faults).toEqual([])
  // A dialog, or a violation of the content security policy, would be logged and fail the test as well.
  expect(new Set(asked).size).toBe(1)
})

test('there are many attacks, and each bundle fits into a name', () => {
  expect(bundles.flat().length).toBeGreaterThanOrEqual(40)
  expect(new Set(bundles.flat()).size).toBe(bundles.flat().length)
  expect(Math.max(...bundles.map((tricks) => tricks.join(' ').length))).toBeLessThan(500)
})
