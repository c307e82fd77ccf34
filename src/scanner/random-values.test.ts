// Addresses of what a scan put on the target itself, by the words that it makes.

import { expect, test } from 'vitest'
import { isOwnAddress, word } from './random-values.ts'

test('a file that the scan sent is known by its name, wherever it is handed out', () => {
  for (const address of [`/media/${word()}.php`, `/${word()}`, `/file?name=${word()}.html`])
    expect(isOwnAddress(address)).toBe(true)
  for (const address of ['/media/index.php', '/mabcdef0123', `/media/x${word()}.php`])
    expect(isOwnAddress(address)).toBe(false)
})
