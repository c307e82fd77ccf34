// How long an operation is waited for that does not always answer.

import { expect, test } from 'vitest'
import { defaultBudget } from './budget.ts'
import { openWatch } from './outages.ts'
import { openPace } from './pace.ts'
import { get } from './requests.ts'
import { fromObserved } from './seed/observed.ts'
import type { Operation } from './types.ts'

const operationAt = (url: string) => fromObserved({ method: 'GET', url, source: 'crawl' }) ?? undefined

test('an operation that is silent at some requests is waited for twice as long as it ever took, and others as long as usual', async () => {
  const pace = openPace(defaultBudget)
  const watch = openWatch(
    pace,
    async () => true,
    () => {},
  )
  const [mute, quick, slow, other] = ['mute', 'quick', 'slow', 'other'].map((name) =>
    operationAt(`http://shop.test/${name}`),
  )
  const patience = () => [mute, quick, slow, other, undefined].map((one) => watch.patienceFor(one, 20_000))
  const failed = (operation: Operation | undefined) => watch.failed(get('http://shop.test/'), operation, 0)

  watch.answered(quick, 10)
  watch.answered(slow, 4_000)
  const before = patience()
  for (const operation of [mute, quick, slow]) await failed(operation)
  const afterOne = patience()
  for (const operation of [quick, slow]) await failed(operation)
  const afterTwo = patience()
  pace.close()

  expect(before).toEqual([20_000, 20_000, 20_000, 20_000, 20_000])
  expect(afterOne).toEqual([3_000, 20_000, 20_000, 20_000, 20_000])
  expect(afterTwo).toEqual([3_000, 3_000, 8_000, 20_000, 20_000])
})
