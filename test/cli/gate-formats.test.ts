// What `merlon gate` prints for merge requests and code viewers, whatever the findings say.

import { describe, expect, test } from 'vitest'
import { asMarkdown, code } from '../../src/cli/commands/gate-markdown.ts'
import { asSarif } from '../../src/cli/commands/gate-sarif.ts'
import { plain } from '../../src/cli/plain.ts'

const finding = {
  id: '7',
  title: 'SQL built from input',
  severity: 'HIGH',
  type: 'SAST_FINDING',
  toolName: 'semgrep' as string | null,
  toolRule: 'sql',
  file: 'src/a b.ts' as string | null,
  line: 3 as number | null,
  platformUrl: null as string | null,
  decision: 'BLOCK' as const,
  reasons: ['any introduced finding'],
}

const judged = (more: Partial<typeof finding> = {}, rule = 'any introduced finding', branchName = 'main') => ({
  deploy: {
    id: '1',
    branchName,
    previousCommit: 'a'.repeat(40),
    currentCommit: 'b'.repeat(40),
    lineage: 'FOLLOWS',
    isCarried: true,
    asset: { id: '2', name: 'service' },
  },
  gate: {
    decision: 'BLOCK' as 'PASS' | 'BLOCK',
    isJudged: true,
    sentence: 'Deploy 1 is blocked.',
    unknown: [] as string[],
    policy: { scope: 'BUILT_IN' as const },
    reasons: [{ rule, decision: 'BLOCK' as const, limit: 0, count: 1, sentence: '1 introduced finding' }],
  },
  findings: [{ ...finding, ...more }],
  total: 1,
})

describe('as Markdown', () => {
  test('has the verdict, a table of reasons and the findings with their places', () => {
    const text = asMarkdown({ ...judged(), total: 3 })

    expect(text).toBe(
      [
        '## ⛔ Merlon gate: BLOCK',
        '',
        'Deploy 1 of `main` in `service`, `aaaaaaaaaa` to `bbbbbbbbbb`, by the built-in policy.',
        '',
        '| Decision | Rule | Found | Allowed |',
        '|---|---|---:|---:|',
        '| BLOCK | `any introduced finding` | 1 | 0 |',
        '',
        '### Findings',
        '',
        '- **HIGH** `SQL built from input` at `src/a b.ts:3` (blocks, finding 7)',
        '',
        '…and 2 more.',
      ].join('\n'),
    )
  })

  test('leads to the finding where the installation says where it is shown', () => {
    const text = asMarkdown(judged({ platformUrl: 'https://merlon.example.test/companies/1/findings/7' }))

    expect(text).toContain('[finding 7](<https://merlon.example.test/companies/1/findings/7>)')
  })

  const hostile = [
    '<img src=x onerror=alert(1)>',
    '[click](https://evil.example)',
    '![](https://evil.example/pixel)',
    '@everyone #1 !2 https://evil.example',
    '` <b>out</b>',
    '``` `` ` @admin',
    'line\n\n# heading\n- @admin',
    'cell | next | <b>',
    '\\`<b>',
    '\u202egnp.exe \u0000\u001b[2J',
    '`',
  ]

  test.each(hostile)('keeps %j in one span of code', (text) => {
    const spoken = asMarkdown(judged({ title: text, file: text }, text, text))

    const outside = spoken.split('\n').map(withoutCode).join('\n')
    expect(outside).not.toMatch(/<b>|<img|evil|@|heading|gnp/)
    expect(spoken.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    expect(
      outside
        .split('\n')
        .filter((line) => line.startsWith('|'))
        .map((line) => line.split('|').length),
    ).toEqual([6, 6, 6])
    expect(outside.split('\n').length).toBe(11)
  })

  test('of a long path the end is kept, with the line', () => {
    const text = asMarkdown(judged({ file: `src/${'deep/'.repeat(100)}a.ts` }))

    expect(text).toMatch(/ at `…[deep/]{193}a\.ts:3` /)
  })

  test('a text is one line, without what hides or controls, and cut', () => {
    expect(plain(' a\r\n\tb\u2028c\u200bd\u0007 ')).toBe('a b c d')
    expect(plain('x'.repeat(500))).toHaveLength(200)
    expect(code('')).toBe('`–`')
    expect(code('a``b`c')).toBe('``` a``b`c ```')
  })
})

/** What a reader of Markdown sees outside of code: a run of backticks ends at the next run as long. */
function withoutCode(line: string): string {
  let rest = line
  let outside = ''
  for (let opening = /`+/.exec(rest); opening; opening = /`+/.exec(rest)) {
    const [fence] = opening
    const inner = rest.slice(opening.index + fence.length)
    const closing = [...inner.matchAll(/`+/g)].find(([run]) => run.length === fence.length)
    outside += rest.slice(0, opening.index)
    if (!closing) return `${outside}${fence}${inner}`
    rest = inner.slice(closing.index + fence.length)
  }
  return outside + rest
}

describe('as SARIF', () => {
  test('is a log of version 2.1.0 with a result for each finding', () => {
    const log = asSarif(judged())

    expect(log).toMatchObject({
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'Merlon', rules: [{ id: 'semgrep/sql' }] } },
          results: [
            {
              ruleId: 'semgrep/sql',
              ruleIndex: 0,
              level: 'error',
              message: { text: 'HIGH: SQL built from input' },
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: 'src/a%20b.ts', uriBaseId: '%SRCROOT%' },
                    region: { startLine: 3 },
                  },
                },
              ],
            },
          ],
        },
      ],
    })
  })

  test.each([
    ['no file', { file: null, line: null }, undefined],
    ['no line', { line: null }, { artifactLocation: { uri: 'src/a%20b.ts', uriBaseId: '%SRCROOT%' } }],
    ['line 0', { line: 0 }, { artifactLocation: { uri: 'src/a%20b.ts', uriBaseId: '%SRCROOT%' } }],
    [
      'an address',
      { file: 'https://shop.example.test/a?b', line: null },
      { artifactLocation: { uri: 'https://shop.example.test/a?b' } },
    ],
    [
      'what looks like a scheme or a root',
      { file: '/javascript:a/[b]%.ts' },
      { artifactLocation: { uri: 'javascript%3Aa/%5Bb%5D%25.ts', uriBaseId: '%SRCROOT%' }, region: { startLine: 3 } },
    ],
  ])('with %s has only what the format allows', (_, more, place) => {
    const [result] = asSarif(judged(more)).runs[0]?.results ?? []

    expect(result && 'locations' in result ? result.locations?.[0]?.physicalLocation : undefined).toEqual(place)
  })

  test('says no link, and a rule of several findings once', () => {
    const two = judged({ title: '[click](https://evil.example)\n' })
    const log = asSarif({ ...two, findings: [...two.findings, finding] })

    expect(log.runs[0]?.results[0]?.message.text).toBe('HIGH: [click] (https://evil.example)')
    expect(log.runs[0]?.tool.driver.rules).toEqual([{ id: 'semgrep/sql' }])
  })
})
