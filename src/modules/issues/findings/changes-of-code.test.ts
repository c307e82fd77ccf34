// What happens to code between two reports: findings stay the ones that they are, with diffs and without, alone and through the endpoint.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deployed, newCodeHome } from '../../../../test/testkit/code-home.ts'
import { imported, sarif } from '../../../../test/testkit/reports.ts'
import type { Candidate, Observed } from './evidence.ts'
import { matchBucket } from './identity.ts'
import { readSnippet } from './snippet.ts'

/** A line of code that a tool reports, by the number of its finding, where it is after a change. */
type Line = { issue: number; path: string; line: number; text: string }

const observed = ({ path, line, text }: Line): Observed => ({
  toolId: null,
  fingerprint: null,
  partialFingerprint: null,
  place: { path, line, column: null, token: null },
  snippet: readSnippet(text),
  code: text,
})

const known = ({ issue, path, line, text }: Line, carried: Partial<Candidate> = {}): Candidate => ({
  issueId: String(issue),
  isOwnBranch: true,
  isOpen: true,
  toolId: null,
  fingerprint: null,
  partialFingerprint: null,
  place: { path, line, column: null, token: null },
  snippetHash: readSnippet(text)?.hash ?? null,
  code: text,
  isMapped: false,
  isTouched: false,
  isGone: false,
  seen: 'ELSEWHERE',
  ...carried,
})

/** The findings of a file, each on a line of its own. */
const inFile = (texts: fc.Arbitrary<string>, isDistinct: boolean) =>
  fc
    .tuple(
      fc.uniqueArray(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 12 }),
      fc.array(texts, { minLength: 12, maxLength: 12 }),
    )
    .map(([numbers, words]): Line[] =>
      numbers
        .sort((one, other) => one - other)
        .map((line, issue) => ({
          issue,
          path: 'a.ts',
          line,
          text: isDistinct ? `${words[issue]} ${issue}` : (words[issue] ?? ''),
        })),
    )

const distinct = inFile(fc.constantFrom('eval(x)', 'run(y)'), true)
const equal = inFile(fc.constantFrom('eval(x)', 'run(y)'), false)

const issuesOf = (after: readonly Line[], before: readonly Line[], carried?: (line: Line) => Partial<Candidate>) =>
  matchBucket(
    after.map(observed),
    before.map((line) => known(line, carried?.(line))),
    'WHOLE',
  ).map(({ candidate }) => candidate?.issueId ?? null)

const truth = (after: readonly Line[]) => after.map(({ issue }) => String(issue))

const options = { seed: 12, numRuns: 500 }

describe('without a diff, findings with code of their own stay the same', () => {
  const cases: [string, (line: Line, by: number) => Line][] = [
    ['when lines are added above', (one, by) => ({ ...one, line: one.line + by })],
    ['when they are indented anew', (one, by) => ({ ...one, text: `${'\t'.repeat(by % 5)}${one.text}  ` })],
    ['when their file is renamed', (one) => ({ ...one, path: 'b.ts' })],
    [
      'when they go to another file, among other lines',
      (one, by) => ({ ...one, path: 'b.ts', line: one.line * 3 + by }),
    ],
    ['when their file is split in two', (one) => ({ ...one, path: one.issue % 2 === 0 ? 'a.ts' : 'b.ts' })],
  ]

  test.each(cases)('%s', (_, change) => {
    fc.assert(
      fc.property(distinct, fc.integer({ min: 0, max: 300 }), (before, by) => {
        const after = before.map((one) => change(one, by))

        expect(issuesOf(after, before)).toEqual(truth(after))
      }),
      options,
    )
  })

  test('when two files are joined', () => {
    fc.assert(
      fc.property(distinct, fc.integer({ min: 1, max: 300 }), (lines, by) => {
        const before = lines.map((one) => ({ ...one, path: one.issue % 2 === 0 ? 'a.ts' : 'b.ts' }))
        const after = before.map((one) => ({
          ...one,
          path: 'a.ts',
          line: one.path === 'a.ts' ? one.line : one.line + 200 + by,
        }))

        expect(issuesOf(after, before)).toEqual(truth(after))
      }),
      options,
    )
  })
})

/** The style of a formatter that prefers other quotes, and commas or semicolons at an end. */
const restyled = (text: string) => `${text.replaceAll("'", '"').replace(/\)$/, ',)')};`

const quoted = fc.constantFrom("eval('x')", "run(y, 'it', `is`)", "run(y, 'it', z)", 'eval("x")')

describe('formatted anew and moved, without a diff', () => {
  test('findings with code of their own stay the same', () => {
    fc.assert(
      fc.property(inFile(quoted, true), fc.integer({ min: 0, max: 300 }), (before, by) => {
        const after = before.map((one) => ({ ...one, line: one.line + by, text: restyled(one.text) }))

        expect(issuesOf(after, before)).toEqual(truth(after))
      }),
      options,
    )
  })

  test('findings with equal code stay the same, in their order', () => {
    fc.assert(
      fc.property(inFile(fc.constant("eval('x')"), false), fc.integer({ min: 0, max: 300 }), (before, by) => {
        const after = before.map((one) => ({ ...one, line: one.line + by, text: restyled(one.text) }))

        expect(issuesOf(after, before)).toEqual(truth(after))
      }),
      options,
    )
  })

  test('findings whose code is as it was come first', () => {
    fc.assert(
      fc.property(inFile(quoted, true), fc.nat({ max: 300 }), fc.nat({ max: 11 }), (before, by, nth) => {
        const [one] = before.slice(nth % before.length)
        const twin = { ...one, issue: 99, line: 500, text: restyled(one?.text ?? '') } as Line
        const after = [...before, twin].map((each) => ({ ...each, line: each.line + by }))

        expect(issuesOf(after, before)).toEqual([...truth(before), null])
      }),
      options,
    )
  })

  test('findings whose code is another in more than its style are new', () => {
    fc.assert(
      fc.property(inFile(quoted, true), fc.integer({ min: 1, max: 300 }), (before, by) => {
        const after = before.map((one) => ({ ...one, line: one.line + by, text: restyled(`${one.text} + 1`) }))

        expect(issuesOf(after, before)).toEqual(before.length === 1 ? ['0'] : before.map(() => null))
      }),
      options,
    )
  })
})

test('without a diff, findings with equal code stay the same when lines are added above, though some stand where others stood', () => {
  fc.assert(
    fc.property(equal, fc.integer({ min: 0, max: 400 }), (before, by) => {
      const after = before.map((one) => ({ ...one, line: one.line + by }))

      expect(issuesOf(after, before)).toEqual(truth(after))
    }),
    options,
  )
})

test('with diffs, findings with equal code stay the same wherever lines are added and removed between them', () => {
  fc.assert(
    fc.property(equal, fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 12, maxLength: 12 }), (before, gaps) => {
      let shift = 0
      const after = before.map((one, at) => {
        shift += gaps[at] ?? 0
        return { ...one, line: one.line + shift }
      })
      const moved = new Map(after.map((one) => [one.issue, one.line]))
      const carried = (one: Line) => ({
        isMapped: true,
        place: { path: one.path, line: moved.get(one.issue) ?? null, column: null, token: null },
      })

      expect(issuesOf(after, before, carried)).toEqual(truth(after))
    }),
    options,
  )
})

test('two equal findings whose lines are swapped are the two that they were, one for each, in whatever order they are told', () => {
  fc.assert(
    fc.property(equal, fc.integer({ min: 0, max: 400 }), fc.boolean(), (before, by, isReversed) => {
      const after = before.map((one) => ({ ...one, line: one.line + by }))
      const told = isReversed ? after.toReversed() : after

      const answers = issuesOf(told, before)

      expect(new Set(answers).size).toBe(before.length)
      expect(answers).not.toContain(null)
      expect(isReversed ? answers.toReversed() : answers).toEqual(issuesOf(after, before))
    }),
    options,
  )
})

describe('whole reports after real diffs', () => {
  const result = (path: string, line: number, text: string) => ({
    ruleId: 'rule',
    message: { text: 'Wrong' },
    locations: [
      { physicalLocation: { artifactLocation: { uri: path }, region: { startLine: line, snippet: { text } } } },
    ],
  })

  /** Each line with text of its own, but for those that a tool reports: they are equal. */
  const reported = (files: Record<string, string[]>) =>
    Object.entries(files).flatMap(([path, lines]) =>
      lines.flatMap((text, index) => (text.trim().startsWith('eval') ? [{ path, line: index + 1, text }] : [])),
    )

  const plan = fc.record({
    at: fc.uniqueArray(fc.integer({ min: 3, max: 37 }), { minLength: 2, maxLength: 5 }),
    above: fc.integer({ min: 0, max: 9 }),
    indent: fc.integer({ min: 0, max: 4 }),
    isRenamed: fc.boolean(),
  })

  test('name the same issues, also when they come again and all at once', async () => {
    await fc.assert(
      fc.asyncProperty(plan, async ({ at, above, indent, isRenamed }) => {
        const home = await newCodeHome()
        const send = (files: Record<string, string[]>) =>
          imported(home, sarif(reported(files).map(({ path, line, text }) => result(path, line, text))))
        const ids = ({ rows }: Awaited<ReturnType<typeof send>>) =>
          rows.collection.map((row: { issue: { id: string } }) => row.issue.id)
        const lines = Array.from({ length: 40 }, (_, index) =>
          at.includes(index) ? `eval(x) // ${' '.repeat(index)}` : `line ${index}`,
        )
        const before = { 'a.ts': lines }
        const path = isRenamed ? 'b.ts' : 'a.ts'
        const after = {
          [path]: [...Array.from({ length: above }, (_, n) => `new ${n}`), ...lines].map((text) =>
            text.startsWith('eval') ? ' '.repeat(indent) + text : text,
          ),
        }
        const one = home.repository.commit(before)
        await deployed(
          home,
          home.repository.diff('4b825dc642cb6eb9a060e54bf8d69288fbee4904', one),
          '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
          one,
        )
        const first = ids(await send(before))
        const two = home.repository.commit({ 'a.ts': null, ...after })
        await deployed(home, home.repository.diff(one, two), one, two)

        const second = await Promise.all([send(after), send(after), send(after)])

        for (const answer of second) expect(ids(answer)).toEqual(first)
      }),
      { seed: 13, numRuns: 6 },
    )
  })
})
