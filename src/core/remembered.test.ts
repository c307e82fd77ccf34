// A cache of answers: nothing is looked up twice until the cache is full.

import { expect, test } from 'vitest'
import { remembered } from './remembered.ts'

test('what is found once is not looked for again until as many others are known as are kept', () => {
  const asked: string[] = []
  const lengthOf = remembered(2, (text) => {
    asked.push(text)
    return text.length
  })

  expect(['tea', 'tea', 'coffee', 'tea'].map(lengthOf)).toEqual([3, 3, 6, 3])
  expect(asked).toEqual(['tea', 'coffee'])
  expect(['milk', 'tea'].map(lengthOf)).toEqual([4, 3])
  expect(asked).toEqual(['tea', 'coffee', 'milk', 'tea'])
})
