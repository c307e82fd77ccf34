// Reports that are imported: what each row comes to, on which branch and commit, also twice and at once.

import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { ask, run, type Variables } from '../../../test/testkit/client.ts'
import { changed, deployed, lines, newCodeHome, placesOf } from '../../../test/testkit/code-home.ts'
import { LARGE } from '../../../test/testkit/large-reports.ts'
import {
  countsOf,
  imported,
  newReportHome,
  type ReportHome,
  result,
  results,
  rowsOf,
  sarif,
  sendReport,
} from '../../../test/testkit/reports.ts'
import { countStatements } from '../../../test/testkit/service.ts'
import { emptyTree, newPerson } from '../../../test/testkit/world.ts'

const issuesOf = async ({ key, companyId, assetId }: ReportHome) => {
  const filters = { assetIds: [assetId] }
  const query = `query ($companyId: ID!, $filters: IssuesFiltersInput) {
    issues(companyId: $companyId, pagination: { perPage: 100 }, filters: $filters) { collection { id title status } } }`
  return (await run(key, query, { companyId, filters })).issues.collection
}

const change = (key: string, input: Variables) =>
  run(key, 'mutation ($input: ChangeIssueStatusInput!) { changeIssueStatus(input: $input) { issue { id } } }', {
    input,
  })

const failureOf = async (home: ReportHome, content: string | Uint8Array, more: Variables = {}) => {
  const { errors } = await sendReport(home, content, more)
  return errors[0] ?? { message: '', extensions: { code: 'NONE', reason: undefined } }
}

describe('a report', () => {
  test('makes findings, and names them again when it comes again', async () => {
    const home = await newReportHome()

    const first = await imported(home, sarif(results(3)))
    const again = await imported(home, sarif(results(3)))

    expect(first).toMatchObject({ status: 'SUCCEEDED', format: 'sarif', progress: 1, failure: null })
    expect(countsOf(first)).toEqual({ read: 3, created: 3 })
    expect(countsOf(again)).toEqual({ read: 3, unchanged: 3 })
    const idsOf = ({ rows }: typeof first) => rows.collection.map(({ issue }: typeof first) => issue.id)
    expect(idsOf(again)).toEqual(idsOf(first))
    expect(first.rows.collection[1]).toMatchObject({
      at: 'runs[0].results[1]',
      disposition: 'CREATED',
      matchedBy: 'NEW',
    })
  })

  test('is read packed, and by the name of its format', async () => {
    const home = await newReportHome()

    const packed = await imported(home, gzipSync(sarif(results(2))), { format: 'SARIF' })

    expect(countsOf(packed)).toEqual({ read: 2, created: 2 })
  })

  test('changes what a scanner says, and leaves what a person changed', async () => {
    const home = await newReportHome()
    const { rows } = await imported(home, sarif(results(2)))
    const [kept] = rows.collection
    await change(home.key, { id: kept.issue.id, status: 'RISK_ACCEPTED', reason: 'Behind a wall' })

    const reworded = results(2).map((one, index) => ({ ...one, message: { text: `Worse: ${index + 1}` } }))
    const after = await imported(home, sarif(reworded))

    expect(countsOf(after)).toEqual({ read: 2, updated: 2 })
    expect(after.rows.collection[0].issue).toMatchObject({ id: kept.issue.id, status: 'RISK_ACCEPTED' })
  })

  test('opens again what was fixed', async () => {
    const home = await newReportHome()
    const { rows } = await imported(home, sarif(results(1)))
    await change(home.key, { id: rows.collection[0].issue.id, status: 'FIX_ACCEPTED' })

    const after = await imported(home, sarif(results(1)))

    expect(countsOf(after)).toEqual({ read: 1, reopened: 1 })
    expect(after.rows.collection[0].issue.status).toBe('IDENTIFIED')
  })

  test('with the same finding twice has it once, and says so of the other row', async () => {
    const home = await newReportHome()

    const { rows, ...made } = await imported(home, sarif([result(1), result(2), result(1)]))

    expect(countsOf(made)).toEqual({ read: 3, created: 2, merged: 1 })
    expect(rowsOf({ rows }, 'MERGED')).toEqual([
      expect.objectContaining({ at: 'runs[0].results[2]', reason: 'The same finding as runs[0].results[0]' }),
    ])
    expect(await issuesOf(home)).toHaveLength(2)
  })

  test.each([
    ['no files', {}],
    ['a file without lines', { physicalLocation: { artifactLocation: { uri: 'shop.jar' } } }],
  ])('that names functions and %s has a finding for each function', async (_, file) => {
    const home = await newReportHome()
    const within = (name: string) =>
      result(1, { locations: [{ ...file, logicalLocations: [{ fullyQualifiedName: name, kind: 'function' }] }] })
    const content = sarif([within('shop.Cart.add'), within('shop.Cart.remove')])

    const made = await imported(home, content)
    const again = await imported(home, content)

    expect(countsOf(made)).toEqual({ read: 2, created: 2 })
    expect(countsOf(again)).toEqual({ read: 2, unchanged: 2 })
  })

  test('that decides about what another tool reports says that this does not count', async () => {
    const home = await newReportHome()
    const found = (more: object) => [result(1, { properties: { tags: ['CWE-95'] }, ...more })]
    const { rows } = await imported(home, sarif(found({})))

    const told = await imported(home, sarif(found({ suppressions: [{ kind: 'external' }] }), { tool: 'another' }))

    const { id } = rows.collection[0].issue
    expect(told.rows.collection).toEqual([
      expect.objectContaining({
        disposition: 'MERGED',
        reason: `The same weakness as issue ${id} of a-scanner, which other tools report, so this report does not make it SUPPRESSED`,
        issue: expect.objectContaining({ id, status: 'CREATED' }),
      }),
    ])
  })

  test('goes in without the rows that cannot be read, and tells why', async () => {
    const home = await newReportHome()

    const made = await imported(home, sarif([result(1), 'nonsense', result(2)]))

    expect(countsOf(made)).toEqual({ read: 3, created: 2, leftOut: 1 })
    expect(rowsOf(made, 'LEFT_OUT')).toEqual([
      {
        at: 'runs[0].results[1]',
        disposition: 'LEFT_OUT',
        matchedBy: null,
        reason: 'It is not an object',
        issue: null,
      },
    ])
  })

  test('of which less than half can be read is refused whole', async () => {
    const home = await newReportHome()

    const failure = await failureOf(home, sarif([result(1), 1, 2]))

    expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'input.file' })
    expect(failure.message).toContain('Only 1 of 3 rows')
    expect(failure.message).toContain('runs[0].results[1]: It is not an object')
    expect(await issuesOf(home)).toEqual([])
    const { imports } = await run(
      home.key,
      'query ($id: ID!) { imports(companyId: $id) { metadata { totalCount } } }',
      { id: home.companyId },
    )
    expect(imports.metadata.totalCount).toBe(0)
  })

  test.each([
    ['of no known format', 'what is this?', {}, 'input.file', 'FORMAT_NOT_RECOGNISED'],
    ['that is large and of no known format', 'x'.repeat(LARGE), {}, 'input.file', 'FORMAT_NOT_RECOGNISED'],
    [
      'that is large, packed, and of no known format',
      gzipSync(randomBytes(LARGE)),
      {},
      'input.file',
      'FORMAT_NOT_RECOGNISED',
    ],
    ['of a format that is not known', sarif([]), { format: 'papyrus' }, 'input.format'],
    ['that is large and of a format that is not known', sarif([]).padEnd(LARGE), { format: 'papyrus' }, 'input.format'],
    ['of another format than is named', '{"a": 1}', { format: 'sarif' }, 'input.file'],
    ['that is empty', '', {}, 'input.file', 'FORMAT_NOT_RECOGNISED'],
  ])('%s is refused', async (_, content, more, argument, reason?: string) => {
    const home = await newReportHome()

    const failure = await failureOf(home, content, more)

    expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument })
    expect(failure.extensions.reason).toBe(reason)
  })

  test('of a format that is not known is told which one was probably meant, or which there are', async () => {
    const home = await newReportHome()

    const [near, far] = [
      await failureOf(home, sarif([]), { format: 'sarifs' }),
      await failureOf(home, sarif([]), { format: 'papyrus' }),
    ]

    expect(near.message).toBe('There is no report format "sarifs"; did you mean sarif?')
    expect(far.message).toMatch(/^There is no report format "papyrus"; there are [a-z].*, sarif, /)
  })

  test('has its rows in pages and by what became of them', async () => {
    const home = await newReportHome()
    const { id } = await imported(home, sarif([...results(4), 'nonsense', result(1)]))
    const query = `query ($id: ID!, $after: String) { import(id: $id) {
      rows(pagination: { perPage: 2, after: $after }) { collection { at } metadata { totalCount endCursor } }
      created: rows(disposition: CREATED, pagination: { page: 2, perPage: 3 }) { collection { at } metadata { totalCount } } } }`

    const first = (await run(home.key, query, { id })).import
    const second = (await run(home.key, query, { id, after: first.rows.metadata.endCursor })).import

    const places = [first, second].map(({ rows }) => rows.collection.map(({ at }: { at: string }) => at))
    expect(places).toEqual([
      ['runs[0].results[0]', 'runs[0].results[1]'],
      ['runs[0].results[2]', 'runs[0].results[3]'],
    ])
    expect(first.rows.metadata.totalCount).toBe(6)
    expect(first.created).toEqual({ collection: [{ at: 'runs[0].results[3]' }], metadata: { totalCount: 4 } })
  })

  test('takes as many statements for a hundred findings as for ten', async () => {
    const [few, many] = [await newReportHome(), await newReportHome()]

    const ten = await countStatements(() => imported(few, sarif(results(10))))
    const hundred = await countStatements(() => imported(many, sarif(results(100))))
    const tenAgain = await countStatements(() => imported(few, sarif(results(10)), { closeAbsent: true }))
    const hundredAgain = await countStatements(() => imported(many, sarif(results(100)), { closeAbsent: true }))

    expect(hundred).toBe(ten)
    expect(hundredAgain).toBe(tenAgain)
  })

  test('sent by ten callers at once equals one', async () => {
    const home = await newReportHome()

    const all = await Promise.all(Array.from({ length: 10 }, () => imported(home, sarif(results(5)))))

    expect(all.map(countsOf).filter(({ created }) => created)).toEqual([{ read: 5, created: 5 }])
    expect(all.map(countsOf).filter(({ unchanged }) => unchanged === 5)).toHaveLength(9)
    expect(await issuesOf(home)).toHaveLength(5)
  })

  test('takes the right to report findings', async () => {
    const home = await newReportHome()
    const reader = await newPerson(home.companyId, 'READER')

    const failure = await failureOf({ ...home, key: reader.key }, sarif(results(1)))

    expect(failure.extensions.code).toBe('FORBIDDEN')
  })

  test('that is refused leaves nothing behind, under an Idempotency-Key too', async () => {
    const home = await newReportHome()
    const base64 = Buffer.from(sarif([result(1), 1, 2])).toString('base64')
    const file = { filename: 'a.sarif', contentType: 'application/json', base64 }
    const input = { companyId: home.companyId, assetId: home.assetId, file }

    const { errors } = await ask(
      home.key,
      'mutation ($input: ImportFindingsInput!) { importFindings(input: $input) { import { id } } }',
      { input },
      { 'idempotency-key': `refused-${home.assetId}` },
    )

    const { imports } = await run(
      home.key,
      'query ($id: ID!) { imports(companyId: $id) { metadata { totalCount } } }',
      { id: home.companyId },
    )
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(['BAD_USER_INPUT'])
    expect(imports.metadata.totalCount).toBe(0)
  })

  test('sent again under its Idempotency-Key is imported once', async () => {
    const home = await newReportHome()
    const file = {
      filename: 'a.sarif',
      contentType: 'application/json',
      base64: Buffer.from(sarif(results(1))).toString('base64'),
    }
    const input = { companyId: home.companyId, assetId: home.assetId, file }
    const again = () =>
      ask(
        home.key,
        'mutation ($input: ImportFindingsInput!) { importFindings(input: $input) { import { id result { created } } } }',
        { input },
        { 'idempotency-key': `import-${home.assetId}` },
      )

    const [first, second] = [await again(), await again()]

    expect(first.errors).toEqual([])
    expect(first.data.importFindings.import.result).toEqual({ created: 1 })
    expect(second.data).toEqual(first.data)
  })
})

describe('a report of a commit', () => {
  const resultAt = (line: number, text: string, file = 'a.ts') => ({
    ruleId: 'rule',
    message: { text: 'Wrong' },
    locations: [
      { physicalLocation: { artifactLocation: { uri: file }, region: { startLine: line, snippet: { text } } } },
    ],
  })

  test('finds a finding where the deploys moved it, and an older one moves it nowhere', async () => {
    const home = await newCodeHome()
    const { repository } = home
    const one = repository.commit({ 'a.ts': lines('a') })
    const two = repository.commit({ 'a.ts': null, 'b.ts': ['0', ...changed(lines('a'), 9)] })
    await deployed(home, repository.diff(emptyTree, one), emptyTree, one, 'main')
    const first = await imported(home, sarif([resultAt(5, 'a 5')]), { branchName: 'main', commitRef: one })
    const [{ issue }] = first.rows.collection
    await deployed(home, repository.diff(one, two), one, two, 'main')

    const newer = await imported(home, sarif([resultAt(6, 'a 5', 'b.ts')]), { branchName: 'main', commitRef: two })
    const older = await imported(home, sarif([resultAt(5, 'a 5')]), {
      branchName: 'main',
      commitRef: one,
      closeAbsent: true,
    })

    expect([newer, older].map(({ rows }) => rows.collection[0].issue.id)).toEqual([issue.id, issue.id])
    expect(await placesOf(home, [issue.id], 'main')).toEqual([['b.ts', 6, 'RENAMED']])
    expect(older.unclosedReason).toContain('older commit')
  })

  test('on a branch that left another one names the same issue', async () => {
    const home = await newCodeHome()
    const { repository } = home
    const one = repository.commit({ 'a.ts': lines('a') })
    const two = repository.commit({ 'a.ts': ['0', ...lines('a')] })
    await deployed(home, repository.diff(emptyTree, one), emptyTree, one, 'main')
    const onMain = await imported(home, sarif([resultAt(5, 'a 5')]), { branchName: 'main' })
    await deployed(home, repository.diff(one, two), one, two, 'feature')

    const onFeature = await imported(home, sarif([resultAt(6, 'a 5')]), { branchName: 'feature' })

    const [{ issue }] = onMain.rows.collection
    expect(onFeature.rows.collection[0].issue.id).toBe(issue.id)
    expect(await placesOf(home, [issue.id], 'main')).toEqual([['a.ts', 5, null]])
    expect(await placesOf(home, [issue.id], 'feature')).toEqual([['a.ts', 6, 'MOVED']])
  })
})
