// Which findings of different tools are one, and what holds of that whatever is put in.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pairTwins, type Twin } from './twins.ts'

const twin = (id: string, tool: string, more: Partial<Twin> = {}): Twin => ({
  id,
  issueId: id,
  tool,
  by: 'SAME_PLACE',
  where: 'a.ts:1',
  path: 'a.ts',
  keys: ['89'],
  isFresh: true,
  isNew: true,
  isOpen: true,
  family: [id],
  tools: [tool],
  distinctFrom: [],
  ...more,
})

const joined = (twins: Twin[]) => pairTwins(twins).map(({ issueId, findingId }) => [issueId, findingId])

describe('findings of different tools', () => {
  test('join the oldest of them', () => {
    expect(joined([twin('10', 'c'), twin('9', 'b'), twin('2', 'a')])).toEqual([
      ['2', '10'],
      ['2', '9'],
    ])
  })

  test('stay apart where a tool has two that it could be, or nothing is new', () => {
    expect(joined([twin('1', 'a'), twin('2', 'a'), twin('3', 'b')])).toEqual([])
    expect(joined([twin('1', 'a', { isFresh: false }), twin('2', 'b', { isFresh: false })])).toEqual([])
  })

  test('of a component in several files are told apart by the file', () => {
    const of = (id: string, tool: string, path: string) =>
      twin(id, tool, { by: 'SAME_VULNERABILITY', where: 'x@1', path })

    const twins = [of('1', 'a', 'one'), of('2', 'a', 'two'), of('3', 'b', 'two'), of('4', 'b', 'one')]

    expect(joined(twins)).toEqual([
      ['1', '4'],
      ['2', '3'],
    ])
    expect(joined([of('1', 'a', 'one'), of('2', 'a', 'two'), of('3', 'b', 'three')])).toEqual([])
  })

  test('stay apart where people said so, or decided of them differently', () => {
    const own = { isNew: false, isFresh: true }

    expect(joined([twin('1', 'a', { distinctFrom: ['2'] }), twin('2', 'b')])).toEqual([])
    expect(joined([twin('1', 'a', { ...own, isOpen: false }), twin('2', 'b', own)])).toEqual([])
    expect(joined([twin('1', 'a', { ...own, isOpen: false }), twin('2', 'b')])).toEqual([['1', '2']])
  })
})

test('an issue gets one finding of a tool at most, and what stays never goes, whatever is put in', () => {
  const some = fc.array(
    fc.record({
      tool: fc.constantFrom('a', 'b', 'c', 'd'),
      where: fc.constantFrom('x', 'y'),
      path: fc.constantFrom('one', 'two'),
      keys: fc.subarray(['1', '2', '3'], { minLength: 1 }),
      isFresh: fc.boolean(),
      distinctFrom: fc.subarray(['1', '2', '3', '4']),
    }),
    { maxLength: 9 },
  )
  fc.assert(
    fc.property(some, (given) => {
      const twins = given.map(({ tool, ...more }, n) => twin(String(n + 1), tool, more))

      const joinings = pairTwins(twins)

      const heads = new Map(joinings.map(({ issueId, findingId }) => [findingId, issueId]))
      const families = Map.groupBy(twins, ({ id }) => heads.get(id) ?? id)
      expect(heads.size).toBe(joinings.length)
      for (const [head, members] of families) {
        expect(heads.has(head)).toBe(false)
        expect(new Set(members.map(({ tool }) => tool)).size).toBe(members.length)
        const ids = members.map(({ id }) => id)
        expect(
          members.flatMap(({ id, distinctFrom }) => distinctFrom.filter((one) => one !== id && ids.includes(one))),
        ).toEqual([])
      }
    }),
    { seed: 11, numRuns: 3000 },
  )
})
