// The API explorer: examples that run unchanged, and tabs remembered for each company separately.

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { newWorld } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories, signIn } from './browser.ts'
import { picture } from './picture.ts'

const openPage = browserStories()

type Look = { font: string; colours: number[][] }

/** How an element is drawn: its font, and its text's and its ground's colour as the screen shows them, however they are written. */
const lookOf = (page: Page, selector: string) =>
  page.evaluate<Look>(`(() => {
    const { fontFamily, color, backgroundColor } = getComputedStyle(document.querySelector(${JSON.stringify(selector)}))
    const drawing = document.createElement('canvas').getContext('2d')
    const shown = (colour) => {
      drawing.fillStyle = colour
      drawing.fillRect(0, 0, 1, 1)
      return [...drawing.getImageData(0, 0, 1, 1).data]
    }
    return { font: fontFamily, colours: [color, backgroundColor].map(shown) }
  })()`)

/** The most by which two of the colours differ in a channel, of 255. */
const differenceOf = (one: Look, other: Look): number =>
  Math.max(...one.colours.flat().map((value, at) => Math.abs(value - (other.colours.flat()[at] ?? 0))))

test('the explorer looks like the console, which leads there and back, and shows answers on a phone', async () => {
  const { companyId, owner } = await newWorld()
  const { page, complaints } = await openPage({ colorScheme: 'dark', viewport: { width: 390, height: 780 } })
  await signIn(page, owner.key, `/companies/${companyId}/settings/limits`)
  const inConsole = await lookOf(page, 'body')
  const rail = await lookOf(page, '#root > div > div')

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or run a command' }).fill('explorer')
  await page.getByRole('option', { name: /API explorer/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/graphiql?company=${companyId}`)
  await page.getByRole('button', { name: 'Viewer', exact: true }).waitFor()
  const inExplorer = await lookOf(page, 'body')
  await page.getByRole('button', { name: /Execute query/ }).click()
  await page.getByText('"isAdministrator"').waitFor()
  const room = await page.getByRole('region', { name: 'Result Window' }).boundingBox()
  const code = await lookOf(page, '.graphiql-query-editor .CodeMirror')
  await picture(page, 'explorer-phone')
  const faults: Record<string, string[]> = {}
  for (const width of [390, 1280]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 780 })
      await page.emulateMedia({ colorScheme })
      await picture(page, `explorer-${colorScheme}-${width}`)
      const found = await accessibilityFaults(page)
      if (found.length > 0) faults[`${colorScheme} ${width}`] = found
    }
  }
  await page.getByRole('link', { name: 'Console' }).click()
  await page.waitForURL(`**/companies/${companyId}/overview`)

  expect(inExplorer.font).toBe(inConsole.font)
  expect(differenceOf(inExplorer, inConsole)).toBeLessThan(3)
  expect(code.font).toContain('JetBrains Mono')
  // the editor has another shade of text, on the ground of the console's surfaces
  expect(
    differenceOf({ ...code, colours: code.colours.slice(1) }, { ...rail, colours: rail.colours.slice(1) }),
  ).toBeLessThan(3)
  expect(room?.width).toBeGreaterThan(340)
  expect(room?.height).toBeGreaterThan(200)
  expect(faults).toEqual({})
  // The warnings come from the editor's workers, which are not ours.
  complaints.length = 0
})

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
