// Whatever a scanner, a vendor or a user writes stays text on every page: nothing of it runs, loads, or becomes an element.

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { browserStories, signIn } from './browser.ts'
import { bundles } from './corpus.ts'
import { newHostile } from './hostile.ts'

const openPage = browserStories()

/** The kinds of elements and attributes on a page, and anything that would execute or, when clicked, leave the console. */
const LOOK = `(() => {
  const kinds = new Set(), runs = []
  for (const element of document.querySelectorAll('body *')) {
    kinds.add(element.localName)
    for (const { name, value } of element.attributes) {
      // The console's own data attributes come and go with its answers, and execute nothing.
      if (!name.startsWith('data-')) kinds.add('@' + name)
      const isAddress = ['href', 'src', 'action', 'formaction', 'data', 'xlink:href', 'srcdoc', 'poster'].includes(name)
      if (isAddress && !['http:', 'https:'].includes(new URL(value, location.href).protocol)) runs.push(name + '=' + value)
      if (name.startsWith('on')) runs.push(name)
    }
  }
  return { kinds: [...kinds], runs, violations: window.violations }
})()`

type Look = { kinds: string[]; runs: string[]; violations: string[] }

const withCode = ['finding', 'deploy', 'commits']

/** A snapshot of every page, by name, of a company with these texts, and of the palette that finds them. */
async function walk(page: Page, tricks: readonly string[]): Promise<Record<string, Look>> {
  const { companyId, key, pages } = await newHostile(tricks)
  await signIn(page, key, `/companies/${companyId}/settings/limits`)
  const looks: Record<string, Look> = await walkMapping(page, companyId, tricks)
  for (const { name, path, shows } of pages) {
    await page.goto(path)
    await page.locator('main').getByText(shows).first().waitFor()
    // The colours arrive from a worker after the text.
    if (withCode.includes(name)) await page.waitForLoadState('networkidle')
    looks[name] = await page.evaluate<Look>(LOOK)
  }
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menu').waitFor()
  looks.views = await page.evaluate<Look>(LOOK)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or run a command' }).fill(tricks[0] ?? '')
  await page.getByRole('option').last().waitFor()
  looks.palette = await page.evaluate<Look>(LOOK)
  return looks
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
  const mapping = await page.evaluate<Look>(LOOK)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Map a board…' }).click()
  const map = page.getByRole('dialog', { name: 'Map a board' })
  for (const field of ['Project', 'Team', 'Board']) {
    await map.getByLabel(field, { exact: true }).selectOption({ index: 1 })
  }
  await map.getByLabel('Add a state to Identified').selectOption({ index: tricks.length })
  await map.getByRole('region', { name: 'Preview' }).getByText('can get one manually').waitFor()
  const board = await page.evaluate<Look>(LOOK)
  await page.keyboard.press('Escape')
  await map.waitFor({ state: 'detached' })
  return { mapping, board }
}

const noting = `window.violations = []
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => window.violations.push(violatedDirective + ' ' + blockedURI))`

test('whatever anybody writes stays text on every page, with every attack', { timeout: 900_000 }, async () => {
  const { page } = await openPage()
  await page.addInitScript(noting)
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
