// Shows where lines go, and that packing keeps regions.

import { expect, test } from 'vitest'
import { packHunks } from '../../test/diff-truth/packed.ts'
import { carryLine, isReplaced, unpackHunks } from './line-map.ts'

const hunks = [
  { oldStart: 0, oldLines: 0, newStart: 1, newLines: 2 },
  { oldStart: 3, oldLines: 3, newStart: 5, newLines: 2 },
  { oldStart: 10, oldLines: 2, newStart: 10, newLines: 0 },
]

test.each([
  [1, 'KEPT', 3],
  [2, 'KEPT', 4],
  [3, 'REMOVED', 5],
  [4, 'REMOVED', 6],
  [5, 'REMOVED', 6],
  [6, 'KEPT', 7],
  [9, 'KEPT', 10],
  [10, 'REMOVED', 10],
  [11, 'REMOVED', 10],
  [12, 'KEPT', 11],
])('line %i is %s, at %i', (line, state, at) => {
  expect(carryLine(hunks, line)).toEqual({ state, line: at })
})

test('lines are replaced where the region that has them has new lines too', () => {
  const replaced = Array.from({ length: 13 }, (_, line) => line).filter((line) => isReplaced(hunks, line))

  expect(replaced).toEqual([3, 4, 5])
})

test('without regions every line stays', () => {
  expect(carryLine([], 7)).toEqual({ state: 'KEPT', line: 7 })
})

test('a line removed at the head of a file is at its first line', () => {
  expect(carryLine([{ oldStart: 1, oldLines: 1, newStart: 0, newLines: 0 }], 1)).toEqual({ state: 'REMOVED', line: 1 })
})

test('a region packs to three bytes where its numbers are small, and large ones survive', () => {
  const far = [{ oldStart: 3_000_000_000, oldLines: 300, newStart: 3_000_000_000, newLines: 5_000_000_000 }]

  expect(packHunks(hunks)).toHaveLength(9)
  expect(unpackHunks(packHunks(hunks))).toEqual(hunks)
  expect(unpackHunks(packHunks(far))).toEqual(far)
})

test('packed bytes that were cut give the whole regions before', () => {
  expect(unpackHunks(packHunks(hunks).subarray(0, 5))).toEqual(hunks.slice(0, 1))
})
