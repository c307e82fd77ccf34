// Keystrokes faster than the console renders: each builds on the one before, and none is lost.

import { expect, test } from 'vitest'
import { sast, upsert } from '../../test/testkit/findings.ts'
import { newAsset, newWorld } from '../../test/testkit/world.ts'
import { browserStories, signIn } from './browser.ts'

const openPage = browserStories()

/** Sixty findings, enough for the list to scroll while the keyboard moves through it. */
async function manyFindings() {
  const { companyId, owner } = await newWorld()
  const asset = await newAsset(owner.key, companyId)
  for (let number = 1; number <= 60; number++) {
    const title = `Finding ${String(number).padStart(2, '0')}`
    await upsert(owner.key, sast(Number(asset.id), { title, ruleId: `rule-${number}`, fileName: `src/${number}.ts` }))
  }
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/findings?order=TITLE-ASC`)
  await page.getByRole('row', { name: /Finding 01/ }).waitFor()
  return page
}

const pressed = (keys: readonly string[]) => `for (const key of ${JSON.stringify(keys)})
  (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))`

test('forty steps at once open the forty-first finding, even if the list has to scroll', async () => {
  const page = await manyFindings()
  await page.getByRole('link', { name: 'Finding 01' }).click()
  await page.getByRole('heading', { name: 'Finding 01' }).waitFor()

  await page.evaluate(pressed(Array(40).fill('j')))

  await page.getByRole('heading', { name: 'Finding 41' }).waitFor()
  await page.evaluate(pressed(['k', 'k']))
  await page.getByRole('heading', { name: 'Finding 39' }).waitFor()
  await expect.poll(() => page.locator('tr[data-open]').count()).toBe(1)
})

test('findings chosen one after another without a pause are all chosen', async () => {
  const page = await manyFindings()

  for (const key of ['j', 'x', 'j', 'x', 'j', 'x', 'k', 'k', 'x']) void page.keyboard.press(key)

  await page.getByText('2 findings selected').waitFor()
})

test('keys that decide on a finding work even before its panel has loaded', async () => {
  const page = await manyFindings()
  await page.keyboard.press('j')
  const { promise: isSeen, resolve: letGo } = Promise.withResolvers<void>()
  await page.route('**/graphql', async (route) => {
    if (/query Finding\b/.test(route.request().postData() ?? '')) await isSeen
    await route.continue()
  })

  await page.evaluate(pressed(['Enter', 'd']))

  await page.getByRole('dialog', { name: 'Decide' }).getByText('Finding 01').waitFor()
  letGo()
  await page.keyboard.press('Escape')
  await page.getByRole('complementary', { name: 'Finding' }).getByRole('heading', { name: 'Locations' }).waitFor()
})

test('text typed while an earlier search renders stays in the box', async () => {
  const page = await manyFindings()
  const box = page.getByRole('searchbox', { name: /Search/ })
  await box.pressSequentially('Finding 4', { delay: 240 })

  await box.pressSequentially('2', { delay: 10 })

  await page.getByText('1 finding', { exact: true }).waitFor()
  expect(await box.inputValue()).toBe('Finding 42')
})
