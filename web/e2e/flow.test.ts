// Links from a finding to its context: its data flow, step by step, and similar findings.

import { expect, test } from 'vitest'
import { run } from '../../test/testkit/client.ts'
import { imported } from '../../test/testkit/reports.ts'
import { newAsset, newWorld } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories, signIn } from './browser.ts'

const openPage = browserStories()

const at = (uri: string, startLine: number, text: string, snippet?: string) => ({
  physicalLocation: {
    artifactLocation: { uri },
    region: { startLine, ...(snippet ? { snippet: { text: snippet } } : {}) },
  },
  message: { text },
})

const code = ['function find(name) {', '  const text = "select " + name', '  return db.query(text)', '}'].join('\n')

/**
 * A report with one weakness; each finding's data flow has the given number of steps, from a route through helpers into
 * the code shown.
 */
const report = (steps: readonly number[], titles: readonly string[]) =>
  JSON.stringify({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'CodeQL', rules: [{ id: 'sql', properties: { tags: ['external/cwe/cwe-089'] } }] } },
        results: titles.map((title, index) => ({
          ruleId: 'sql',
          level: 'error',
          message: { text: title },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: `src/users-${index}.ts` },
                region: { startLine: 11 },
                contextRegion: { startLine: 9, snippet: { text: code } },
              },
            },
          ],
          codeFlows: [
            {
              threadFlows: [
                {
                  locations: [
                    { location: at('src/route.ts', 3, 'req.query.name') },
                    ...Array.from({ length: steps[index] ?? 0 }, (_, step) => ({
                      location: at('src/helpers.ts', 20 + step, `helper ${step + 1}`),
                    })),
                    { location: at(`src/users-${index}.ts`, 10, 'name') },
                    { location: at(`src/users-${index}.ts`, 11, 'text') },
                  ],
                },
              ],
            },
          ],
        })),
      },
    ],
  })

const IDS =
  'query ($companyId: ID!) { issues(companyId: $companyId, pagination: { perPage: 50 }) { collection { id title } } }'

/** A company with these findings; `idOf` gives a finding's id by its title. */
async function newFindings(steps: readonly number[], titles: readonly string[], repoUrl?: string) {
  const { companyId, owner } = await newWorld()
  const asset = await newAsset(owner.key, companyId, { name: 'storefront', ...(repoUrl ? { repoUrl } : {}) })
  const home = { companyId, key: owner.key, assetId: asset.id }
  await imported(home, report(steps, titles), { commitRef: 'a'.repeat(40) })
  const { issues } = await run(home.key, IDS, { companyId })
  const idOf = (title: string): string => issues.collection.find((issue: { title: string }) => issue.title === title).id
  return { ...home, idOf }
}

test('the data flow of a finding reads from source to sink, and its steps link to their places by keyboard', async () => {
  const { companyId, key, assetId, idOf } = await newFindings([0], ['Query of input'])
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/findings/${idOf('Query of input')}`)
  const flow = page.getByRole('complementary', { name: 'Finding' }).getByRole('region', { name: 'Data flow' })
  await flow.waitFor()

  await expect.poll(() => flow.getByRole('listitem').count()).toBe(3)
  const steps = await flow.getByRole('listitem').allTextContents()
  await flow.getByRole('link', { name: 'src/users-0.ts:10' }).focus()
  await page.keyboard.press('Enter')

  expect(steps).toEqual([
    'Sourcereq.query.name src/route.ts:3',
    'Stepname src/users-0.ts:10',
    'Sinktext src/users-0.ts:11',
  ])
  await expect.poll(() => page.locator(':target').textContent()).toContain('const text = "select " + name')
  expect(await accessibilityFaults(page)).toEqual([])

  await flow.getByRole('link', { name: 'src/route.ts:3' }).click()
  await page.getByRole('button', { name: 'File: src/route.ts' }).waitFor()
  expect(new URL(page.url()).search).toBe(`?asset=${assetId}&file=src%2Froute.ts`)
  await page.getByText('No findings match the filters').waitFor()
  await page.getByRole('button', { name: 'File: src/route.ts' }).click()
  await page.getByRole('row', { name: /Query of input/ }).waitFor()
})

test('a long data flow shows its ends, and all of it on request', async () => {
  const { companyId, key, idOf } = await newFindings([20], ['A long way'])
  const { page } = await openPage({ viewport: { width: 390, height: 780 }, colorScheme: 'dark' })
  await signIn(page, key, `/companies/${companyId}/findings/${idOf('A long way')}`)
  const flow = page.getByRole('region', { name: 'Data flow' })

  await flow.getByRole('button', { name: 'Show 17 more steps' }).click()

  await expect.poll(() => flow.getByRole('listitem').count()).toBe(23)
  expect(await accessibilityFaults(page)).toEqual([])
})

test('a step outside the shown code links to its line at the host of the repository', async () => {
  const { companyId, key, idOf } = await newFindings([0], ['At a host'], 'https://gitlab.example.test/shop/front.git')
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/findings/${idOf('At a host')}`)

  const link = page.getByRole('region', { name: 'Data flow' }).getByRole('link', { name: 'src/route.ts:3' })

  expect(await link.getAttribute('href')).toBe(
    `https://gitlab.example.test/shop/front/-/blob/${'a'.repeat(40)}/src/route.ts#L3`,
  )
})

test('up to five similar findings appear in a finding’s panel, and all of them in the list', async () => {
  const titles = Array.from({ length: 8 }, (_, index) => `Query ${index}`)
  const { companyId, key, idOf } = await newFindings([], titles)
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/findings/${idOf('Query 3')}`)
  const similar = page.getByRole('region', { name: 'Similar findings' })
  await similar.getByRole('link', { name: 'Query 7' }).waitFor()

  await expect.poll(() => similar.getByRole('listitem').count()).toBe(5)
  await similar.getByRole('link', { name: 'All 7 similar findings' }).click()
  await page.getByText('7 findings', { exact: true }).waitFor()
  expect(await page.getByRole('row', { name: /Query 3/ }).count()).toBe(0)
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByRole('button', { name: `Similar to finding ${idOf('Query 3')}` }).click()
  await page.getByText('8 findings', { exact: true }).waitFor()
})
