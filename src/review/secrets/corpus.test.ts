// Every kind of secret is found in tokens made to its form, and in none that misses the form by one thing.

import { describe, expect, test } from 'vitest'
import { chanceOf, diffAdding, linesWith, tokenOf, wrongTokensOf } from '../../../test/testkit/secret-samples.ts'
import { kinds } from './kinds/index.ts'
import { scanSecrets } from './scan.ts'

const scan = (path: string, line: string) => scanSecrets(path, Buffer.from(diffAdding([{ path, lines: [line] }])))

/** A token by which another kind may be meant as well, so that the finding has that one's name. */
const ALSO: Readonly<Record<string, readonly string[]>> = { 'airtable-key': ['airtable-any-key'] }

describe('the kinds of secrets', () => {
  test('There are more than 220 of them, each under a name of its own', () => {
    const ids = kinds.map(({ id }) => id)

    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBeGreaterThan(220)
  })

  test('At least 95 of 100 tokens of each kind are found by that kind, whatever they stand in', () => {
    const chance = chanceOf(20)
    let all = 0
    let found = 0
    const weak: string[] = []
    for (const kind of kinds) {
      const told = [1, 2, 3].flatMap(() => {
        const token = tokenOf(kind, chance)
        return linesWith(kind, token, chance).map(({ path, line }) =>
          scan(path, line).some(({ detector, secret }) => detector.id === kind.id && secret === token),
        )
      })
      all += told.length
      found += told.filter((each) => each).length
      if (told.filter((each) => each).length * 2 < told.length) weak.push(kind.id)
    }

    expect(found / all).toBeGreaterThan(0.95)
    expect(weak).toEqual([])
  })

  test('None that misses the form by its length, alphabet, checksum or beginning is taken for one', () => {
    const chance = chanceOf(21)
    const alarms: string[] = []
    for (const kind of kinds) {
      for (const { wrong, text } of wrongTokensOf(kind, chance)) {
        for (const { path, line } of linesWith(kind, text, chance)) {
          const names = [kind.id, ...(ALSO[kind.id] ?? [])]
          const seen = scan(path, line).filter(({ detector }) => detector.rank === 0 || names.includes(detector.id))
          const isOwn = seen.some(({ detector }) => detector.id === kind.id)
          if (isOwn || (wrong === 'PLACEHOLDER' && seen.length > 0)) alarms.push(`${kind.id} ${wrong}: ${line}`)
        }
      }
    }

    expect(alarms).toEqual([])
  })
})
