// Whether answers follow the truth of a condition, where other probes change them meanwhile.

import { expect, test } from 'vitest'
import type { Context } from './check.ts'
import { followsTruth } from './probing.ts'
import type { Exchange, Operation, Point } from './types.ts'

const point: Point = { place: 'query', name: 'q', value: 'tea' }
const operation = { key: 'GET /items?q' } as Operation
const pair = { name: "'", of: (left: number, right: number) => `tea' and '${left}'='${right}` }

const rows = (count: number): string =>
  Array.from({ length: count }, (_, at) => `<tr><td>green tea of garden ${'abcdefghij'[at % 10]}${at}</td></tr>`).join(
    '',
  )

/** A search whose list grows with each request that others send beside it, and its answers to conditions. */
function searching(answer: (isTrue: boolean, count: number) => string) {
  let count = 3
  let number = 1_000
  const context = {
    number: () => number++,
    async attempt(_, changes = [], options = {}) {
      if (!options.isAlone) count += 2
      const [, left, right] = /'(\d+)'='(\d+)/.exec(String(changes[0]?.value)) ?? []
      const text = `<table>${answer(left === right, count)}</table>`
      const request = { method: 'GET', url: 'http://shop.test/items', headers: [], body: null }
      const headers = [['content-type', 'text/html']] as const
      const exchange: Exchange = {
        request,
        answer: { status: 200, headers, body: Buffer.from(text), isCut: false, ms: 1 },
        text,
        operation: operation.key,
        identity: null,
      }
      return exchange
    },
  } satisfies Pick<Context, 'number' | 'attempt'>
  return followsTruth(pair, point, operation, context as Pick<Context, 'number' | 'attempt'> as Context)
}

test('a condition is told though what it lets through grows while others ask', async () => {
  expect(await searching((isTrue, count) => (isTrue ? rows(count) : ''))).not.toBeNull()
})

test('a list that grows whatever is asked follows no condition', async () => {
  expect(await searching((_, count) => rows(count))).toBeNull()
})

test('answers that change by themselves while nothing else is sent follow none', async () => {
  let asked = 0

  expect(
    await searching((isTrue) => {
      asked += 1
      return isTrue ? rows(3 + 4 * asked) : ''
    }),
  ).toBeNull()
})
