// The dates of projects: how far away they are, with the day itself on hover, and which are late.

import { beforeEach, expect, test } from 'vitest'
import { awayFromMidnight } from '../../test/testkit/midnight.ts'
import { newProject, newWorld } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories, signIn } from './browser.ts'

const openPage = browserStories()

beforeEach(awayFromMidnight)

/** The day so many days from now, here. */
const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toLocaleDateString('sv-SE')

test('projects say when they begin and end, and which should have ended', async () => {
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
