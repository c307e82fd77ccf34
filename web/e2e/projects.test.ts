// Projects: dates in relative terms with the exact day on hover, which are late, and the requirements of one.

import { beforeEach, expect, test } from 'vitest'
import { run } from '../../test/testkit/client.ts'
import { awayFromMidnight } from '../../test/testkit/midnight.ts'
import { newProject, newWorld } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories, choose, signIn } from './browser.ts'
import { fileOf } from './files.ts'
import { picture } from './picture.ts'

const openPage = browserStories()

beforeEach(awayFromMidnight)

/** The date in the local time zone that many days from now. */
const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toLocaleDateString('sv-SE')

test('projects show their start and end, and which are overdue', async () => {
  const { companyId, owner } = await newWorld()
  const { id } = await newProject(owner.key, companyId, { label: 'Overdue', startDate: '2026-03-01', endDate: day(-3) })
  await newProject(owner.key, companyId, { label: 'Running', startDate: day(0), endDate: day(1) })
  await newProject(owner.key, companyId, { label: 'Without an end', startDate: day(-1) })
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/projects`)
  const datesOf = (label: string) =>
    page
      .getByRole('row', { name: new RegExp(label) })
      .getByRole('gridcell')
      .filter({ has: page.locator('time') })
      .allInnerTexts()
  await page.getByText('3 projects', { exact: true }).waitFor()

  expect(await datesOf('Overdue')).toEqual([expect.stringMatching(/ago$/), 'late: 3 days ago'])
  expect(await datesOf('Running')).toEqual(['today', 'tomorrow'])
  expect(await datesOf('Without an end')).toEqual(['yesterday'])
  expect(
    await page
      .getByRole('row', { name: /Overdue/ })
      .locator('time')
      .first()
      .getAttribute('title'),
  ).toBe('Sunday, 1 March 2026')
  expect(await accessibilityFaults(page)).toEqual([])
  await page.goto(`/companies/${companyId}/projects/${id}`)
  await page.getByText('late: 3 days ago').waitFor()
})

test('a project gets a company’s requirement with activities, and both are edited and deleted on its page', async () => {
  const { companyId, owner } = await newWorld()
  const { key } = owner
  const project = await newProject(key, companyId)
  await run(
    key,
    'mutation ($input: CreateThreatModelingRequirementsInput!) { createThreatModelingRequirements(input: $input) { clientMutationId } }',
    { input: { companyId, requirements: [{ label: 'Injection', capecIds: ['66', '7'] }] } },
  )
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/projects/${project.id}`)
  const dialog = page.getByRole('dialog')
  const faults: string[] = []

  await page.getByRole('button', { name: 'Add requirement…' }).click()
  await dialog.getByLabel('Title').fill('No query is built from text')
  await choose(dialog.getByLabel('Company requirement'), 'Injection')
  await dialog.getByLabel('Activities').fill('Read the queries\n\n  Send a quote ')
  faults.push(...(await accessibilityFaults(page)))
  await dialog.getByRole('button', { name: 'Add requirement' }).click()
  await page.getByLabel('Status of Send a quote').waitFor()
  await page.getByText('CAPEC-66', { exact: false }).first().waitFor()
  await picture(page, 'project-requirements')
  faults.push(...(await accessibilityFaults(page)))
  await page.getByRole('button', { name: 'Edit requirement No query is built from text' }).click()
  await dialog.getByLabel('Title').fill('Queries take parameters')
  await dialog.getByLabel('Read the queries').uncheck()
  await dialog.getByLabel('New activities').fill('Try an encoding')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('link', { name: 'Queries take parameters' }).waitFor()
  await expect.poll(() => page.getByLabel(/^Status of/).count()).toBe(2)
  await page.getByRole('button', { name: 'Delete requirement Queries take parameters…' }).click()
  await dialog.getByRole('button', { name: 'Delete requirement' }).click()
  await page.getByText('No requirements yet.').waitFor()

  expect(faults).toEqual([])
})

test('chosen projects change their status together, and are deleted together after a confirmation', async () => {
  const { companyId, owner } = await newWorld()
  for (const label of ['First', 'Second', 'Third']) await newProject(owner.key, companyId, { label })
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/projects`)
  const chosen = page.getByRole('region', { name: 'Selection' })
  const dialog = page.getByRole('dialog')
  const choose = (name: string) => page.getByRole('row', { name }).getByRole('checkbox').check()

  await choose('First')
  await choose('Second')
  await chosen.getByText('2 projects selected').waitFor()
  await picture(page, 'projects-chosen')
  const faults = await accessibilityFaults(page)
  await chosen.getByRole('button', { name: 'Change status…' }).click()
  const suggested = await dialog.getByLabel('Status', { exact: true }).inputValue()
  await dialog.getByRole('button', { name: 'Change status' }).click()
  await expect.poll(() => dialog.locator('select:invalid').count()).toBe(1)
  await dialog.getByLabel('Status', { exact: true }).selectOption('ANALYSIS')
  await dialog.getByRole('button', { name: 'Change status' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('2 projects set to Analysis.', { exact: true }).waitFor()
  await expect.poll(() => page.getByRole('gridcell', { name: 'Analysis' }).count()).toBe(2)
  await choose('Second')
  await choose('Third')
  await page.getByRole('searchbox').fill('Third')
  await page.getByText('1 project', { exact: true }).waitFor()
  await chosen.getByRole('button', { name: 'Delete…' }).click()
  await dialog.getByText('1 of them is not in the list shown.').waitFor()
  await dialog.getByRole('button', { name: 'Delete 2 projects' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('searchbox').fill('')
  await page.getByText('1 project', { exact: true }).waitFor()

  expect(suggested).toBe('')
  await expect.poll(() => page.getByRole('row', { name: 'First' }).count()).toBe(1)
  expect(faults).toEqual([])
})

test('a file is stored as evidence of an activity, and downloaded from there', async () => {
  const { companyId, owner } = await newWorld()
  const project = await newProject(owner.key, companyId)
  await run(
    owner.key,
    'mutation ($input: CreateProjectRequirementInput!) { createProjectRequirement(input: $input) { clientMutationId } }',
    { input: { projectId: project.id, label: 'Queries take parameters', activities: [{ label: 'Read the queries' }] } },
  )
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/projects/${project.id}`)

  await page.getByLabel('Add evidence for Read the queries').setInputFiles(fileOf('queries.txt', 'All of them'))
  const link = page
    .getByRole('list', { name: 'Evidence for Read the queries' })
    .getByRole('link', { name: 'queries.txt' })
  await link.waitFor()
  await picture(page, 'project-evidence')
  const faults = await accessibilityFaults(page)
  const coming = page.waitForEvent('download')
  await link.click()
  const download = await coming

  expect(download.suggestedFilename()).toBe('queries.txt')
  expect(faults).toEqual([])
})
