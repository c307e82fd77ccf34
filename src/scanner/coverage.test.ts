// What counts as asked everything, and what does not.

import { expect, test } from 'vitest'
import type { Check } from './check.ts'
import { openCoverage } from './coverage.ts'
import { fromObserved } from './seed/observed.ts'
import type { Exchange, Operation } from './types.ts'

const operationAt = (path: string): Operation => {
  const operation = fromObserved({ method: 'GET', url: `http://shop.test${path}`, source: 'crawl' })
  if (!operation) throw new Error('It is no operation')
  return operation
}
const check = { id: 'a-check' } as Check
const [items, slow, limited] = [operationAt('/items'), operationAt('/slow'), operationAt('/limited')]

test('an operation is, unless it was hurried; of one that was left alone the checks that had looked are', () => {
  const coverage = openCoverage()
  coverage.noteLook(check, limited)
  coverage.leaveOut(slow)

  expect(coverage.of([items, slow, limited], new Set([limited.key]))).toEqual([
    { place: items.key, checks: null },
    { place: limited.key, checks: ['a-check'] },
  ])
})

test('a place beside operations is where it answered, and not with an error of the server', () => {
  const coverage = openCoverage()
  for (const [path, status] of [
    ['/.env', 404],
    ['/backup', 502],
    ['/often', 429],
  ] as const) {
    const request = { method: 'GET', url: `http://shop.test${path}`, headers: [], body: null }
    coverage.noteAnswer({ request, answer: { status }, operation: '' } as unknown as Exchange, undefined)
  }

  expect(coverage.of([], new Set()).map(({ place }) => place)).toEqual(['asked GET /.env'])
})

test('nothing is once somebody’s questions were asked as nobody', () => {
  const coverage = openCoverage()
  coverage.spoil()

  expect(coverage.of([items], new Set())).toEqual([])
})
