// Whole tasks without a mouse: the focus is never lost, always visible, and reaches everything.

import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { BOARD, PROJECT, serveBoards, TEAM } from '../../test/testkit/boards-fake.ts'
import { commit } from '../../test/testkit/deploys.ts'
import { emptyTree, newAsset, newDeploy, newWorld } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories } from './browser.ts'
import { fileOf } from './files.ts'
import { withKeyboard } from './keyboard.ts'
import { picture } from './picture.ts'

const openPage = browserStories()

const names = Array.from({ length: 12 }, (_, number) => `part-${String(number).padStart(2, '0')}`)

/** A deploy that adds twelve files, and a scanner's finding in each of them. */
const diff = names
  .map((name) =>
    [
      `diff --git a/src/${name}.ts b/src/${name}.ts`,
      'new file mode 100644',
      '--- /dev/null',
      `+++ b/src/${name}.ts`,
      '@@ -0,0 +1,2 @@',
      '+const given = read()',
      `+danger(given, '${name}')`,
      '',
    ].join('\n'),
  )
  .join('')

const sarif = JSON.stringify({
  version: '2.1.0',
  runs: [
    {
      tool: { driver: { name: 'semgrep', rules: [] } },
      results: names.map((name) => ({
        ruleId: 'danger',
        level: 'error',
        message: { text: `Danger in ${name}` },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: `src/${name}.ts` },
              region: { startLine: 2, snippet: { text: `danger(given, '${name}')` } },
            },
          },
        ],
      })),
    },
  ],
})

test('a report is sent, ten findings are decided on, and the gate is checked and edited, without a mouse', async () => {
  const { companyId, owner } = await newWorld()
  const asset = await newAsset(owner.key, companyId, { name: 'storefront' })
  await newDeploy(owner.key, asset.id, diff, {
    previousCommit: emptyTree,
    currentCommit: commit('b'),
    branchName: 'main',
  })
  const { page } = await openPage()
  const by = await withKeyboard(page)
  const main = page.getByRole('main')
  const go = async (section: string) => {
    await by.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or run a command' }).and(page.locator(':focus')).waitFor()
    await by.type(`go to ${section}`)
    await by.press('Enter')
    await page.getByRole('heading', { name: section, level: 1 }).waitFor()
  }
  const focusedRow = page.getByRole('row').and(page.locator(':focus'))
  const decideHere = async (title: string) => {
    const dialog = page.getByRole('dialog', { name: title, exact: true })
    await dialog.getByRole('radio').and(page.locator(':focus')).waitFor()
    const wanted = dialog.getByRole('radio', { name: 'False positive' })
    while (!(await wanted.isChecked())) await by.press('ArrowDown')
    await by.fill(dialog.getByLabel('Reason'), 'Generated code')
    await by.press('Control+Enter')
    await dialog.waitFor({ state: 'detached' })
  }
  const back = async (target: Locator) => {
    await by.tabTo(target, 'Shift+Tab')
    await by.press('Enter')
  }
  const faults: string[] = []

  await page.goto('/')
  await page.getByLabel('API key').and(page.locator(':focus')).waitFor()
  await by.type(owner.key)
  await by.press('Enter')
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  await by.enter(page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Assets' }))
  await page.getByRole('row', { name: /storefront/ }).waitFor()
  await by.press('j', 'Enter')
  await page.getByRole('heading', { name: 'storefront' }).and(page.locator(':focus')).waitFor()
  const ofDeploy = main.getByLabel('Scanned deploy')
  await by.tabTo(ofDeploy)
  await by.type('main bbb')
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), back(main.locator('input[type=file]'))])
  await chooser.setFiles(fileOf('semgrep.sarif', sarif))
  await page.getByText('12 new').waitFor()
  await expect.poll(() => by.where()).toContain('Import a report')
  await by.enter(main.getByRole('link', { name: 'semgrep.sarif' }))
  await page.getByText('Matched by').waitFor()

  await go('Findings')
  await page.getByText('12 findings', { exact: true }).waitFor()
  await by.press('?')
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await keys.waitFor()
  await by.press('Escape')
  await keys.waitFor({ state: 'detached' })
  await by.press('/')
  await by.type('part-07')
  await page.getByText('1 finding', { exact: true }).waitFor()
  await by.press('Control+a', 'Delete', 'Escape')
  await page.getByText('12 findings', { exact: true }).waitFor()
  // the next row takes the place of the one decided on, and the focus
  await by.press('j')
  for (let left = 11; left > 6; left--) {
    await by.note()
    await by.press('d')
    await decideHere('Decide')
    await page.getByText(`${left} findings`, { exact: true }).waitFor()
    await focusedRow.waitFor()
  }
  await by.press('Enter')
  const panel = page.getByRole('complementary', { name: 'Finding' })
  const title = panel.getByRole('heading', { name: /Danger in/ })
  const before = await title.textContent()
  await by.press('j')
  // wait for the next finding's panel, so that Tab does not move through the previous one as it disappears
  await expect.poll(() => title.textContent()).not.toBe(before)
  await by.tabTo(panel.getByRole('tab', { name: 'Overview', exact: true }))
  await by.press('ArrowRight', 'Enter')
  await panel.getByRole('heading', { name: 'Location history' }).waitFor()
  await by.note()
  await by.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await focusedRow.waitFor()
  for (let number = 0; number < 5; number++) await by.press('x', 'j')
  await page.getByText('5 findings selected').waitFor()
  await picture(page, 'keyboard-chosen')
  await by.press('d')
  await decideHere('Decide on 5 findings')
  await page.getByText('2 findings', { exact: true }).waitFor()

  await go('Deploys')
  await page.getByRole('row', { name: /bbbbbbbbbb/ }).waitFor()
  await by.press('j', 'Enter')
  const gate = page.getByRole('region', { name: 'Gate verdict' })
  await gate.waitFor()
  await gate.getByText('Blocked', { exact: true }).waitFor()
  await gate.getByText('2 introduced findings of critical or high severity (none allowed)').waitFor()

  await by.enter(gate.getByRole('link', { name: 'Policies' }))
  await by.enter(page.getByRole('button', { name: 'Add rule' }))
  const adding = page.getByRole('dialog', { name: 'Add rule' })
  await by.fill(adding.getByLabel('Name'), 'Old ones')
  await by.tabTo(adding.getByLabel('Findings', { exact: true }))
  await by.type('open on')
  await by.fill(adding.getByLabel('Maximum allowed'), '1')
  await by.tabTo(adding.getByLabel('Suppressed, accepted and false-positive findings'))
  await by.type('Not counted only')
  await by.tabTo(adding.getByLabel('If exceeded'))
  await by.type('Warn')
  await by.enter(adding.getByRole('button', { name: 'Add rule' }))
  const rules = page.getByRole('list', { name: 'Gate rules' })
  await rules.getByText('Old ones').waitFor()
  await rules
    .getByText('more than 1 open finding of critical or high severity, even if suppressed by a report')
    .waitFor()
  await adding.waitFor({ state: 'detached' })
  await by.note()
  await by.enter(rules.getByRole('button', { name: /^Edit .*any introduced finding of critical or high severity/ }))
  const changing = page.getByRole('dialog', { name: 'Edit rule' })
  await by.fill(changing.getByLabel('Maximum allowed'), '2')
  await by.press('Enter')
  await rules.getByText('more than 2 introduced findings of critical or high severity').waitFor()
  await changing.waitFor({ state: 'detached' })
  await by.note()
  faults.push(...(await accessibilityFaults(page)))

  await go('Deploys')
  await page.getByRole('row', { name: /bbbbbbbbbb/ }).waitFor()
  await by.press('j', 'Enter')
  await gate.getByText('Warned', { exact: true }).waitFor()
  expect({ faults, onTheWay: by.faults }).toEqual({ faults: [], onTheWay: [] })
})

test('a tracker is connected, and its states are mapped to statuses and changed, without a mouse', async () => {
  const { companyId, owner } = await newWorld()
  await serveBoards()
  const { page } = await openPage()
  const by = await withKeyboard(page)
  await page.goto(`/companies/${companyId}/integrations`)
  await page.getByLabel('API key').and(page.locator(':focus')).waitFor()
  await by.type(owner.key)
  await by.press('Enter')

  await by.enter(page.getByRole('button', { name: 'Connect Azure DevOps' }))
  const dialog = page.getByRole('dialog', { name: 'Connect Azure DevOps' })
  await by.fill(dialog.getByLabel('Organisation'), 'acme')
  await by.fill(dialog.getByLabel('Personal access token'), 'pat')
  await by.press('Enter')
  await dialog.getByLabel('Project').waitFor()
  await expect.poll(() => by.where()).toContain('Connect Azure DevOps')
  await by.note()
  for (const [label, option] of [
    ['Project', PROJECT.name],
    ['Team', TEAM.name],
    ['Board', BOARD.name],
  ] as const) {
    const field = dialog.getByLabel(label, { exact: true })
    await field.getByRole('option', { name: option, exact: true }).waitFor({ state: 'attached' })
    await by.tabTo(field)
    await by.type(option)
  }
  const give = async (status: string, state: string) => {
    await by.tabTo(page.getByRole('dialog').getByLabel(`Add a state to ${status}`))
    await by.type(state)
    await page
      .getByRole('dialog')
      .getByRole('region', { name: status, exact: true })
      .getByRole('listitem')
      .filter({ hasText: state })
      .waitFor()
  }
  await give('Identified', 'New')
  await give('In progress', 'Active')
  await give('Fix accepted', 'Closed')
  await by.enter(dialog.getByRole('button', { name: 'Check and map' }))
  await dialog.getByText('No changes: all cards').waitFor()
  await by.enter(dialog.getByRole('button', { name: 'Test Azure DevOps' }))
  await dialog.getByText('Azure DevOps accepts the credential.').waitFor()
  await by.note()
  await by.enter(dialog.getByRole('button', { name: 'Done' }))
  await dialog.waitFor({ state: 'detached' })
  await page.getByText(`All assets → ${PROJECT.name} / ${BOARD.name}`).waitFor()
  await expect.poll(() => by.where()).toContain('main')

  await by.enter(page.getByRole('button', { name: /^Edit mapping of/ }))
  const changing = page.getByRole('dialog', { name: 'Edit mapping' })
  await changing.getByRole('region', { name: 'In progress' }).waitFor()
  await by.enter(changing.getByRole('button', { name: 'Remove Active from In progress' }))
  await changing.getByRole('button', { name: 'Remove Active from In progress' }).waitFor({ state: 'detached' })
  await expect.poll(() => by.where()).toContain('Edit mapping')
  await by.note()
  await give('In progress', 'Resolved')
  await by.enter(changing.getByRole('button', { name: 'Verify and save' }))
  await changing.waitFor({ state: 'detached' })
  await by.note()
  await by.enter(page.getByRole('button', { name: /^Delete mapping of/ }))
  await by.enter(page.getByRole('dialog').getByRole('button', { name: 'Delete mapping' }))
  await page.getByRole('button', { name: /^Delete mapping of/ }).waitFor({ state: 'detached' })
  await expect.poll(() => by.where()).toContain('main')
  await by.note()

  expect(by.faults).toEqual([])
})
