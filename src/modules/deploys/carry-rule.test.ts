// The rule of carrying one finding, where a repository of text lines does not lead.

import { describe, expect, test } from 'vitest'
import { carry, carryAmong } from './carry.ts'

const place = { path: 'a.bin', line: 3, firstLine: 1 }
const file = { newPath: 'a.bin', binary: false, hunks: [] }
const twoAbove = [{ oldStart: 0, oldLines: 0, newStart: 1, newLines: 2 }]

describe('carrying one finding', () => {
  test('a binary change touches what stands in the file, with a line or without, and a renamed one takes it along', () => {
    const withLine = carry(place, { ...file, binary: true })
    const without = carry({ ...place, line: null }, { ...file, newPath: 'b.bin', binary: true })

    expect(withLine).toEqual({ disposition: 'TOUCHED', place })
    expect(without).toEqual({ disposition: 'TOUCHED', place: { ...place, line: null, path: 'b.bin' } })
  })

  test('a finding without a line goes with its file, and no change of text says anything else of it', () => {
    const lineless = { ...place, line: null }

    const changed = carry(lineless, { ...file, hunks: twoAbove })
    const renamed = carry(lineless, { ...file, newPath: 'b.txt', hunks: twoAbove })
    const deleted = carry(lineless, { ...file, newPath: null })

    expect(changed).toBeNull()
    expect(renamed).toEqual({ disposition: 'RENAMED', place: { ...lineless, path: 'b.txt' } })
    expect(deleted).toEqual({ disposition: 'REMOVED', place: lineless })
  })

  test('the first line of what is shown moves as far as the line does, and not above the file', () => {
    const down = carry(place, { ...file, hunks: twoAbove })
    const up = carry(place, { ...file, hunks: [{ oldStart: 1, oldLines: 2, newStart: 0, newLines: 0 }] })

    expect(down?.place).toEqual({ path: 'a.bin', line: 5, firstLine: 3 })
    expect(up?.place).toEqual({ path: 'a.bin', line: 1, firstLine: 1 })
  })

  test('lines of a region that has new lines are touched, those of one that has none are removed', () => {
    const replaced = carry(place, { ...file, hunks: [{ oldStart: 2, oldLines: 3, newStart: 2, newLines: 1 }] })
    const lost = carry(place, { ...file, hunks: [{ oldStart: 2, oldLines: 3, newStart: 1, newLines: 0 }] })

    expect(replaced).toEqual({ disposition: 'TOUCHED', place: { path: 'a.bin', line: 2, firstLine: 1 } })
    expect(lost).toEqual({ disposition: 'REMOVED', place })
  })
})

describe('carrying one finding of a file of which there are copies', () => {
  const rewritten = [{ oldStart: 1, oldLines: 9, newStart: 1, newLines: 4 }]
  const own = { ...file, number: 1, hunks: rewritten }
  const copy = { ...file, number: 2, newPath: 'old/a.bin', hunks: twoAbove }

  test('a line that its file no longer has goes with the copy that has it', () => {
    const taken = carryAmong(place, own, [copy])

    expect(taken).toEqual({ disposition: 'RENAMED', place: { path: 'old/a.bin', line: 5, firstLine: 3 }, file: 2 })
  })

  test('a line that its file still has stays there', () => {
    const same = carryAmong(place, { ...own, hunks: [] }, [copy])
    const moved = carryAmong(place, { ...own, hunks: twoAbove }, [copy])

    expect(same).toBeNull()
    expect(moved).toMatchObject({ disposition: 'MOVED', file: 1 })
  })

  test('of several copies that have it none takes it, nor does one that has it no more', () => {
    const several = carryAmong(place, own, [copy, { ...copy, number: 3, newPath: 'b.bin' }])
    const rewrittenToo = carryAmong(place, own, [{ ...copy, hunks: rewritten }])
    const withoutLine = carryAmong({ ...place, line: null }, { ...own, binary: true }, [copy])

    expect(several).toMatchObject({ disposition: 'TOUCHED', file: 1 })
    expect(rewrittenToo).toMatchObject({ disposition: 'TOUCHED', file: 1 })
    expect(withoutLine).toMatchObject({ disposition: 'TOUCHED', file: 1 })
  })
})
