// Back to a list: it appears where it was left, with the rows that were loaded.

import { expect, test } from 'vitest'
import { sast, upsert } from '../../test/testkit/findings.ts'
import { newAsset, newWorld } from '../../test/testkit/world.ts'
import { browserStories, signIn } from './browser.ts'

const openPage = browserStories()

test('going back to a list shows it where it was left, beyond its first page', async () => {
  const { companyId, owner } = await newWorld()
  const asset = await newAsset(owner.key, companyId)
  for (let number = 1; number <= 130; number++) {
    const title = `Finding ${String(number).padStart(3, '0')}`
    await upsert(owner.key, sast(Number(asset.id), { title, ruleId: title, fileName: `src/${number}.ts` }))
  }
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/findings?order=TITLE-ASC`)
  await page.getByRole('row', { name: /Finding 001/ }).waitFor()
  const scroll = (to: string) =>
    page.evaluate<number>(
      `{ const at = document.querySelector('[role=grid]').parentElement; at.scrollTop = ${to}; at.scrollTop }`,
    )
  const top = () => scroll('at.scrollTop')
  const end = page.getByRole('row', { name: /Finding 130/ })
  await expect.poll(() => scroll('at.scrollHeight').then(() => end.count())).toBe(1)
  await scroll('at.scrollHeight - 1400')
  const left = await top()

  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  await page.goBack()
  await page
    .getByRole('row', { name: /Finding 1\d\d/ })
    .first()
    .waitFor()
  const back = await top()
  await page.getByRole('grid').getByRole('button', { name: 'Title' }).click()
  await end.waitFor()

  expect({ back, ofAnother: await top() }).toEqual({ back: left, ofAnother: 0 })
})
