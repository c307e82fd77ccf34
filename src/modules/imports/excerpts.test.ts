// Reports whose code has lines around the reported one: a finding is known by its own line, and else by those around it.

import { describe, expect, test } from 'vitest'
import { imported, newReportHome, rowsOf, sarif } from '../../../test/testkit/reports.ts'

/** An assertion of Bandit on a line, with the line before it and the line after it. */
const found = (line: number, [before, code, after]: readonly [string, string, string]) => ({
  code: `${line - 1} ${before}\n${line} ${code}\n${line + 1} ${after}\n`,
  filename: './app/checks.py',
  issue_severity: 'LOW',
  issue_text: 'Use of assert detected.',
  line_number: line,
  line_range: [line],
  test_id: 'B101',
})

const bandit = (...results: unknown[]) => JSON.stringify({ errors: [], metrics: {}, results })

/** The same in SARIF: the snippet of the region, and beside it that of the lines around. */
const withContext = (line: number, [before, code, after]: readonly [string, string, string]) => ({
  ruleId: 'R1',
  message: { text: 'Something is wrong here.' },
  locations: [
    {
      physicalLocation: {
        artifactLocation: { uri: 'app/checks.py' },
        region: { startLine: line, snippet: { text: code } },
        contextRegion: { startLine: line - 1, snippet: { text: [before, code, after].join('\n') } },
      },
    },
  ],
})

const forms = [
  ['Bandit', (...all: readonly Excerpt[]) => bandit(...all.map(([line, lines]) => found(line, lines)))],
  ['SARIF', (...all: readonly Excerpt[]) => sarif(all.map(([line, lines]) => withContext(line, lines)))],
] as const

type Excerpt = readonly [line: number, lines: readonly [string, string, string]]

const issueOf = (row: { issue: { id: string }; matchedBy: string }) => [row.issue.id, row.matchedBy]

describe.each(forms)('a finding of %s', (_, reportOf) => {
  test('whose line moved, and beside which lines changed, stays the same', async () => {
    const home = await newReportHome()
    const before = reportOf([69, ['# chardet >= 3', 'assert major < 5', '']])
    const [created] = rowsOf(await imported(home, before), 'CREATED')

    const after = await imported(
      home,
      reportOf(
        [78, ['# chardet_version >= 3', '    assert major < 5', 'elif other:']],
        [83, ['# other >= 2', '    assert major < 3', 'else:']],
      ),
    )

    expect(rowsOf(after, 'UPDATED').map(issueOf)).toEqual([[created.issue.id, 'SNIPPET_IN_FILE']])
    expect(rowsOf(after, 'CREATED')).toHaveLength(1)
  })

  test('whose file was formatted anew, with other quotes and other lines beside it, stays the same', async () => {
    const home = await newReportHome()
    const before = reportOf(
      [20, ["r = get('a')", "assert r['a'] == \"it's\"", 'close(r)']],
      [40, ["q = get('b')", "assert f('b', r['c'],)", 'close(q)']],
    )
    const created = rowsOf(await imported(home, before), 'CREATED')

    const after = await imported(
      home,
      reportOf(
        [24, ['r = get("a")', 'assert r["a"] == "it\'s"', 'close(r)']],
        [47, ['q = get("b")', 'assert f("b", r["c"])', 'close(q)']],
        [60, ['q = get("c")', 'assert f("b", r["d"])', 'close(q)']],
      ),
    )

    const known = created.map(({ issue }) => [issue.id, 'STYLE_IN_FILE'])
    expect(rowsOf(after, 'UPDATED').map(issueOf)).toEqual(known)
    expect(rowsOf(after, 'CREATED')).toHaveLength(1)
  })

  test('whose line was edited is known by the lines around it', async () => {
    const home = await newReportHome()
    const before = reportOf(
      [20, ['r = get()', 'assert r.a == 1', 'close(r)']],
      [40, ['q = put()', 'assert q.b == 2', 'close(q)']],
    )
    const created = rowsOf(await imported(home, before), 'CREATED')

    const after = await imported(
      home,
      reportOf([23, ['r = get()', 'assert r.a == 3', 'close(r)']], [43, ['q = put()', 'assert q.b == 4', 'close(q)']]),
    )

    expect(rowsOf(after, 'UPDATED').map(issueOf)).toEqual(created.map(({ issue }) => [issue.id, 'CONTEXT']))
  })
})
