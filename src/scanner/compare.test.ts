// What of an answer is compared: not what was sent, however long it is and in whichever case it comes back.

import { expect, test } from 'vitest'
import { steadyText } from './compare.ts'

test('a value that is shown is left out in any case, and a long one as it was sent', () => {
  const long = 'Tea+(1)'.repeat(10_000)

  expect(steadyText('<p>green TEA</p>', ['tea'])).toBe('<p>green </p>')
  expect(steadyText(`<p>green ${long}</p>`, [long])).toBe('<p>green </p>')
})
