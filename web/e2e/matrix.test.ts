// The threat model as one table: requirement, attack pattern, weakness, and how many findings, each the way to them.

import { expect, test } from 'vitest'
import { run } from '../../test/testkit/client.ts'
import { newHome, sast, upsert } from '../../test/testkit/findings.ts'
import { accessibilityFaults, browserStories, signIn } from './browser.ts'

const openPage = browserStories()

test('requirements, attack patterns, weaknesses and findings are one table, whose counts lead to the findings', async () => {
  const { key, companyId, assetId } = await newHome()
  await run(
    key,
    'mutation ($input: CreateThreatModelingRequirementsInput!) { createThreatModelingRequirements(input: $input) { clientMutationId } }',
    {
      input: {
        companyId,
        requirements: [
          { label: 'Inputs are bound', capecIds: ['66', '63'] },
          { label: 'Nothing is overheard', capecIds: ['157'] },
        ],
      },
    },
  )
  for (const [index, category] of ['CWE-89', 'CWE-89', 'CWE-564', 'CWE-79'].entries()) {
    await upsert(
      key,
      sast(assetId, { category, title: category, fileName: `src/${index}.ts`, codeSnippet: `f${index}()` }),
    )
  }
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/requirements`)

  await page.getByRole('button', { name: 'Matrix' }).click()

  const matrix = page.getByRole('region', { name: 'Requirements by weakness' })
  const told = async (pattern: RegExp) =>
    await matrix
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name: pattern }) })
      .getByRole('cell')
      .allInnerTexts()
  await matrix.waitFor()
  const heads = await matrix.getByRole('columnheader').allInnerTexts()
  expect(heads.map((head) => head.split('\n')[0])).toEqual([
    'Requirement',
    'Attack pattern',
    'State',
    'Open findings',
    'CWE-89',
    'CWE-79',
    'CWE-564',
  ])
  expect(await told(/CAPEC-66/)).toEqual(['Violated', '3', '2', '–', '1'])
  expect(await told(/CAPEC-63/)).toEqual(['Violated', '1', '–', '1', '–'])
  expect(await told(/CAPEC-157/)).toEqual(['Unknown', '–', '–', '–', '–'])
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByRole('link', { name: '3 open findings of CWE-89, CWE-564' }).click()
  await page.getByText('3 findings', { exact: true }).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: '1 open finding of CWE-564' }).click()
  await page.getByText('1 finding', { exact: true }).waitFor()
  await page.goBack()
  await matrix.getByRole('link', { name: 'Inputs are bound' }).click()
  await page.getByRole('complementary', { name: 'Requirement' }).getByText('Inputs are bound').waitFor()
  expect(new URL(page.url()).searchParams.get('as')).toBe('matrix')
})
