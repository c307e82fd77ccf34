// One deploy in the browser: its diff by file, with its effect on findings shown on their old and new lines.

import { expect, test } from 'vitest'
import type { Data } from '../../test/testkit/client.ts'
import { commit } from '../../test/testkit/deploys.ts'
import { newHome, sast, upsert } from '../../test/testkit/findings.ts'
import { reviewed } from '../../test/testkit/reviews.ts'
import { emptyTree, newDeploy } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories, signIn } from './browser.ts'

const openPage = browserStories()

const numbered = (count: number, sign: string, from = 1) =>
  Array.from({ length: count }, (_, index) => `${sign}line ${from + index}`)

const added = (path: string, count: number) => [
  '--- /dev/null',
  `+++ b/${path}`,
  `@@ -0,0 +1,${count} @@`,
  ...numbered(count, '+'),
]

/**
 * src/a.ts: a line is added after the first of forty, and line 38 is removed. src/b.ts: a line is added before the
 * first, and line 2 is replaced.
 */
const changes = [
  '--- a/src/a.ts',
  '+++ b/src/a.ts',
  '@@ -1,40 +1,40 @@',
  ...numbered(1, ' '),
  '+something new',
  ...numbered(36, ' ', 2),
  ...numbered(1, '-', 38),
  ...numbered(2, ' ', 39),
  '--- a/src/b.ts',
  '+++ b/src/b.ts',
  '@@ -1,3 +1,5 @@',
  '+line zero',
  ...numbered(1, ' '),
  '-line 2',
  '+line two',
  '+and a half',
  ...numbered(1, ' ', 3),
]

async function newStory() {
  const { key, companyId, assetId } = await newHome()
  const deploy = (from: string, to: string, diff: readonly string[]) =>
    newDeploy(key, String(assetId), `${diff.join('\n')}\n`, {
      previousCommit: from,
      currentCommit: to,
      branchName: 'main',
    })
  const report = (title: string, fileName: string, line: number, more: Data = {}) =>
    upsert(key, {
      ...sast(assetId, { title, ruleId: title, severity: 'MEDIUM', fileName, vulnerableLine: line, firstLine: line }),
      codeSnippet: `line ${title}`,
      branchName: 'main',
      ...more,
    })
  await deploy(emptyTree, commit('a'), [...added('src/a.ts', 40), ...added('src/b.ts', 3)])
  await report('Carried along', 'src/a.ts', 20)
  await report('Taken out', 'src/a.ts', 38)
  await report('Rewritten', 'src/b.ts', 2)
  const plain = Array.from({ length: 12 }, (_, index) => added(`docs/${index}.md`, 2)).flat()
  const { id } = await deploy(commit('a'), commit('b'), [
    ...plain,
    ...added('src/generated.ts', 450),
    ...changes,
    ...added('src/big.ts', 500),
  ])
  await report('Brought in', 'src/big.ts', 250, { deployId: id })
  return { key, path: `/companies/${companyId}/deploys/${id}` }
}

test('introduced, touched, moved and fixed findings appear on their lines, and files with findings come first', async () => {
  const { key, path } = await newStory()
  const { page } = await openPage()
  await signIn(page, key, path)
  const files = page.getByRole('region', { name: 'Changed files' }).locator('details')
  await files.first().waitFor()

  await expect.poll(() => files.count()).toBe(10)
  const names = await files.locator('summary > :first-child').allTextContents()
  expect(names.slice(0, 4)).toEqual(['src/big.ts', 'src/a.ts', 'src/b.ts', 'docs/0.md'])
  expect(names).toHaveLength(10)
  const lineBefore = (text: RegExp) =>
    page
      .getByRole('row')
      .filter({ has: page.getByText(text) })
      .last()
      .locator('xpath=preceding-sibling::tr[1]')
      .innerText()
  expect(await lineBefore(/^introduced$/)).toContain('line 250')
  expect(await lineBefore(/^moved from line 20$/)).toMatch(/20\s+21\s+line 20/)
  expect(await lineBefore(/^fixed$/)).toMatch(/^38\s+−\s*removed:\s*line 38$/)
  expect(await lineBefore(/^touched, moved from line 2$/)).toMatch(/^\s*3\s+\+\s*added:\s*line two$/)
  expect(await lineBefore(/^was here, touched and moved to line 3$/)).toMatch(/^2\s+−\s*removed:\s*line 2$/)
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect.poll(() => files.count()).toBe(16)
})

test('long unchanged stretches and big files are folded, and unfolded by keyboard', async () => {
  const { key, path } = await newStory()
  const { page } = await openPage()
  await signIn(page, key, path)
  const files = page.getByRole('region', { name: 'Changed files' }).locator('details')
  await files.first().waitFor()

  const [big, changed] = [files.filter({ hasText: 'src/big.ts' }), files.filter({ hasText: 'src/a.ts' })]
  await expect.poll(() => big.getByText('line 242', { exact: false }).count()).toBe(1)
  expect(await big.getByText('line 100', { exact: false }).count()).toBe(0)
  const fold = changed.getByRole('button', { name: 'Show 7 more lines' })
  expect(await changed.getByText('line 8', { exact: true }).count()).toBe(0)
  await fold.focus()
  await page.keyboard.press('Enter')
  await changed.getByText('line 8', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Show more' }).click()
  const generated = files.filter({ hasText: 'src/generated.ts' })
  await generated.waitFor()
  expect(await generated.getByRole('table').count()).toBe(0)
  await generated.locator('summary').focus()
  await page.keyboard.press('Enter')
  await generated.getByText('line 450', { exact: false }).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
})

test('a deploy that does not follow from the one before says that it tells nothing of the findings of its branch, and why', async () => {
  const { key, companyId, assetId } = await newHome()
  const deploy = (from: string, to: string) =>
    newDeploy(key, String(assetId), '', { previousCommit: from, currentCommit: to, branchName: 'main' })
  await deploy(emptyTree, commit('a'))
  const { id } = await deploy(commit('b'), commit('c'))
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/deploys`)

  await page.getByRole('gridcell', { name: 'unchanged' }).waitFor()
  await page.getByRole('gridcell', { name: 'not carried over: unknown start' }).waitFor()
  await page.goto(`/companies/${companyId}/deploys/${id}`)
  await page.getByText('not carried over: unknown start').waitFor()
})

test('a gate gives each reason once: the deciding ones in its sentence, and warnings beside it', async () => {
  const { key, companyId, assetId } = await newHome()
  const { id } = await newDeploy(key, String(assetId), '', {
    previousCommit: emptyTree,
    currentCommit: commit('a'),
    branchName: 'main',
  })
  for (const severity of ['HIGH', 'MEDIUM']) {
    const finding = sast(assetId, { title: severity, ruleId: severity, fileName: `src/${severity}.ts`, severity })
    await upsert(key, { ...finding, branchName: 'main', deployId: id, commitRef: commit('a') })
  }
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/deploys/${id}`)

  const gate = page.getByRole('region', { name: 'Gate verdict' })
  await gate.getByText('Blocked', { exact: true }).waitFor()
  const said = (await gate.textContent()) ?? ''

  expect(said.match(/introduced finding of critical or high severity/g)).toHaveLength(1)
  expect(said.match(/Warning: 1 introduced finding of medium severity/g)).toHaveLength(1)
})

test('a deploy whose content is not a diff is shown as not judged, on its page and in the list', async () => {
  const { key, companyId, assetId } = await newHome()
  const { id } = await newDeploy(key, String(assetId), 'nothing of the kind', { branchName: 'main' })
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/deploys/${id}`)

  const gate = page.getByRole('region', { name: 'Gate verdict' })
  await gate.getByText('Not judged', { exact: true }).waitFor()
  await gate.getByText(/The diff could not be read: The content holds no file of a git or unified diff\.$/).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.goto(`/companies/${companyId}/deploys`)

  const list = page.getByRole('grid', { name: 'Deploys' })
  await list.getByText('Not judged', { exact: true }).waitFor()
  expect(await list.getByText('Passed', { exact: true }).count()).toBe(0)
})

test('a deploy says that its diff is being read, then what was found in it, and what a person should look at', async () => {
  const home = await newHome()
  const { key, companyId, assetId } = home
  const diff = [
    ...added('src/login.ts', 1).slice(0, -1),
    '+eval(request.query.code as string) // sign in',
    ...added('docs/a.md', 1),
  ]
  const { id } = await newDeploy(key, String(assetId), `${diff.join('\n')}\n`, {
    previousCommit: emptyTree,
    currentCommit: commit('a'),
    branchName: 'main',
  })
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/deploys/${id}`)
  await page.getByText(/^(queued|running): secrets, risky code and packages; the verdict may change$/).waitFor()
  const faults = await accessibilityFaults(page)

  await reviewed({ ...home, email: '', assetId: String(assetId) }, id)

  await page.getByText(/^2 files and 0 package versions: 1 finding, 1 new$/).waitFor()
  const introduced = page.getByRole('region', { name: 'Introduced' })
  await introduced.getByRole('link').first().waitFor()
  const sensitive = page.getByRole('region', { name: 'Sensitive changes' })
  await sensitive.locator('summary').click()
  await sensitive.getByText('src/login.ts').first().waitFor()
  expect([...faults, ...(await accessibilityFaults(page))]).toEqual([])
  await page.getByRole('link', { name: '1 new' }).click()
  await page.getByText('1 finding', { exact: true }).waitFor()
  await page.getByRole('button', { name: /^First found by scan/ }).waitFor()
})
