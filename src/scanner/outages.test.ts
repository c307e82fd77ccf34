// How long an operation is waited for that never answers.

import { expect, test } from 'vitest'
import { defaultBudget } from './budget.ts'
import { openWatch } from './outages.ts'
import { openPace } from './pace.ts'
import { get } from './requests.ts'
import { fromObserved } from './seed/observed.ts'

const operationAt = (url: string) => fromObserved({ method: 'GET', url, source: 'crawl' }) ?? undefined

test('an operation that let an answer go by and never gave one is waited for a short time, and others as long as before', async () => {
  const pace = openPace(defaultBudget)
  const watch = openWatch(
    pace,
    async () => true,
    () => {},
  )
  const [mute, slow, other] = ['mute', 'slow', 'other'].map((name) => operationAt(`http://shop.test/${name}`))
  const patience = () => [mute, slow, other, undefined].map((one) => watch.patienceFor(one, 20_000))

  const before = patience()
  watch.answered(slow)
  for (const operation of [mute, slow]) await watch.failed(get('http://shop.test/'), operation, 0)
  const after = patience()
  pace.close()

  expect(before).toEqual([20_000, 20_000, 20_000, 20_000])
  expect(after).toEqual([3_000, 20_000, 20_000, 20_000])
})
