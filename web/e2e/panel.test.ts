// A finding's panel and its print: the score broken down, the causes of its events, and everything printed.

import { expect, test } from 'vitest'
import { run } from '../../test/testkit/client.ts'
import { commit } from '../../test/testkit/deploys.ts'
import { echo, findings, listening, newTarget, scanned } from '../../test/testkit/dynamic-scans.ts'
import { newHome, sast, upsert } from '../../test/testkit/findings.ts'
import { imported, sarif } from '../../test/testkit/reports.ts'
import { emptyTree, newDeploy } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories, signIn } from './browser.ts'

const openPage = browserStories()

const DIFF = ['--- /dev/null', '+++ b/src/users.ts', '@@ -0,0 +1 @@', '+db.query(text)', ''].join('\n')

test('the score of a finding is broken down into parts whose points add up to it', async () => {
  const { key, companyId, assetId } = await newHome()
  const { issue } = await upsert(key, sast(assetId, { severity: 'HIGH' }))
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/findings/${issue.id}?tab=worth`)

  const parts = page.getByRole('table', { name: 'Score breakdown' })
  await parts.waitFor()

  const first = await parts.locator('tr > :first-child').allTextContents()
  expect(first).toEqual(['Factor', 'Severity', 'Exploitation', 'Exposure', 'Impact', 'SLA'])
  await expect.poll(() => parts.getByRole('row', { name: 'Severity High 8' }).count()).toBe(1)
  const sum = await parts.locator('xpath=following-sibling::p').innerText()
  const [, severity = '', added = '', score] = /^(\S+) × \((.+)\) = (\S+)$/.exec(sum) ?? []
  const total = added.split(' + ').reduce((all, points) => all + Number(points), 0)
  expect(Number(score)).toBe(Math.round(Number(severity) * total * 10) / 10)
  expect(await accessibilityFaults(page)).toEqual([])
})

test('long code is scrolled to the line of the finding, and the page is not', async () => {
  const { key, companyId, assetId } = await newHome()
  const text = Array.from({ length: 90 }, (_, number) => `step(${number + 1})`).join('\n')
  const physicalLocation = {
    artifactLocation: { uri: 'src/long.ts' },
    region: { startLine: 80 },
    contextRegion: { startLine: 1, snippet: { text } },
  }
  const report = sarif([{ ruleId: 'steps', message: { text: 'A step too far' }, locations: [{ physicalLocation }] }])
  await imported({ key, companyId, assetId: String(assetId) }, report)
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/findings`)
  await page.getByRole('row', { name: /A step too far/ }).click()

  const code = page.getByRole('region', { name: 'Code of src/long.ts' })
  await code.getByText('step(80)').waitFor()

  const [block, line] = [await code.boundingBox(), await code.getByText('step(80)').boundingBox()]
  expect(block?.y).toBeGreaterThan(0)
  expect(line?.y).toBeGreaterThan(block?.y ?? 0)
  expect(line?.y).toBeLessThan((block?.y ?? 0) + (block?.height ?? 0))
})

test('an event of a finding links to the deploy and the scan that caused it', async () => {
  const { key, companyId, assetId } = await newHome()
  const commits = { previousCommit: emptyTree, currentCommit: commit('a'), branchName: 'main' }
  const deploy = await newDeploy(key, String(assetId), DIFF, commits)
  const { issue } = await upsert(key, sast(assetId, { deployId: deploy.id }))
  const { createControlSyncStatus } = await run(
    key,
    'mutation ($input: CreateControlSyncStatusInput!) { createControlSyncStatus(input: $input) { controlSyncStatus { id } } }',
    { input: { assetId, integration: 'SCANNER_B' } },
  )
  const scanId = createControlSyncStatus.controlSyncStatus.id
  await run(key, 'mutation ($input: ChangeIssueStatusInput!) { changeIssueStatus(input: $input) { issue { id } } }', {
    input: { id: issue.id, status: 'IDENTIFIED', controlSyncStatusId: scanId },
  })
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/findings/${issue.id}`)
  const timeline = page.getByRole('region', { name: 'Timeline' })

  const scan = timeline.getByRole('listitem').filter({ hasText: 'Created → Identified' }).getByRole('link')
  expect(await scan.textContent()).toBe(`scan ${scanId}`)
  expect(await scan.getAttribute('href')).toBe(`/companies/${companyId}/scans?asset=${assetId}`)
  await timeline.getByRole('link', { name: `deploy ${deploy.id}` }).click()
  await page.getByText('db.query(text)').first().waitFor()
  expect(new URL(page.url()).pathname).toBe(`/companies/${companyId}/deploys/${deploy.id}`)
})

test('a finding links to the requirements that it violates, and says when it violates none', async () => {
  const { key, companyId, assetId } = await newHome()
  const { createThreatModelingRequirements } = await run(
    key,
    'mutation ($input: CreateThreatModelingRequirementsInput!) { createThreatModelingRequirements(input: $input) { requirements { id } } }',
    { input: { companyId, requirements: [{ label: 'Queries take parameters', capecIds: ['66', '110'] }] } },
  )
  const [{ id: requirementId }] = createThreatModelingRequirements.requirements
  const { issue } = await upsert(key, sast(assetId, { category: 'CWE-89' }))
  const other = await upsert(key, sast(assetId, { category: 'CWE-79', fileName: 'src/b.ts', title: 'Another' }))
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/findings/${issue.id}`)

  await page.getByRole('tab', { name: 'Requirements' }).click()

  const broken = page.getByRole('tabpanel')
  await broken.getByText('CAPEC-66: SQL Injection').waitFor()
  await expect.poll(() => broken.getByText('Violated').count()).toBe(2)
  expect(await accessibilityFaults(page)).toEqual([])
  await broken.getByRole('link', { name: 'Queries take parameters' }).click()
  await page.getByRole('complementary', { name: 'Requirement' }).getByText('CAPEC-66').first().waitFor()
  expect(new URL(page.url()).pathname).toBe(`/companies/${companyId}/requirements/${requirementId}`)
  await page.goto(`/companies/${companyId}/findings/${other.issue.id}?tab=broken`)
  await page.getByText('No requirement has an attack pattern that uses CWE-79.').waitFor()
})

test('the evidence of a scan’s finding is marked in its request and response', async () => {
  const home = await newTarget(await listening(echo(() => false)))
  await scanned(home)
  const found = (await findings(home)).find(({ rule }) => rule === 'cross-site-scripting')
  const { page } = await openPage()
  await signIn(page, home.key, `/companies/${home.companyId}/findings/${found?.id}`)

  const response = page.getByRole('region', { name: 'Response' })
  const request = page.getByRole('region', { name: 'Request' })
  await response.waitFor()

  expect(await response.locator('mark').first().textContent()).toMatch(/alert\(\d{9}\)/)
  expect(await response.innerText()).toContain('HTTP/1.1 200')
  expect(await request.innerText()).toContain('GET /find?q=')
  expect(await accessibilityFaults(page)).toEqual([])
})

test.each([1280, 390])('a finding that fills %d pixels is printed whole, light and without the list', async (width) => {
  const { key, companyId, assetId } = await newHome()
  const lines = (count: number) => Array.from({ length: count }, (_, line) => `line ${line}`).join('\n')
  const long = { codeSnippet: lines(60), firstLine: 1, vulnerableLine: 30, description: lines(120) }
  const { issue } = await upsert(key, sast(assetId, long))
  const { page } = await openPage({ viewport: { width, height: 800 }, colorScheme: 'dark' })
  await signIn(page, key, `/companies/${companyId}/findings/${issue.id}`)
  const panel = page.getByRole('complementary', { name: 'Finding' })
  await panel.getByRole('region', { name: 'Timeline' }).waitFor()
  const styleOf = (name: string) =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('aside[aria-label=Finding]')).${name}`)
  const dark = await styleOf('backgroundColor')

  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })

  await expect.poll(() => page.getByRole('grid', { name: 'Findings' }).isVisible()).toBe(false)
  await expect.poll(() => styleOf('position')).toBe('static')
  await expect.poll(() => styleOf('backgroundColor')).not.toBe(dark)
  const cutOff = () =>
    page.evaluate<number[]>(
      `[...document.querySelectorAll('main, aside, aside [class*=block]')].map((part) => part.scrollHeight - part.clientHeight)`,
    )
  expect((await cutOff()).length).toBeGreaterThan(2)
  await expect.poll(async () => Math.max(...(await cutOff()))).toBeLessThan(2)
  const pdf = await page.pdf({ format: 'A4' })
  expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(3)
})
