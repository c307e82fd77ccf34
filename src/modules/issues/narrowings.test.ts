// Lists narrowed by a branch, a search, a weakness or a date that is near, beside what a walk through all findings says.

import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { run } from '../../../test/testkit/client.ts'
import { newHome, sast, UPSERT } from '../../../test/testkit/findings.ts'
import { manual } from '../../../test/testkit/manual.ts'
import { countStatements, services } from '../../../test/testkit/service.ts'
import { newAsset, newIssue, newWorld } from '../../../test/testkit/world.ts'
import type { Page } from '../../core/db/page.ts'
import type { SlaState } from '../../core/issue-words.ts'
import type { SortField } from './list-order.ts'
import { type IssueFilters, plainConditionsOf } from './store-filters.ts'
import { listIssues } from './store-list.ts'
import type { Shown } from './store-list-statements.ts'
import { narrowingsOf, withoutNarrowings } from './store-narrowing-filters.ts'
import type { Bounds } from './store-narrowings.ts'
import { isTallied } from './tallied.ts'

const LIST = `query ($companyId: ID!, $filters: IssuesFiltersInput, $after: String) {
  issues(companyId: $companyId, filters: $filters, pagination: { perPage: 20, after: $after }) {
    collection { id } metadata { totalCount endCursor } } }`

type Row = {
  id: string
  title: string
  description: string
  severity: string
  cweIds: number[]
  state: SlaState | null
  due: number | null
  branches: string[]
  closed: string[]
}

const severities = ['NOTIFICATION', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL']
const words = [
  'SQL',
  'sql',
  'Straße',
  'ÄRGER',
  'ärger',
  '100%',
  'a_b',
  'C:\\temp',
  "it's",
  'ÉTÉ',
  '日本',
  '\\%',
  '\\',
  '\n',
  '"',
]
const branches = ['main', 'old', 'some', 'feature/ä']
const weaknesses = [[79], [], [89, 79], [22], [502, 89]]

type Dates = { state: SlaState | null; started: number; due: number | null; revalued: number | null }

const NEVER_DUE: Dates = { state: null, started: -5, due: null, revalued: null }

/** Where open findings stand with their dates, in days from now, valued since they came there and before. */
const dates: Dates[] = [
  NEVER_DUE,
  { state: 'ON_TRACK', started: -1, due: 9, revalued: 7 },
  { state: 'APPROACHING', started: -9, due: 1, revalued: 1 },
  { state: 'APPROACHING', started: -9, due: 1, revalued: -1 },
  { state: 'BREACHED', started: -20, due: -10, revalued: null },
  { state: 'BREACHED', started: -20, due: -10, revalued: -12 },
  { state: 'BREACHED', started: -11, due: -1, revalued: -1 },
]

async function database() {
  const [service] = await services()
  if (!service) throw new Error('No service was started')
  return service.app.db
}

/** Findings whose words and places follow from their number alone; the last of them belong to another company. */
async function newFindings(count: number) {
  const db = await database()
  const { companyId, owner } = await newWorld()
  const asset = await newAsset(owner.key, companyId)
  const foreign = await newWorld()
  const elsewhere = await newAsset(foreign.owner.key, foreign.companyId)
  const pick = (number: number) => words[number % words.length] ?? ''
  const made = Array.from({ length: count }, (_, at) => {
    const { state, ...days } = dates[at % dates.length] ?? NEVER_DUE
    const isClosed = at % 4 === 3
    return {
      place: at,
      title: `${pick(at * 7)} ${at} ${pick(at * 3 + 1)}`,
      description: at % 5 === 0 ? '' : `${pick(at + 2)} ${pick(at * 5 + 4)}`,
      severity: severities[(at * 11) % 5] ?? '',
      status: isClosed ? 'FALSE_POSITIVE' : 'IDENTIFIED',
      state: isClosed ? null : state,
      due: days.due,
      days: { ...days, ...(isClosed ? { revalued: null } : {}) },
      cweIds: weaknesses[at % weaknesses.length] ?? [],
      branches: branches.filter((_name, place) => (at + place) % (place * place + 1) === 0),
      closed: at % 9 === 0 ? ['main'] : [],
    }
  })
  const insert = async (company: string, assetId: string) => {
    const { rows } = await sql<{ id: string }>`
      insert into issue (company_id, asset_id, type, rule, title, description, severity, status, cwe_ids, birth_key,
        sla_started_at, sla_due_at, revalue_at)
      select ${company}::bigint, ${assetId}::bigint, 'SAST_FINDING', 'a-rule', title, description, severity, status, "cweIds",
        sha256((${company} || ' ' || place)::bytea),
        now() + started * interval '1 day', now() + due * interval '1 day', now() + revalued * interval '1 day'
      from jsonb_to_recordset(${JSON.stringify(made)}::jsonb) as given (
        place int, title text, description text, severity severity_category, status issue_status, "cweIds" int[], days jsonb)
      cross join lateral jsonb_to_record(days) as at (started int, due int, revalued int)
      order by place returning id`.execute(db)
    const places = made.flatMap(({ branches: names, closed }, at) =>
      names.map((branch) => ({ id: rows[at]?.id, branch, isOpen: !closed.includes(branch) })),
    )
    await sql`
      insert into occurrence (company_id, issue_id, asset_id, branch, is_open)
      select ${company}::bigint, id, ${assetId}::bigint, branch, is_open
      from unnest(${places.map(({ id }) => id)}::bigint[], ${places.map(({ branch }) => branch)}::text[],
        ${places.map(({ isOpen }) => isOpen)}::boolean[]) as given (id, branch, is_open)`.execute(db)
    return rows
  }
  const ids = await insert(companyId, asset.id)
  await insert(foreign.companyId, elsewhere.id)
  const rows: Row[] = made.map((row, at) => ({ id: ids[at]?.id ?? '', ...row }))
  return { db, companyId, owner, asset, rows }
}

const matches = (
  { title, description, branches: names, closed, severity, cweIds, state }: Row,
  filters: IssueFilters,
): boolean =>
  [title, description].some((text) => text.toLowerCase().includes((filters.search ?? '').toLowerCase())) &&
  (!filters.branchNames || filters.branchNames.some((name) => names.includes(name) && !closed.includes(name))) &&
  (!filters.cweIds || filters.cweIds.some((one) => cweIds.includes(one))) &&
  (!filters.slaStates || filters.slaStates.some((one) => state === one)) &&
  (!filters.severities || filters.severities.some((one) => one === severity))

const orderings: Record<string, (left: Row, right: Row) => number> = {
  ID: (left, right) => Number(left.id) - Number(right.id),
  SEVERITY: (left, right) => severities.indexOf(left.severity) - severities.indexOf(right.severity),
  SLA_DUE_AT: (left, right) => (left.due ?? Number.MAX_VALUE) - (right.due ?? Number.MAX_VALUE),
  TITLE: (left, right) => Buffer.compare(Buffer.from(left.title.toLowerCase()), Buffer.from(right.title.toLowerCase())),
}

const expected = (rows: readonly Row[], filters: IssueFilters, field: string, isDescending: boolean): string[] => {
  const by = (left: Row, right: Row) => orderings[field]?.(left, right) || Number(left.id) - Number(right.id)
  const found = rows.filter((row) => matches(row, filters)).sort(by)
  return (isDescending ? found.reverse() : found).map(({ id }) => id)
}

const asked: IssueFilters[] = [
  ...[
    'sql',
    'SQL',
    'STRASSE',
    'straße',
    'Ärger',
    '%',
    '_',
    '\\',
    '\\%',
    "'",
    '\n',
    'été',
    '本',
    ' 1',
    '17 ',
    'nowhere',
  ].map((search) => ({ search })),
  { branchNames: ['main'] },
  { branchNames: ['some'] },
  { branchNames: ['feature/ä', 'some', 'main', 'main'] },
  { branchNames: ['none'] },
  { branchNames: [] },
  { branchNames: ['main'], severities: ['CRITICAL'] },
  { branchNames: ['main'], search: 'sql' },
  { branchNames: ['some'], search: 'ÄRGER', severities: ['LOW', 'HIGH'] },
  { branchNames: ['none'], search: 'sql' },
  { severities: ['LOW'] },
  { cweIds: [79] },
  { cweIds: [22, 502, 22] },
  { cweIds: [611] },
  { cweIds: [] },
  { slaStates: ['BREACHED'] },
  { slaStates: ['APPROACHING', 'APPROACHING'] },
  { slaStates: ['APPROACHING', 'BREACHED'], severities: ['LOW', 'HIGH'] },
  { slaStates: ['BREACHED', 'ON_TRACK'] },
  { slaStates: [] },
  { slaStates: ['BREACHED'], cweIds: [89], branchNames: ['main'] },
  { slaStates: ['APPROACHING'], search: 'sql' },
]

const orders: readonly (readonly [SortField, boolean])[] = [
  ['ID', true],
  ['UPDATED_AT', true],
  ['SEVERITY', true],
  ['TITLE', false],
  ['SLA_DUE_AT', false],
]

const ROWS_ALONE: Shown = { fields: ['title'], asset: 'NONE', hasRows: true, hasCount: false }

/** How a list is found by what its filters keep: one by one, as a set, and by a walk; counted to its end, and not. */
const bounds: Record<string, Bounds | undefined> = {
  'as usual': undefined,
  'in all words': { packs: 0, sieved: 0, near: 2_000, few: 10_000, many: 1000, counted: 1000, soon: 10_000 },
  'as a set': { packs: 1, sieved: 1, near: 5, few: 0, many: 1000, counted: 1000, soon: 0 },
  'by a walk, all counted': { packs: 0, sieved: 0, near: 1, few: 0, many: 1, counted: 1000, soon: 0 },
  'by a walk': { packs: 0, sieved: 0, near: 60, few: 0, many: 1, counted: 3, soon: 0 },
  'through a sieve': { packs: 0, sieved: 1000, near: 1, few: 5, many: 1000, counted: 1000, soon: 5 },
  'through a sieve, or by what another filter keeps': {
    packs: 0,
    sieved: 2,
    near: 1,
    few: 1000,
    many: 1000,
    counted: 20,
    soon: 0,
  },
  'by the second, where the first keeps many': {
    packs: 9,
    sieved: 9,
    near: 20,
    few: 5,
    many: 60,
    counted: 20,
    soon: 5,
  },
}

describe('a list that few or nearly all may pass', () => {
  test.each(Object.entries(bounds))('has what a walk through all findings has, found %s', async (_, bound) => {
    const { db, companyId, rows } = await newFindings(120)

    for (const [at, filters] of asked.entries()) {
      for (const [place, [field, isDescending]] of orders.entries()) {
        // every other list is counted on each of its pages, and the others on their first one alone
        const shown = (at + place) % 2 === 0 ? undefined : ROWS_ALONE
        const order = [{ field, isDescending }]
        const conditions = plainConditionsOf(companyId, filters)
        const options = {
          order,
          narrowings: narrowingsOf(companyId, filters, bound),
          bounds: bound,
          isTallied: isTallied(withoutNarrowings(filters)),
        }
        const walked: string[] = []
        let after: string | null = null
        let count: number | null = null
        do {
          const { collection, metadata }: Page<{ id: string }> = await listIssues(
            db,
            companyId,
            conditions,
            { page: 1, limit: 20, after },
            after === null ? options : { ...options, shown },
          )
          count ??= metadata.totalCount
          walked.push(...collection.map(({ id }) => id))
          after = metadata.endCursor
        } while (after !== null)
        const secondPage = { page: 2, limit: 7, after: null }
        const second = await listIssues(db, companyId, conditions, secondPage, options)
        const alone = await listIssues(db, companyId, conditions, secondPage, { ...options, shown: ROWS_ALONE })

        const all = expected(rows, filters, field, isDescending)
        expect([filters, field, walked]).toEqual([filters, field, all])
        expect([filters, second.collection.map(({ id }) => id)]).toEqual([filters, all.slice(7, 14)])
        expect([filters, alone.collection.map(({ id }) => id)]).toEqual([filters, all.slice(7, 14)])
        if (bound?.counted === undefined || bound.counted > rows.length)
          expect([filters, count]).toEqual([filters, all.length])
        else expect(count).toBeGreaterThanOrEqual(Math.min(bound.counted, all.length))
      }
    }
  })

  test('takes one statement for its rows and its count, whatever the size of the page', async () => {
    const { companyId, owner } = await newFindings(60)
    const list = (filters: unknown) => () => run(owner.key, LIST, { companyId, filters })
    await list({})()

    const unnarrowed = await countStatements(list({ severities: ['LOW'] }))

    expect(await countStatements(list({ search: 'sql' }))).toBe(unnarrowed)
    expect(await countStatements(list({ search: 'sql', branchNames: ['main'] }))).toBe(unnarrowed)
  })

  test('is answered the same where its rows and its count are asked for apart, each with one statement', async () => {
    const { companyId, owner } = await newFindings(60)
    const filters = { search: 's', branchNames: ['main'] }
    const apart = (fields: string) =>
      run(
        owner.key,
        `query ($companyId: ID!, $filters: IssuesFiltersInput) {
          issues(companyId: $companyId, filters: $filters, pagination: { perPage: 5 }) { ${fields} } }`,
        { companyId, filters },
      )
    const rows = 'collection { id } metadata { endCursor }'
    const count = 'metadata { totalCount totalCountIsExact totalPages }'
    await apart('collection { id }')
    await apart('metadata { totalCount }')

    const both = await apart(`collection { id } metadata { endCursor totalCount totalCountIsExact totalPages }`)
    const [of, withRows, withCount] = [both.issues, await apart(rows), await apart(count)]

    expect(of.metadata.totalCount).toBeGreaterThan(5)
    expect(withRows.issues.collection).toEqual(of.collection)
    expect({ ...withRows.issues.metadata, ...withCount.issues.metadata }).toEqual(of.metadata)
    expect(await countStatements(() => apart(rows))).toBe(await countStatements(() => apart(count)))
  })
})

describe('a search', () => {
  const search = async (key: string, companyId: string, part: string) => {
    const { issues } = await run(key, LIST, { companyId, filters: { search: part } })
    return issues.collection.map(({ id }: { id: string }) => id)
  }

  test('finds words as they are after a change, and nothing of what is deleted', async () => {
    const { companyId, owner } = await newWorld()
    const asset = await newAsset(owner.key, companyId)
    const { id } = await newIssue(owner.key, asset.id, { title: 'Über den Wolken', description: 'First words' })

    const before = [await search(owner.key, companyId, 'ÜBER'), await search(owner.key, companyId, 'first WORDS')]
    await run(
      owner.key,
      `mutation ($input: UpdateSourceCodeVulnerabilityInput!) { updateSourceCodeVulnerability(input: $input) { issue { id } } }`,
      { input: { ...manual.code(), assetId: Number(asset.id), id, title: 'Unter Wasser', description: 'Others' } },
    )
    const after = [await search(owner.key, companyId, 'über'), await search(owner.key, companyId, 'wASSER')]
    await run(owner.key, 'mutation ($id: ID!) { deleteIssue(input: { id: $id }) { clientMutationId } }', { id })
    const gone = await search(owner.key, companyId, 'wasser')
    const kept = await sql`select from finding_words where company_id = ${companyId}`.execute(await database())

    expect(before).toEqual([[id], [id]])
    expect(after).toEqual([[], [id]])
    expect(gone).toEqual([])
    expect(kept.rows).toEqual([])
  })

  test('finds each of those written together when one of them has other words and one is deleted', async () => {
    const { db, companyId, owner, rows } = await newFindings(40)
    const titled = (number: number) => rows[number]?.title.toLowerCase() ?? ''
    const [changed, deleted] = [rows[3]?.id ?? '', rows[4]?.id ?? '']
    const packsOf = async (id: string) =>
      (
        await sql`select from words_pack where company_id = ${companyId} and ${id}::bigint = any(finding_ids)`.execute(
          db,
        )
      ).rows.length
    expect(await packsOf(deleted)).toBe(1)

    await sql`update issue set title = 'Unter Wasser' where company_id = ${companyId} and id = ${changed}`.execute(db)
    const isChanged = [
      await search(owner.key, companyId, titled(3)),
      await search(owner.key, companyId, 'WASSER'),
      await search(owner.key, companyId, titled(4)),
    ]
    await run(owner.key, 'mutation ($id: ID!) { deleteIssue(input: { id: $id }) { clientMutationId } }', {
      id: deleted,
    })

    expect(isChanged).toEqual([[], [changed], [deleted]])
    expect(await search(owner.key, companyId, titled(4))).toEqual([])
    expect(await search(owner.key, companyId, titled(5))).toEqual([rows[5]?.id])
    expect(await packsOf(deleted)).toBe(0)
  })

  test('finds no part that reaches from the title into the description', async () => {
    const { companyId, owner } = await newWorld()
    const asset = await newAsset(owner.key, companyId)
    await newIssue(owner.key, asset.id, { title: 'One', description: 'two' })

    expect(await search(owner.key, companyId, 'onetwo')).toEqual([])
    expect(await search(owner.key, companyId, 'one\ntwo')).toEqual([])
  })

  test('finds what a tool reported, and what it says of it later', async () => {
    const { key, companyId, assetId } = await newHome()
    const report = (title: string, description: string) =>
      run(key, UPSERT, { input: sast(assetId, { title, description, fingerprint: 'the same' }) })

    const { createOrUpdateSastFinding: created } = await report('Injection', 'A sentence of the tool')
    await report('Injection', 'Another sentence of the tool')

    expect(await search(key, companyId, 'ANOTHER')).toEqual([created.issue.id])
    expect(await search(key, companyId, 'a sentence')).toEqual([])
  })
})
