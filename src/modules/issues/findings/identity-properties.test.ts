// What holds of the rule of identity whatever is put in.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { answer, code, known, observed, place } from '../../../../test/testkit/matching.ts'
import type { Extent } from './evidence.ts'
import { matchBucket } from './identity.ts'

describe('whatever is put in', () => {
  const path = fc.constantFrom('a.ts', 'b.ts')
  const hash = fc.constantFrom('1', '2', '3')
  const line = fc.integer({ min: 1, max: 30 })
  const id = fc.option(fc.constantFrom('x', 'y'), { nil: null, freq: 4 })
  const observation = fc
    .record({ path, hash, line, id, isLong: fc.boolean() })
    .map((one) => observed({ toolId: one.id, place: place(one.path, one.line), snippet: code(one.hash, one.isLong) }))
  const candidate = fc
    .record({
      path,
      hash,
      line,
      id,
      isOpen: fc.boolean(),
      isOwnBranch: fc.boolean(),
      isMapped: fc.boolean(),
      isTouched: fc.boolean(),
      seen: fc.constantFrom('HERE' as const, 'ELSEWHERE' as const, 'UNKNOWN' as const),
    })
    .map(({ path: file, hash: snippetHash, line: at, id: toolId, ...more }) => ({
      ...more,
      toolId,
      snippetHash,
      place: place(file, at),
    }))
  const sides = fc.record({
    all: fc.array(observation, { maxLength: 12 }),
    candidates: fc
      .array(candidate, { maxLength: 12 })
      .map((some) => some.map((one, index) => known(`issue ${index}`, one))),
    extent: fc.constantFrom<Extent>('WHOLE', 'PARTIAL'),
  })

  test('no finding is matched twice', () => {
    fc.assert(
      fc.property(sides, ({ all, candidates, extent }) => {
        const ids = matchBucket(all, candidates, extent).flatMap((match) => match.candidate?.issueId ?? [])

        expect(new Set(ids).size).toBe(ids.length)
      }),
      { seed: 7, numRuns: 2000 },
    )
  })

  test('the order in which findings are known does not matter', () => {
    fc.assert(
      fc.property(sides, ({ all, candidates, extent }) => {
        expect(answer(all, candidates.toReversed(), extent)).toEqual(answer(all, candidates, extent))
      }),
      { seed: 8, numRuns: 2000 },
    )
  })

  test('findings that share neither id, path nor code with a report change nothing of what it matches', () => {
    fc.assert(
      fc.property(sides, fc.constantFrom('a.ts', 'b.ts'), ({ all, candidates, extent }, file) => {
        const few = all.filter(({ place: { path: own }, snippet }) => own === file && snippet?.hash !== '3')
        const ids = new Set(few.map(({ toolId }) => toolId ?? 'none'))
        const hashes = new Set(few.map(({ snippet }) => snippet?.hash ?? 'none'))
        const issues = new Set(
          candidates
            .filter(
              ({ toolId, snippetHash, place: { path: own } }) =>
                own === file || ids.has(toolId ?? '') || hashes.has(snippetHash ?? ''),
            )
            .map(({ issueId }) => issueId),
        )

        const sharing = candidates.filter(({ issueId }) => issues.has(issueId))

        expect(answer(few, sharing, extent)).toEqual(answer(few, candidates, extent))
      }),
      { seed: 11, numRuns: 2000 },
    )
  })

  test('a file that is joined with another keeps its findings, however often each of its lines stands there', () => {
    const lines = fc.array(fc.constantFrom('1', '2', '3'), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(lines, lines, fc.nat({ max: 100 }), (moved, stayed, from) => {
        const before = [
          ...moved.map((one, at) => known(`b ${at}`, { place: place('b.ts', at + 1), snippetHash: one, isGone: true })),
          ...stayed.map((one, at) =>
            known(`a ${at}`, { place: place('a.ts', at + 1), snippetHash: one, isMapped: true }),
          ),
        ]
        const after = [...stayed, ...moved].map((one, at) =>
          observed({ place: place('a.ts', at < stayed.length ? at + 1 : from + at + 1), snippet: code(one) }),
        )

        expect(answer(after, before)).toEqual([
          ...stayed.map((_, at) => ['PLACE', `a ${at}`]),
          ...moved.map((_, at) => ['SNIPPET_ELSEWHERE', `b ${at}`]),
        ])
      }),
      { seed: 10, numRuns: 1000 },
    )
  })

  test('a report that comes again as it was matches all of what it made', () => {
    const distinct = fc.uniqueArray(observation, {
      maxLength: 12,
      selector: ({ place: { path: file, line: at } }) => `${file} ${at}`,
    })
    fc.assert(
      fc.property(distinct, fc.constantFrom<Extent>('WHOLE', 'PARTIAL'), (all, extent) => {
        const made = all.map((one, index) =>
          known(`issue ${index}`, {
            place: one.place,
            snippetHash: one.snippet?.hash ?? null,
            isMapped: true,
            seen: 'HERE',
          }),
        )

        const bare = all.map((one) => ({ ...one, toolId: null }))

        expect(answer(bare, made, extent)).toEqual(all.map((_, index) => ['PLACE', `issue ${index}`]))
      }),
      { seed: 9, numRuns: 1000 },
    )
  })

  test('a hundred thousand observations of a rule are matched in their places', () => {
    const many = Array.from({ length: 100_000 }, (_, index) =>
      observed({ place: place(`f${index % 500}.ts`, index), snippet: code(String(index % 1000)) }),
    )
    const candidates = many.map((one, index) =>
      known(`issue ${index}`, { place: place(one.place.path, index + 1), snippetHash: one.snippet?.hash ?? null }),
    )

    const wrong = answer(many, candidates).filter(([, issueId], index) => issueId !== `issue ${index}`)

    expect(wrong).toEqual([])
  })
})
