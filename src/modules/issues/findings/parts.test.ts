// The parts of the rule of identity: code that is compared, lines that are aligned, places that are carried, fields that are kept.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readAddress } from './address.ts'
import { alignLines } from './align.ts'
import { carryPlace } from './carry.ts'
import { changeOf, digestOf } from './fields.ts'
import type { ScanFields } from './finding.ts'
import { linesAround, readSnippet } from './snippet.ts'

describe('code that is compared', () => {
  test('is equal whatever its white space', () => {
    expect(readSnippet('  a(b,\n\tc)')?.hash).toBe(readSnippet('a(b, c)')?.hash)
    expect(readSnippet('a(b)')?.hash).not.toBe(readSnippet('a(c)')?.hash)
    expect(readSnippet(' \n')).toBeNull()
  })

  test('is long from three lines with text on', () => {
    expect(readSnippet('a\n\nb')?.isLong).toBe(false)
    expect(readSnippet('a\nb\nc')?.isLong).toBe(true)
  })

  test('has the same lines around it when only its own line changed', () => {
    const before = linesAround('one\ntwo\nthree', 9, 10)

    expect(before).not.toBeNull()
    expect(linesAround('one\nTWO\nthree', 29, 30)).toBe(before)
    expect(linesAround('one\ntwo\nTHREE', 9, 10)).not.toBe(before)
    expect(linesAround('two', 10, 10)).toBeNull()
  })
})

describe('alignment', () => {
  const rising = fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 6 }).map((lines) => lines.sort((a, b) => a - b))

  test('pairs all of the shorter side in order with the least distance in sum', () => {
    fc.assert(
      fc.property(rising, rising, (left, right) => {
        fc.pre(Math.min(left.length, right.length) > 1)
        const pairs = alignLines(left, right)

        const sum = pairs.reduce(
          (total, pair) => total + Math.abs((left[pair.left] ?? 0) - (right[pair.right] ?? 0)),
          0,
        )
        const inOrder = pairs.every((pair, at) => at === 0 || pair.right > (pairs[at - 1]?.right ?? 0))
        expect(pairs).toHaveLength(Math.min(left.length, right.length))
        expect(inOrder).toBe(true)
        expect(sum).toBe(leastSum(left, right))
      }),
      { seed: 3, numRuns: 1000 },
    )
  })

  test('takes none of two that are as near', () => {
    expect(alignLines([12], [10, 14])).toEqual([])
    expect(alignLines([12], [10, 13])).toEqual([{ left: 0, right: 1 }])
  })

  test('of sides too large for a table is still in order and whole', () => {
    const left = Array.from({ length: 2500 }, (_, index) => index * 4 + 1)
    const right = Array.from({ length: 5000 }, (_, index) => index * 2)

    const pairs = alignLines(left, right)

    expect(pairs).toHaveLength(2500)
    expect(pairs.every((pair, at) => at === 0 || pair.right > (pairs[at - 1]?.right ?? 0))).toBe(true)
  })
})

/** By trying every way. */
function leastSum(left: readonly number[], right: readonly number[]): number {
  if (left.length > right.length) return leastSum(right, left)
  const [line, ...rest] = left
  if (line === undefined) return 0
  const ways = right
    .slice(0, right.length - rest.length)
    .map((other, at) => Math.abs(line - other) + leastSum(rest, right.slice(at + 1)))
  return Math.min(...ways)
}

describe('a place that is carried to the head', () => {
  const place = { path: 'a.ts', line: 10, column: 2, token: null }
  const inserted = { oldStart: 0, oldLines: 0, newStart: 1, newLines: 4 }
  const replaced = { oldStart: 10, oldLines: 1, newStart: 10, newLines: 2 }
  const removed = { oldStart: 10, oldLines: 1, newStart: 9, newLines: 0 }

  test('goes through every deploy, under each name of its file', () => {
    const steps = [
      { deployId: '2', path: 'b.ts', hunks: [inserted] },
      { deployId: '3', path: 'b.ts', hunks: [inserted] },
    ]

    expect(carryPlace(place, steps, '3')).toEqual({
      place: { ...place, path: 'b.ts', line: 18 },
      isWhole: true,
      isGone: false,
    })
  })

  test('is where it last was when its line or its file goes', () => {
    const gone = { place, isWhole: true, isGone: true }

    expect(carryPlace(place, [{ deployId: '2', path: 'a.ts', hunks: [removed] }], '3')).toEqual(gone)
    expect(carryPlace(place, [{ deployId: '2', path: null, hunks: [] }], '3')).toEqual(gone)
  })

  test('stays in the lines that replaced its own', () => {
    const carried = carryPlace(place, [{ deployId: '2', path: 'a.ts', hunks: [replaced] }], '2')

    expect(carried).toEqual({ place, isWhole: true, isGone: false })
  })

  test('says when the deploys do not lead to the head', () => {
    expect(carryPlace(place, [{ deployId: '2', path: 'a.ts', hunks: [] }], '3').isWhole).toBe(false)
    expect(carryPlace(place, [], '3').isWhole).toBe(false)
  })
})

describe('what a scan overwrites', () => {
  const nothing: ScanFields = {
    title: 'Title',
    description: '',
    severity: null,
    impactLevel: null,
    probabilityLevel: null,
    cvssScore: null,
    cvssVector: null,
    category: null,
    cweIds: null,
    patterns: null,
    reference: null,
    solution: null,
    source: null,
    sink: null,
    detail: null,
    originalIssueIdFromTool: null,
    fingerprint: null,
    partialFingerprint: null,
  }
  const first: ScanFields = { ...nothing, severity: 'LOW', solution: 'Bind it.', detail: { port: 1, url: 'u' } }

  test('is what a scan wrote, and nothing that a person changed', () => {
    const digest = digestOf(first)
    const edited: ScanFields = { ...first, solution: 'Ask Ada.' }

    const { set } = changeOf(edited, digest, { ...first, severity: 'HIGH', solution: 'Bind every value.' })

    expect(set).toEqual({ severity: 'HIGH' })
  })

  test('is what nobody had filled, and not what a person had', () => {
    const digest = digestOf(first)

    expect(changeOf(first, digest, { ...first, category: 'CWE-89' }).set).toEqual({ category: 'CWE-89' })
    expect(changeOf({ ...first, category: 'CWE-20' }, digest, { ...first, category: 'CWE-89' }).set).toEqual({})
  })

  test('is nothing when the same comes again, or less, in whatever order its detail is kept', () => {
    const digest = digestOf(first)
    const stored = { ...first, detail: { url: 'u', port: 1 } }

    expect(changeOf(stored, digest, first)).toEqual({ set: {}, digest: {} })
    expect(changeOf(stored, digest, nothing)).toEqual({ set: {}, digest: {} })
  })

  test('can be overwritten again after it was', () => {
    const change = changeOf(first, digestOf(first), { ...first, severity: 'HIGH' })
    const after = { ...first, ...change.set }

    const next = changeOf(after, { ...digestOf(first), ...change.digest }, { ...first, severity: 'CRITICAL' })

    expect(next.set).toEqual({ severity: 'CRITICAL' })
  })
})

describe('an address', () => {
  test('is the same whatever the values in its query, with its parameters by name', () => {
    expect(readAddress('https://user:pw@app.test/a?id=1&q=x#top', 'token=5, id')).toEqual({
      path: 'https://app.test/a',
      parameters: 'id q token',
    })
  })

  test('stands for itself when it is no URL, and stays short enough to be looked up', () => {
    expect(readAddress('/a?b', null)).toEqual({ path: '/a?b', parameters: '' })
    expect(Buffer.byteLength(readAddress(`https://app.test/${'é'.repeat(4000)}`, null).path)).toBeLessThan(1000)
  })
})
