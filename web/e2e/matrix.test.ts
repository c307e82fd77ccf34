// The threat model as a matrix whose counts link to their findings; and threat models as files, kept in versions.

import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { run } from '../../test/testkit/client.ts'
import { newHome, sast, upsert } from '../../test/testkit/findings.ts'
import { newWorld } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories, signIn } from './browser.ts'
import { fileOf } from './files.ts'
import { picture } from './picture.ts'

const openPage = browserStories()

test('requirements, attack patterns, weaknesses and findings form one table, whose counts link to the findings', async () => {
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

/** An OWASP Threat Dragon model with one threat. */
const DRAGON = JSON.stringify({
  version: '2.2.0',
  summary: { title: 'Shop' },
  detail: {
    diagrams: [
      {
        title: 'Checkout',
        cells: [
          {
            id: '1',
            shape: 'process',
            data: {
              type: 'tm.Process',
              name: 'Search',
              threats: [
                {
                  id: 't1',
                  title: 'SQL injection in search',
                  type: 'Tampering',
                  status: 'Open',
                  description: 'CWE-89',
                },
              ],
            },
          },
        ],
      },
    ],
  },
})

/** Nearly as large as a version may be, and mostly quotation marks, which take more room once escaped. */
const LARGE = JSON.stringify(Array(340_000).fill(''))

test('a threat model is created, gets versions from files, which download unchanged, and is deleted', async () => {
  const { companyId, owner } = await newWorld()
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/requirements`)
  const dialog = page.getByRole('dialog')

  await page.getByRole('link', { name: 'Threat models' }).click()
  await page.getByRole('heading', { name: 'Threat models', level: 1 }).waitFor()
  await page.getByRole('searchbox').fill('nothing of the kind')
  await page.getByRole('heading', { name: 'No threat models match the search' }).waitFor()
  await page.getByRole('searchbox').fill('')
  await page.getByRole('heading', { name: 'No threat models yet' }).waitFor()
  await page.getByRole('button', { name: 'New threat model' }).click()
  await dialog.getByLabel('Name').fill('Checkout: all of it')
  await dialog.getByLabel('Scope').fill('What is reached from outside')
  await dialog.getByLabel('Assigned to').click()
  const people = page.getByRole('dialog', { name: 'Choose from people' })
  await people.getByRole('option', { name: new RegExp(owner.email) }).click()
  const faults = await accessibilityFaults(page)
  await dialog.getByRole('button', { name: 'Create threat model' }).click()
  await page.getByRole('heading', { name: 'Checkout: all of it' }).waitFor()

  await page.getByRole('button', { name: 'Import version…' }).click()
  await dialog.getByLabel('File').setInputFiles(fileOf('shop.json', DRAGON))
  await dialog.getByRole('button', { name: 'Import' }).click()
  await dialog.getByText(/^Shop: 1 new/).waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.getByText('Requirements of version 1').click()
  await page.getByRole('link', { name: 'SQL injection in search' }).waitFor()
  await page.getByRole('button', { name: 'Add version…' }).click()
  const drawn = { name: 'shop.png', mimeType: 'image/png', buffer: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0]) }
  await dialog.getByLabel('File').setInputFiles(drawn)
  await dialog.getByLabel('Format').fill('Mermaid')
  await dialog.getByLabel('Notes').fill('As it was drawn')
  await dialog.getByRole('button', { name: 'Add version' }).click()
  await dialog.getByRole('alert').getByText('The file is not UTF-8 text.').waitFor()
  await dialog.getByLabel('File').setInputFiles(fileOf('shop.mmd', 'flowchart LR'))
  await dialog.getByRole('button', { name: 'Add version' }).click()
  await page.getByText('As it was drawn').waitFor()
  await page.getByRole('button', { name: 'Add version…' }).click()
  await dialog.getByLabel('File').setInputFiles(fileOf('large.json', LARGE))
  await dialog.getByLabel('Format').fill('JSON')
  await dialog.getByRole('button', { name: 'Add version' }).click()
  await page.getByText('Version 3', { exact: true }).waitFor()
  faults.push(...(await accessibilityFaults(page)))
  await picture(page, 'threat-model')
  const downloaded = async (version: number) => {
    const button = page.getByRole('button', { name: `Download version ${version}` })
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
    return [download.suggestedFilename(), await readFile(await download.path(), 'utf8')]
  }
  const files = [await downloaded(1), await downloaded(2)]
  await page.getByRole('button', { name: 'Delete…' }).click()
  await dialog.getByRole('button', { name: 'Delete threat model' }).click()
  await page.getByRole('heading', { name: 'No threat models yet' }).waitFor()

  expect(files).toEqual([
    ['Checkout- all of it-1.json', DRAGON],
    ['Checkout- all of it-2.txt', 'flowchart LR'],
  ])
  expect(faults).toEqual([])
})

test('a version nested deeper than its parts may be is stored as a plain file', async () => {
  const { companyId, owner } = await newWorld()
  const { createThreatModelArtifact } = await run(
    owner.key,
    'mutation ($input: CreateThreatModelArtifactInput!) { createThreatModelArtifact(input: $input) { threatModelArtifact { id } } }',
    { input: { companyId, label: 'Deep' } },
  )
  const { page } = await openPage()
  const deep = `${'['.repeat(60)}"a part"${']'.repeat(60)}`
  await signIn(
    page,
    owner.key,
    `/companies/${companyId}/requirements/threat-models/${createThreatModelArtifact.threatModelArtifact.id}`,
  )
  const dialog = page.getByRole('dialog')

  await page.getByRole('button', { name: 'Add version…' }).click()
  await dialog.getByLabel('File').setInputFiles(fileOf('deep.json', deep))
  await dialog.getByLabel('Format').fill('JSON')
  await dialog.getByRole('button', { name: 'Add version' }).click()
  const button = page.getByRole('button', { name: 'Download version 1' })
  await button.waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()])

  expect(await readFile(await download.path(), 'utf8')).toBe(deep)
})
