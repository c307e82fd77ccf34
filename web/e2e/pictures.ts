// `npm run screenshots`: each page in light and in dark, as somebody who works with it sees it, into docs/pictures.

import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { administratorKey, run } from '../../test/testkit/client.ts'
import { upsert } from '../../test/testkit/findings.ts'
import { newAsset, newPerson } from '../../test/testkit/world.ts'
import { browserStories, signIn } from './browser.ts'
import { examples } from './examples.ts'
import { newFurnished, pagesOf } from './furnished.ts'

const openPage = browserStories()
const DIRECTORY = 'docs/pictures'

async function newShop() {
  const { createCompany } = await run(
    administratorKey(),
    'mutation { createCompany(input: { label: "Harbour Shop" }) { company { id } } }',
  )
  const companyId: string = createCompany.company.id
  const { key } = await newPerson(companyId, 'OWNER')
  const ids: string[] = []
  for (const name of ['storefront', 'payments', 'warehouse']) {
    const { id } = await newAsset(key, companyId, { name })
    for (const example of examples) {
      const { issue } = await upsert(key, { ...example, title: example.title, assetId: Number(id) })
      ids.push(issue.id)
    }
  }
  const [first = '', second = ''] = ids
  const decide = (id: string, status: string, reason: string) =>
    run(key, 'mutation ($input: ChangeIssueStatusInput!) { changeIssueStatus(input: $input) { issue { id } } }', {
      input: { id, status, reason },
    })
  await decide(first, 'IDENTIFIED', 'Reproduced with a quote in the search box.')
  await decide(first, 'IN_PROGRESS', 'Parameterised in the branch search-parameters.')
  await decide(second, 'IN_PROGRESS', 'The upload service gets its own directory.')
  return { companyId, key, first }
}

/** Pages of which a picture is kept, beside those of findings. */
const shown = [
  'overview',
  'deploy',
  'assets',
  'asset',
  'requirement',
  'requirement-graph',
  'integrations',
  'seals',
  'policies',
]

const take = (page: Page, name: string) => page.screenshot({ path: `${DIRECTORY}/${name}.png`, animations: 'disabled' })

test('pictures of findings', async () => {
  mkdirSync(DIRECTORY, { recursive: true })
  const { companyId, key, first } = await newShop()
  const findings = `/companies/${companyId}/findings`

  for (const colorScheme of ['light', 'dark'] as const) {
    const { page } = await openPage({ colorScheme, reducedMotion: 'reduce' })
    await page.goto('/')
    await page.getByLabel('API key').waitFor()
    await take(page, `sign-in-${colorScheme}`)

    await signIn(page, key, findings)
    await page.getByRole('row', { name: /SQL/ }).first().waitFor()
    await take(page, `findings-${colorScheme}`)

    await page.goto(`${findings}/${first}`)
    await page.getByRole('region', { name: 'Timeline' }).waitFor()
    await take(page, `finding-${colorScheme}`)
    await page.mouse.move(640, 790)
    await page.keyboard.press('d')
    await page.getByRole('dialog').waitFor()
    await take(page, `decide-${colorScheme}`)

    await page.goto(`/companies/${companyId}/settings/keys`)
    await page.getByRole('row', { name: /A key/ }).waitFor()
    await take(page, `keys-${colorScheme}`)
    await page.goto(`${findings}?search=nothing-has-this`)
    await page.getByText('Nothing matches').waitFor()
    await take(page, `empty-${colorScheme}`)

    await page.setViewportSize({ width: 390, height: 780 })
    await page.goto(findings)
    await page.getByRole('row', { name: /SQL/ }).first().waitFor()
    await take(page, `phone-${colorScheme}`)
  }
})

test('pictures of what else there is', async () => {
  mkdirSync(DIRECTORY, { recursive: true })
  const furnished = await newFurnished('Query built from a search term')
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page } = await openPage({ colorScheme, reducedMotion: 'reduce' })
    await signIn(page, furnished.key, `/companies/${furnished.companyId}/settings/limits`)
    for (const { name, path, shows } of pagesOf(furnished).filter(({ name }) => shown.includes(name))) {
      await page.goto(path)
      await page.locator('main').getByText(shows).first().waitFor()
      await page.waitForLoadState('networkidle')
      await take(page, `${name}-${colorScheme}`)
    }
  }
})
