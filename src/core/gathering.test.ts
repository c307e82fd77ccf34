// What is asked at the same time and done in rounds.

import { expect, test } from 'vitest'
import { openGather } from './gathering.ts'

class Refusal extends Error {}

/**
 * A gather of words that answers with them in capitals; `rounds` has what went together. `during` is called once a round is under way, and
 * holds it until it resolves. Of `bad` the gather refuses, of `lost` nobody knows.
 */
function newGather({ most = 100, during = async () => {} }: { most?: number; during?: () => Promise<void> } = {}) {
  const rounds: string[][] = []
  const run = async (words: readonly string[]) => {
    rounds.push([...words])
    await during()
    if (words.includes('bad')) throw new Refusal('bad')
    if (words.includes('lost')) throw new Error('lost')
    return words.map((word) => word.toUpperCase())
  }
  const holds = (word: string) => (word.startsWith('same') ? ['same'] : [])
  return { rounds, gather: openGather({ most, run, holds, isRefusal: (error) => error instanceof Refusal }) }
}

const settled = (all: readonly Promise<string>[]) =>
  Promise.allSettled(all).then((results) =>
    results.map((result) => (result.status === 'fulfilled' ? result.value : String(result.reason))),
  )

test('what is asked at once goes in one round, what comes meanwhile in the next, and each gets its own answer', async () => {
  const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const during = () => {
    begun.resolve()
    return held.promise
  }
  const { rounds, gather } = newGather({ during })

  const first = [gather('a'), gather('b')]
  await begun.promise
  const asked = [...first, gather('c'), gather('d')]
  held.resolve()
  const answers = await settled(asked)
  const later = await gather('e')

  expect(answers).toEqual(['A', 'B', 'C', 'D'])
  expect(later).toBe('E')
  expect(rounds).toEqual([['a', 'b'], ['c', 'd'], ['e']])
})

test('a round takes so many at most', async () => {
  const { rounds, gather } = newGather({ most: 2 })

  const answers = await settled(['a', 'b', 'c', 'd', 'e'].map(gather))

  expect(answers).toEqual(['A', 'B', 'C', 'D', 'E'])
  expect(rounds).toEqual([['a', 'b'], ['c', 'd'], ['e']])
})

test('two that hold the same never go together, and others do not wait for them', async () => {
  const { rounds, gather } = newGather()

  await settled(['same 1', 'same 2', 'a', 'same 3', 'b'].map(gather))

  expect(rounds).toEqual([['same 1', 'a', 'b'], ['same 2'], ['same 3']])
})

test('one that is refused spoils no other: each of its round is tried alone', async () => {
  const { rounds, gather } = newGather()

  const answers = await settled(['a', 'bad', 'b'].map(gather))

  expect(answers).toEqual(['A', 'Error: bad', 'B'])
  expect(rounds).toEqual([['a', 'bad', 'b'], ['a'], ['bad'], ['b']])
})

test('a failure after which nobody knows what was done reaches the whole round, and the next round goes on', async () => {
  const { rounds, gather } = newGather()

  const answers = await settled(['a', 'lost'].map(gather))
  const later = await gather('b')

  expect(answers).toEqual(['Error: lost', 'Error: lost'])
  expect(later).toBe('B')
  expect(rounds).toEqual([['a', 'lost'], ['b']])
})
