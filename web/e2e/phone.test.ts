// Lists on a phone: what they say in sentences is read whole.

import { expect, test } from 'vitest'
import { newAsset, newWorld } from '../../test/testkit/world.ts'
import { browserStories, signIn } from './browser.ts'
import { picture } from './picture.ts'
import { newScans } from './runs.ts'

const openPage = browserStories()

const CUT = `[...document.querySelectorAll('td')]
  .filter((cell) => cell.offsetParent !== null && cell.scrollWidth > cell.clientWidth)
  .map((cell) => cell.textContent)`

test('why a scan failed is not cut', async () => {
  const { companyId, owner } = await newWorld()
  const asset = await newAsset(owner.key, companyId, { name: 'shop' })
  const sentence = 'The address answered 503 five times: it is being maintained, and will be back on Monday'
  await newScans(owner.key, [asset.id], sentence)
  const { page } = await openPage({ viewport: { width: 390, height: 780 } })
  await signIn(page, owner.key, `/companies/${companyId}/scans`)

  await page.getByText(sentence).waitFor()
  await picture(page, 'scans-phone')

  expect(await page.evaluate<string[]>(CUT)).toEqual([])
})
