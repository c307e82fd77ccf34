// Findings in the browser: filtered, navigated and decided on by keyboard, with a reason for each refusal.

import { expect, test } from 'vitest'
import { run } from '../../test/testkit/client.ts'
import { newHome, sast, upsert } from '../../test/testkit/findings.ts'
import { newPerson } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories, signIn } from './browser.ts'

const openPage = browserStories()

const code = ['function find(name) {', '  const text = "select " + name', '  return db.query(text)', '}'].join('\n')

/** A company with three findings of different severities. */
async function newFindings() {
  const home = await newHome()
  const titles = [
    ['SQL built from input', 'CRITICAL', 'src/users.ts'],
    ['Path from a request', 'HIGH', 'src/files.ts'],
    ['Weak hash', 'LOW', 'src/hash.ts'],
  ] as const
  for (const [title, severity, fileName] of titles) {
    const place = { codeSnippet: code, firstLine: 9, vulnerableLine: 11, fileName }
    await upsert(home.key, sast(home.assetId, { title, severity, ...place }))
  }
  return home
}

const idOf = async (key: string, companyId: string, search: string): Promise<string> => {
  const query = `query ($companyId: ID!, $search: String) {
    issues(companyId: $companyId, filters: { search: $search }, pagination: { perPage: 1 }) { collection { id } } }`
  return (await run(key, query, { companyId, search })).issues.collection[0].id
}

const change = (key: string, id: string, status: string) =>
  run(key, 'mutation ($input: ChangeIssueStatusInput!) { changeIssueStatus(input: $input) { issue { id } } }', {
    input: { id, status },
  })

test('a finding is found by filter and decided on by keyboard, and its timeline shows the decision', async () => {
  const { key, companyId } = await newFindings()
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/findings`)

  await page.getByRole('button', { name: 'Severity' }).first().click()
  await page.getByRole('menuitemcheckbox', { name: 'Critical' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'High' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await page.getByText('2 findings', { exact: true }).waitFor()
  expect(new URL(page.url()).searchParams.get('severity')).toBe('CRITICAL,HIGH')

  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const panel = page.getByRole('complementary', { name: 'Finding' })
  await panel.getByRole('heading', { name: 'Path from a request' }).waitFor()
  await page.keyboard.press('k')
  await panel.getByRole('heading', { name: 'SQL built from input' }).waitFor()
  await expect
    .poll(() => panel.getByText('Line of the finding').locator('..').textContent())
    .toContain('db.query(text)')

  await page.keyboard.press('d')
  const dialog = page.getByRole('dialog', { name: 'Decide' })
  await dialog.getByRole('radio', { name: 'Risk accepted' }).check()
  await dialog.getByLabel('Reason').fill('Reachable by administrators alone')
  await page.keyboard.press('Control+Enter')

  const timeline = panel.getByRole('region', { name: 'Timeline' })
  await timeline.getByText('Created → Risk accepted').waitFor()
  await expect.poll(() => timeline.textContent()).toContain('Reachable by administrators alone')
  await page.getByText('1 finding', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
})

test('a finding is assigned by keyboard, and the list is filtered by one’s own findings', async () => {
  const { key, companyId } = await newFindings()
  const me = await newPerson(companyId, 'ANALYST')
  const { page } = await openPage()
  await signIn(page, me.key, `/companies/${companyId}/findings/${await idOf(key, companyId, 'Weak hash')}`)
  const panel = page.getByRole('complementary', { name: 'Finding' })
  await panel.getByText('Unassigned').waitFor()

  await page.keyboard.press('a')
  const dialog = page.getByRole('dialog', { name: 'Assign' })
  const found = page.getByRole('dialog', { name: 'Choose from people' })
  await dialog.getByRole('combobox', { name: 'Assigned to' }).press('Enter')
  await found.getByRole('combobox').fill(me.email)
  await found.getByRole('option', { name: me.email }).waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await found.waitFor({ state: 'detached' })
  expect(await accessibilityFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Assign' }).click()

  await page.getByText('Weak hash assigned to A person.').waitFor()
  await panel.getByText('Assigned to A person', { exact: true }).waitFor()
  await panel.getByRole('region', { name: 'Timeline' }).getByText(`Assigned: ${me.email}`).waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('3 findings', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Assigned' }).click()
  await found.getByRole('option', { name: me.email }).click()
  await page.getByText('1 finding', { exact: true }).waitFor()
  expect(new URL(page.url()).searchParams.getAll('assigned')).toEqual([me.email])
  await page.getByRole('button', { name: 'Assigned: you' }).waitFor()
})

test('many findings are chosen by keyboard and decided on at once', async () => {
  const { key, companyId } = await newFindings()
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/findings`)
  await page.getByRole('row', { name: /Weak hash/ }).waitFor()

  for (const press of ['j', 'x', 'j', 'x', 'd']) await page.keyboard.press(press)
  const dialog = page.getByRole('dialog', { name: 'Decide on 2 findings' })
  await dialog.getByRole('radio', { name: 'In progress' }).check()
  await dialog.getByRole('button', { name: 'Decide' }).click()

  await page.getByText('2 findings set to In progress.').waitFor()
  await page.getByRole('gridcell', { name: 'In progress' }).nth(1).waitFor()
})

test('two findings that are the same are merged from the list, and split again where the panel explains the merge', async () => {
  const { key, companyId } = await newFindings()
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/findings`)
  await page.getByRole('row', { name: /Weak hash/ }).waitFor()
  for (const press of ['j', 'x']) await page.keyboard.press(press)
  const chosen = page.getByRole('region', { name: 'Selection' })
  await chosen.getByRole('button', { name: 'Merge…', disabled: true }).waitFor()
  for (const press of ['j', 'x']) await page.keyboard.press(press)

  await chosen.getByRole('button', { name: 'Merge…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Merge 2 findings' })
  await dialog.getByRole('radio', { name: /Path from a request/ }).check()
  await dialog.getByLabel('Reason').fill('The same line, told twice')
  const faults = await accessibilityFaults(page)
  await dialog.getByRole('button', { name: 'Merge' }).click()
  await page.getByText('1 finding merged into Path from a request.').waitFor()
  await page.getByText('2 findings', { exact: true }).waitFor()

  await page.getByRole('row', { name: /Path from a request/ }).click()
  const panel = page.getByRole('complementary', { name: 'Finding' })
  await panel.getByRole('tab', { name: 'Identity' }).click()
  await panel.getByText('The same line, told twice').waitFor()
  await panel
    .getByRole('button', { name: /^Split off what .* reports$/ })
    .first()
    .click()
  const splitting = page.getByRole('dialog', { name: 'Split off' })
  await splitting.getByLabel('Reason').fill('Two lines after all')
  faults.push(...(await accessibilityFaults(page)))
  await splitting.getByRole('button', { name: 'Split off' }).click()
  await page.getByText(/^SQL built from input split off as finding \d+\.$/).waitFor()
  await page.getByText('3 findings', { exact: true }).waitFor()
  await panel.getByText('The same line, told twice').waitFor({ state: 'detached' })

  expect(faults).toEqual([])
})

test('a status that a finding may not go to is shown with the reason', async () => {
  const { key, companyId, assetId } = await newFindings()
  const { issue } = await upsert(key, sast(assetId, { title: 'Weak hash', severity: 'LOW', fileName: 'src/hash.ts' }))
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/findings/${issue.id}`)

  await page.getByRole('complementary').getByRole('button', { name: 'Decide' }).click()
  const dialog = page.getByRole('dialog', { name: 'Decide' })

  expect(await dialog.getByRole('radio', { name: 'Awaiting validation – not from Created' }).isDisabled()).toBe(true)
  expect(await dialog.getByRole('radio', { name: 'Created – current status' }).isDisabled()).toBe(true)
})

test('for findings chosen in the list, only what all of them permit is offered, and the first such status has the focus', async () => {
  const { key, companyId } = await newFindings()
  await change(key, await idOf(key, companyId, 'SQL built from input'), 'IN_PROGRESS')
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/findings`)
  await page.getByRole('row', { name: /Weak hash/ }).waitFor()

  for (const press of ['j', 'd']) await page.keyboard.press(press)
  const one = page.getByRole('dialog', { name: 'Decide' })
  await one.getByRole('radio', { name: 'In progress – current status' }).waitFor()
  expect(await one.getByRole('radio', { name: 'Created – not from In progress' }).isDisabled()).toBe(true)
  expect(await one.getByRole('radio', { name: 'Awaiting validation' }).isEnabled()).toBe(true)
  await page.keyboard.press('Escape')
  await one.waitFor({ state: 'detached' })

  for (const press of ['x', 'j', 'x', 'd']) await page.keyboard.press(press)
  const two = page.getByRole('dialog', { name: 'Decide on 2 findings' })
  const refused = two.getByRole('radio', { name: 'Awaiting validation – not from Created (1 of 2)' })
  await refused.waitFor()
  expect(await refused.isDisabled()).toBe(true)
  expect(await two.getByRole('radio', { name: 'In progress', exact: true }).isEnabled()).toBe(true)
  await expect.poll(() => two.locator('input:focus').getAttribute('value')).toBe('IDENTIFIED')
})

test('a refusal by the server appears in the dialog in its words, and nothing typed is lost', async () => {
  const { key, companyId } = await newFindings()
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/findings`)
  await page.getByRole('row', { name: /Weak hash/ }).waitFor()

  for (const press of ['j', 'x', 'j', 'x', 'd']) await page.keyboard.press(press)
  const dialog = page.getByRole('dialog', { name: 'Decide on 2 findings' })
  await dialog.getByRole('radio', { name: 'In progress' }).check()
  await dialog.getByLabel('Reason').fill('Somebody looks at it')
  await change(key, await idOf(key, companyId, 'SQL built from input'), 'FIX_ACCEPTED')
  await dialog.getByRole('button', { name: 'Decide' }).click()

  await dialog.getByRole('alert').getByText('An issue that is FIX_ACCEPTED can become IDENTIFIED').waitFor()
  expect(await dialog.getByLabel('Reason').inputValue()).toBe('Somebody looks at it')
})

test('a user who may not decide sees the button disabled, with the reason', async () => {
  const { companyId } = await newFindings()
  const reader = await newPerson(companyId, 'READER', ['read'])
  const { page } = await openPage()
  await signIn(page, reader.key, `/companies/${companyId}/findings`)
  await page.getByRole('row', { name: /Weak hash/ }).click()

  const button = page.getByRole('complementary').getByRole('button', { name: 'Decide' })
  await button.hover()

  expect(await button.getAttribute('aria-disabled')).toBe('true')
  await page.getByText('This requires a key with the scope issues:decide').waitFor()
})

test('the code of a finding is highlighted without a change to its text', async () => {
  const { key, companyId } = await newFindings()
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/findings`)
  await page.getByRole('row', { name: /Weak hash/ }).click()
  const shown = page.getByRole('region', { name: 'Code of src/hash.ts' })
  await shown.waitFor()
  const plain = await shown.textContent()

  await shown.locator('span[style*="color"]').first().waitFor()

  expect(await shown.textContent()).toBe(plain)
})

test('a finding explains its identity and its priority, and says that no tracker is connected for a card', async () => {
  const { key, companyId } = await newFindings()
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/findings`)
  await page.getByRole('row', { name: /Weak hash/ }).click()
  const panel = page.getByRole('complementary', { name: 'Finding' })

  await panel.getByRole('tab', { name: 'Identity' }).click()
  await panel.getByRole('heading', { name: 'Location history' }).waitFor()
  await panel.getByRole('tab', { name: 'Priority' }).click()
  await panel.getByText(/of 100/).waitFor()
  await panel.getByRole('tab', { name: 'Card' }).click()
  await panel.getByText('No card in a tracker yet.').waitFor()
  await panel.getByRole('button', { name: 'Create card' }).click()

  expect(await panel.getByRole('alert').textContent()).toMatch(/tracker|configur/i)
  expect(await accessibilityFaults(page)).toEqual([])
})

test('whatever scanners say is shown as text', async () => {
  const home = await newHome()
  const hostile = '<img src=x onerror=alert(1)><script>alert(2)</script>'
  await upsert(
    home.key,
    sast(home.assetId, { title: hostile, description: hostile, codeSnippet: hostile, fileName: `a/${hostile}` }),
  )
  const { page } = await openPage()
  await signIn(page, home.key, `/companies/${home.companyId}/findings`)

  await page.getByRole('row', { name: /onerror/ }).click()
  await page.getByRole('complementary').getByRole('heading', { name: hostile }).waitFor()

  expect(await page.locator('img[src="x"], main script').count()).toBe(0)
})

test.each(['light', 'dark'] as const)('axe finds nothing on the pages of findings in %s', async (colorScheme) => {
  const { key, companyId } = await newFindings()
  const { page } = await openPage({ colorScheme, reducedMotion: 'reduce' })
  await signIn(page, key, `/companies/${companyId}/findings`)
  await page.getByRole('row', { name: /Weak hash/ }).waitFor()

  const list = await accessibilityFaults(page)
  await page.getByRole('row', { name: /Weak hash/ }).click()
  await page.getByRole('complementary').getByRole('heading', { name: 'Weak hash' }).waitFor()
  const panel = await accessibilityFaults(page)
  await page.keyboard.press('d')
  await page.getByRole('dialog').waitFor()
  const dialog = await accessibilityFaults(page)

  expect({ list, panel, dialog }).toEqual({ list: [], panel: [], dialog: [] })
})

test('a list of many findings is scrolled to its end, page by page', async () => {
  const { key, companyId, assetId } = await newHome()
  const findings = Array.from({ length: 240 }, (_, place) => ({
    sastFinding: sast(assetId, { title: `Finding ${place}`, fileName: `src/${place}.ts`, severity: 'LOW' }),
  }))
  await run(
    key,
    'mutation ($input: BatchCreateOrUpdateFindingsInput!) { batchCreateOrUpdateFindings(input: $input) { clientMutationId } }',
    { input: { findings } },
  )
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/findings?order=CREATED_AT-ASC`)
  await page.getByText('240 findings', { exact: true }).waitFor()

  const last = page.getByRole('row', { name: /Finding 239/ })
  while (!(await last.isVisible())) {
    await page.getByRole('grid').hover()
    await page.mouse.wheel(0, 1_500)
    await page.waitForTimeout(50)
  }

  await last.waitFor()
  expect(await page.getByRole('row').count()).toBeLessThan(80)
})
