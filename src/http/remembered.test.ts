// Tests which documents are kept between requests.

import { expect, test } from 'vitest'
import { openMemory } from './remembered.ts'

const textOf = (number: number, length = 10) => `${number}`.padEnd(length)

test('a document is kept from its second use on', () => {
  const memory = openMemory<string>()

  memory.add('a', 'first')
  const afterOne = memory.get('a')
  memory.add('a', 'second')

  expect([afterOne, memory.get('a')]).toEqual([undefined, 'second'])
})

test('a flood of documents that come once drives out none that is in use', () => {
  const memory = openMemory<number>()
  for (const _ of [1, 2]) memory.add('in use', 1)

  for (let number = 0; number < 5_000; number += 1) memory.add(textOf(number), number)

  expect(memory.get('in use')).toBe(1)
})

test('at most a thousand documents are kept, and those that were used last', () => {
  const memory = openMemory<number>()
  const add = (number: number) => {
    for (const _ of [1, 2]) memory.add(textOf(number), number)
  }
  for (let number = 0; number < 1_000; number += 1) add(number)

  const first = memory.get(textOf(0))
  add(1_000)

  expect([first, memory.get(textOf(0)), memory.get(textOf(1)), memory.get(textOf(1_000))]).toEqual([
    0,
    0,
    undefined,
    1_000,
  ])
})

test('long documents are kept up to a million characters, and none above 16,384', () => {
  const memory = openMemory<number>()
  const lengths = [16_384, 16_385]
  for (let number = 0; number < 100; number += 1) for (const _ of [1, 2]) memory.add(textOf(number, lengths[0]), number)
  for (const _ of [1, 2]) memory.add(textOf(0, lengths[1]), 0)

  const kept = Array.from({ length: 100 }, (_, number) => memory.get(textOf(number, lengths[0]))).filter(
    (value) => value !== undefined,
  )

  expect(kept).toHaveLength(64)
  expect(memory.get(textOf(0, lengths[1]))).toBeUndefined()
})
