// The rule of identity, pass by pass.

import { describe, expect, test } from 'vitest'
import { answer, code, known, observed, place } from '../../../../test/testkit/matching.ts'
import type { Candidate, Extent, Observed } from './evidence.ts'

describe('a finding whose line a diff has removed', () => {
  const gone = (issueId: string, line: number, more: Partial<Candidate> = {}) =>
    known(issueId, { place: place('a.ts', line), isTouched: true, isGone: true, ...more })
  const carried = (issueId: string, line: number, more: Partial<Candidate> = {}) =>
    known(issueId, { place: place('a.ts', line), isMapped: true, ...more })

  test.each<Extent>(['WHOLE', 'PARTIAL'])('is not taken for what is new in its file, in a %s report', (extent) => {
    const after = [observed({ place: place('a.ts', 12), snippet: code('new') })]

    expect(answer(after, [gone('removed', 10, { snippetHash: 'old' })], extent)).toEqual([['NEW', null]])
  })

  test('takes the place of none that stands, though its code is equal', () => {
    const after = [6, 12].map((line) => observed({ place: place('a.ts', line), snippet: code('equal') }))
    const before = [gone('one', 6), gone('two', 12), carried('three', 6), carried('four', 12)]

    const matches = answer(
      after,
      before.map((one) => ({ ...one, snippetHash: 'equal' })),
    )

    expect(matches).toEqual([
      ['PLACE', 'three'],
      ['PLACE', 'four'],
    ])
  })

  test('and the one below it, which came to its line, are told apart without any code', () => {
    expect(answer([observed({ place: place('a.ts', 4) })], [gone('removed', 4), carried('below', 4)])).toEqual([
      ['PLACE', 'below'],
    ])
  })

  test('is not found by an id that another has too, though the other is found by its place', () => {
    const before = [carried('stands', 10, { toolId: 'T' }), gone('removed', 20, { toolId: 'T' })]
    const after = [10, 99].map((line) =>
      observed({ toolId: 'T', place: place('a.ts', line), snippet: code(`at ${line}`) }),
    )

    expect(answer(after, before)).toEqual([
      ['PLACE', 'stands'],
      ['NEW', null],
    ])
  })

  test('is found again by its code, in its file and in another', () => {
    const before = [gone('here', 10, { snippetHash: 'one' }), gone('elsewhere', 20, { snippetHash: 'two' })]
    const after = [
      observed({ place: place('a.ts', 90), snippet: code('one', true) }),
      observed({ place: place('b.ts', 3), snippet: code('two', true) }),
    ]

    expect(answer(after, before)).toEqual([
      ['SNIPPET_IN_FILE', 'here'],
      ['SNIPPET_ELSEWHERE', 'elsewhere'],
    ])
  })
})

describe('each pass', () => {
  test("1: the tool's own id wins over the place", () => {
    const candidates = [known('here'), known('same', { toolId: 'T', place: place('z.ts', 99) })]

    expect(answer([observed({ toolId: 'T' })], candidates)).toEqual([['TOOL_ID', 'same']])
  })

  test('1: an id that two findings have says nothing', () => {
    const candidates = [
      known('one', { toolId: 'T', place: place('x.ts', 1) }),
      known('two', { toolId: 'T', place: place('y.ts', 1) }),
    ]

    expect(answer([observed({ toolId: 'T' })], candidates)).toEqual([['NEW', null]])
  })

  test('1: of two findings with an id the open one is meant', () => {
    const candidates = [
      known('closed', { toolId: 'T', isOpen: false }),
      known('open', { toolId: 'T', place: place('y.ts', 1) }),
    ]

    expect(answer([observed({ toolId: 'T' })], candidates)).toEqual([['TOOL_ID', 'open']])
  })

  test("2: the caller's fingerprint", () => {
    const candidates = [known('here'), known('same', { fingerprint: 'F', place: place('z.ts', 99) })]

    expect(answer([observed({ fingerprint: 'F' })], candidates)).toEqual([['FINGERPRINT', 'same']])
  })

  test('3: the place, whatever the code says, where the diffs vouch for it', () => {
    const candidates = [known('same', { isMapped: true, snippetHash: '1' })]

    expect(answer([observed({ snippet: code('2') })], candidates, 'PARTIAL')).toEqual([['PLACE', 'same']])
  })

  test('3: without diffs the place counts only as long as the code does not contradict', () => {
    const candidates = [known('same', { snippetHash: '1', isOpen: false })]

    expect(answer([observed({ snippet: code('1') })], candidates)).toEqual([['PLACE', 'same']])
    expect(answer([observed({ snippet: code('2') })], candidates)).toEqual([['NEW', null]])
  })

  test('3: two on a line are told apart by their columns, where both sides have one', () => {
    const candidates = [
      known('left', { place: place('a.ts', 10, 3) }),
      known('right', { place: place('a.ts', 10, 20) }),
    ]
    const all = [observed({ place: place('a.ts', 10, 20) }), observed({ place: place('a.ts', 10, 3) })]

    expect(answer(all, candidates)).toEqual([
      ['PLACE', 'right'],
      ['PLACE', 'left'],
    ])
  })

  test('3: two findings at a place that nothing tells apart match nothing', () => {
    expect(answer([observed()], [known('one'), known('two')], 'PARTIAL')).toEqual([['NEW', null]])
  })

  test('3: where there is no line, what stands for it must be equal', () => {
    const at = (token: string) => place('package-lock.json', null, null, token)
    const candidates = [known('one', { place: at('a@1') }), known('two', { place: at('a@2') })]

    expect(answer([observed({ place: at('a@2') })], candidates)).toEqual([['PLACE', 'two']])
  })

  test('4: equal lines are paired in their order with the least movement', () => {
    const candidates = [10, 20, 90].map((line) => known(`at ${line}`, { place: place('a.ts', line), snippetHash: '1' }))
    const all = [95, 24].map((line) => observed({ place: place('a.ts', line), snippet: code('1') }))

    expect(answer(all, candidates)).toEqual([
      ['SNIPPET_IN_FILE', 'at 90'],
      ['SNIPPET_IN_FILE', 'at 20'],
    ])
  })

  test('5: what a tool calls a partial fingerprint, in any file; lines around that we hashed, in one', () => {
    const elsewhere = { place: place('b.ts', 70) }

    expect(
      answer([observed({ partialFingerprint: 'p' })], [known('p', { partialFingerprint: 'p', ...elsewhere })]),
    ).toEqual([['CONTEXT', 'p']])
    expect(
      answer(
        [observed({ partialFingerprint: 'lines:1' })],
        [known('q', { partialFingerprint: 'lines:1', ...elsewhere })],
      ),
    ).toEqual([['NEW', null]])
  })

  test('6: the same code in another file, when it is the only one left', () => {
    const there = (id: string) => known(id, { place: place(`${id}.ts`, 5), snippetHash: '1' })

    expect(answer([observed({ snippet: code('1') })], [there('one')])).toEqual([['SNIPPET_ELSEWHERE', 'one']])
    expect(answer([observed({ snippet: code('1') })], [there('one'), there('two')])).toEqual([['NEW', null]])
  })

  describe('6: equal code that left one file for one other', () => {
    const left = [5, 9, 30].map((line) => known(`at ${line}`, { place: place('b.ts', line), snippetHash: '1' }))
    const found = [71, 40, 55].map((line) => observed({ place: place('a.ts', line), snippet: code('1') }))

    test('is paired in its order', () => {
      expect(answer(found, left)).toEqual([
        ['SNIPPET_ELSEWHERE', 'at 30'],
        ['SNIPPET_ELSEWHERE', 'at 5'],
        ['SNIPPET_ELSEWHERE', 'at 9'],
      ])
    })

    test.each<[string, Observed[], Candidate[], Extent]>([
      ['some of it is gone', found.slice(1), left, 'WHOLE'],
      [
        'it went to two files',
        [...found.slice(1), observed({ place: place('c.ts', 1), snippet: code('1') })],
        left,
        'WHOLE',
      ],
      [
        'it came from two files',
        found,
        [...left.slice(1), known('c', { place: place('c.ts', 1), snippetHash: '1' })],
        'WHOLE',
      ],
      [
        'two share a line',
        found,
        [...left.slice(1), known('twin', { place: place('b.ts', 9), snippetHash: '1' })],
        'WHOLE',
      ],
      ['it has no lines', found.map((one) => ({ ...one, place: place('a.ts', null) })), left, 'WHOLE'],
      ['the report is a part of a scan', found, left.map((one) => ({ ...one, isTouched: true })), 'PARTIAL'],
    ])('is not where %s', (_, all, candidates, extent) => {
      expect(answer(all, candidates, extent)).toEqual(all.map(() => ['NEW', null]))
    })
  })

  test('7: the nearest line, when one is left on each side of a file', () => {
    const all = [observed({ snippet: code('2') }), observed({ place: place('a.ts', 50), snippet: code('3') })]
    const candidates = [known('old', { place: place('a.ts', 12), snippetHash: '1' })]

    expect(answer(all.slice(0, 1), candidates)).toEqual([['NEAREST_LINE', 'old']])
    expect(answer(all, candidates)).toEqual([
      ['NEW', null],
      ['NEW', null],
    ])
  })
})

describe('a finding that is known on other branches only', () => {
  test('comes after those of the branch itself', () => {
    const candidates = [known('other', { isOwnBranch: false }), known('own')]

    expect(answer([observed()], candidates)).toEqual([['PLACE', 'own']])
  })

  test('is met at the same place, and counts once though two branches have it', () => {
    const candidates = [known('other', { isOwnBranch: false }), known('other', { isOwnBranch: false })]

    expect(answer([observed()], candidates, 'PARTIAL')).toEqual([['PLACE', 'other']])
  })

  test('is never met by nearness', () => {
    const candidates = [known('other', { isOwnBranch: false, place: place('a.ts', 12) })]

    expect(answer([observed()], candidates)).toEqual([['NEW', null]])
  })
})

describe('with only part of a scan', () => {
  const moved = observed({ place: place('a.ts', 50), snippet: code('1') })
  const movedLong = observed({ place: place('a.ts', 50), snippet: code('1', true) })
  const at10 = (more: Partial<Candidate>) => [known('old', { snippetHash: '1', ...more })]

  test.each([
    ['was reported at the same commit', moved, { seen: 'HERE' as const, isMapped: true }, 'NEW'],
    ['is still where it was, by the diffs', moved, { isMapped: true }, 'NEW'],
    ['had its line replaced, by the diffs', moved, { isTouched: true }, 'SNIPPET_IN_FILE'],
    ['was reported at another commit, without diffs', moved, {}, 'SNIPPET_IN_FILE'],
    ['was reported at nobody knows which commit', moved, { seen: 'UNKNOWN' as const }, 'NEW'],
    ['was reported so, with code that is long', movedLong, { seen: 'UNKNOWN' as const }, 'SNIPPET_IN_FILE'],
  ])('equal code elsewhere in the file of a finding that %s', (_, one, more, matchedBy) => {
    expect(answer([one], at10(more), 'PARTIAL')[0]?.[0]).toBe(matchedBy)
  })

  test('other code in the file is another finding', () => {
    const second = observed({ place: place('a.ts', 50), snippet: code('2') })

    expect(answer([second], at10({}), 'PARTIAL')).toEqual([['NEW', null]])
  })

  test('equal code in another file is another finding, unless the diffs removed the first', () => {
    const copy = observed({ place: place('b.ts', 10), snippet: code('1', true) })

    expect(answer([copy], at10({}), 'PARTIAL')).toEqual([['NEW', null]])
    expect(answer([copy], at10({ isTouched: true }), 'PARTIAL')).toEqual([['SNIPPET_ELSEWHERE', 'old']])
  })

  test('other code on the very line is the same finding where no diff says otherwise', () => {
    const edited = observed({ snippet: code('2') })

    expect(answer([edited], at10({}), 'PARTIAL')).toEqual([['NEAREST_LINE', 'old']])
  })
})
