// Findings exported to a file: those that match the list's filters, or those chosen; a refusal says why.

import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { newHome, sast, upsert } from '../../test/testkit/findings.ts'
import { newPerson } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories, signIn } from './browser.ts'
import { picture } from './picture.ts'

const openPage = browserStories()

async function newFindings() {
  const home = await newHome()
  for (const [title, severity, fileName] of [
    ['SQL built from input', 'CRITICAL', 'src/users.ts'],
    ['Path from a request', 'HIGH', 'src/files.ts'],
    ['Weak hash', 'LOW', 'src/hash.ts'],
  ]) {
    await upsert(home.key, sast(home.assetId, { title, severity, fileName }))
  }
  return home
}

async function downloaded(page: Page): Promise<{ name: string; text: string }> {
  const link = page.getByRole('dialog', { name: 'Export ready' }).getByRole('link', { name: /^Download/ })
  await link.and(page.locator(':focus')).waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') }
}

test('the findings that match the filters are exported as CSV, and all findings as NDJSON', async () => {
  const { key, companyId } = await newFindings()
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/findings?severity=CRITICAL,HIGH&search=from`)
  await page.getByText('2 findings', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Export…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export findings' })
  await dialog.getByText('2 findings in the list.').waitFor()
  const faults = await accessibilityFaults(page)
  await picture(page, 'export-light')
  await page.keyboard.press('Enter')
  const csv = await downloaded(page)
  faults.push(...(await accessibilityFaults(page)))
  await page.keyboard.press('Escape')
  await page.goto(`/companies/${companyId}/findings`)
  await page.getByText('3 findings', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Export…' }).click()
  await dialog.getByRole('radio', { name: /^NDJSON/ }).check()
  await dialog.getByRole('button', { name: 'Create file' }).click()
  const ndjson = await downloaded(page)

  expect(csv.name).toMatch(/^merlon-\d+\.csv$/)
  const [head = '', ...rows] = csv.text.trim().split('\r\n')
  expect(head).toMatch(/^id,asset,assetId,type,severity,status/)
  expect(rows.map((row) => /SQL built from input|Path from a request/.exec(row)?.[0]).sort()).toEqual([
    'Path from a request',
    'SQL built from input',
  ])
  expect(ndjson.name).toMatch(/\.ndjson$/)
  expect(ndjson.text.match(/Weak hash|SQL built from input|Path from a request/g)?.length).toBeGreaterThanOrEqual(3)
  expect(faults).toEqual([])
})

test('when findings are chosen, only those are exported', async () => {
  const { key, companyId } = await newFindings()
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/findings`)
  await page.getByRole('row', { name: /Weak hash/ }).waitFor()

  for (const press of ['j', 'j', 'j', 'x']) await page.keyboard.press(press)
  await page.getByRole('button', { name: 'Export…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export findings' })
  await dialog.getByRole('radio', { name: 'Selected: 1 finding', checked: true }).waitFor()
  await dialog.getByRole('radio', { name: /^SARIF/ }).check()
  await dialog.getByRole('button', { name: 'Create file' }).click()
  const { name, text } = await downloaded(page)

  expect(name).toMatch(/\.sarif$/)
  const [run] = JSON.parse(text).runs
  expect(run.results).toHaveLength(1)
  expect(text).toContain('Weak hash')
})

test('a format that cannot hold these findings is refused in the server’s words, and the form keeps its values', async () => {
  const { key, companyId } = await newFindings()
  const { page } = await openPage({ viewport: { width: 390, height: 780 }, colorScheme: 'dark' })
  await signIn(page, key, `/companies/${companyId}/findings`)

  await page.getByRole('button', { name: 'Export…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export findings' })
  await dialog.getByRole('radio', { name: /^OpenVEX/ }).check()
  await dialog.getByRole('button', { name: 'Create file' }).click()

  await dialog.getByRole('alert').getByText('None of the findings names a vulnerability in a component').waitFor()
  expect(await dialog.getByRole('radio', { name: /^OpenVEX/ }).isChecked()).toBe(true)
  await picture(page, 'export-phone-dark')
  expect(await accessibilityFaults(page)).toEqual([])
})

test('a reader exports findings to a file, and a key that may not read says why it cannot', async () => {
  const { companyId } = await newFindings()
  const reader = await newPerson(companyId, 'READER')
  const { key: writing } = await newPerson(companyId, 'READER', ['write'])
  const { page } = await openPage()
  await signIn(page, reader.key, `/companies/${companyId}/findings`)
  await page.getByText('3 findings', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Export…' }).click()
  await page.getByRole('button', { name: 'Create file' }).click()
  const { text } = await downloaded(page)
  await page.context().clearCookies()
  await signIn(page, writing, `/companies/${companyId}/findings`)
  const button = page.getByRole('button', { name: 'Export…', disabled: true })
  await button.hover()
  const why = 'This requires a key with the scope read; yours does not have it.'
  await page.getByText(why).waitFor()

  expect(text).toContain('Weak hash')
  expect(await button.getAttribute('aria-description')).toBe(why)
})
