// Reports of few bytes and many rows: a job takes them in, as it does those of many bytes.

import { describe, expect, test } from 'vitest'
import { ask, type Data, run, upload } from '../../../test/testkit/client.ts'
import { csaf, cyclonedx, openvex, vulnerables } from '../../../test/testkit/component-reports.ts'
import { found, parts } from '../../../test/testkit/large-reports.ts'
import { countsOf, newReportHome, type ReportHome, result, sarif, taken } from '../../../test/testkit/reports.ts'
import { transaction } from '../../core/db/open.ts'
import { holdAsset } from '../issues/findings/service.ts'
import { runImport } from './jobs.ts'

/** The most rows of a report that is in when the mutation answers. */
const MOST = 2000

const rows = (count: number) => Array.from({ length: count }, (_, index) => index)

const many = (count: number) => sarif(rows(count).map((index) => result(index, {}, `src/${index % 50}.js`, index + 1)))

const LIST = `query ($companyId: ID!) { imports(companyId: $companyId) { collection { id status } }
  issues(companyId: $companyId, pagination: { perPage: 1 }) { metadata { totalCount } } }`

/** The company's imports, and how many issues it has. */
async function stateOf({ key, companyId }: ReportHome): Promise<{ imports: Data[]; issues: number }> {
  const { imports, issues } = await run(key, LIST, { companyId })
  return { imports: imports.collection, issues: issues.metadata.totalCount }
}

const runJob = async ({ companyId }: ReportHome, id: string) => runImport(await parts(), { companyId, id })

const names = {
  importAstFindingsFile: [
    'mutation ($input: ImportAstFindingsFileInput!) { importAstFindingsFile(input: $input) { success import { id status } } }',
    { vulnerabilityTypes: ['SAST_FINDING'] },
    many,
  ],
  importContainerFindingsFile: [
    'mutation ($input: ImportContainerFindingsFileInput!) { importContainerFindingsFile(input: $input) { success import { id status } } }',
    {},
    many,
  ],
  importSbom: [
    'mutation ($input: ImportSbomInput!) { importSbom(input: $input) }',
    {},
    (count: number) => cyclonedx(vulnerables(count)),
  ],
} as const

describe('a report of few bytes', () => {
  test.each([
    ['the first of its asset', 0],
    ['one of an asset that has findings', 1],
  ])(
    'and many rows that is %s waits for its job, and one of a row less is in when it is answered',
    async (_, before) => {
      const home = await newReportHome()
      if (before > 0) await taken(home, many(before), { branchName: 'other' })

      const small = await taken(home, many(MOST), { branchName: 'main' })
      const waiting = await taken(home, many(MOST + 1), { branchName: 'main' })

      expect([small.status, waiting.status]).toEqual(['SUCCEEDED', 'PENDING'])
      expect(await stateOf(home)).toMatchObject({ issues: MOST })
      await runJob(home, waiting.id)
      expect(countsOf(await found(home, waiting.id))).toEqual({ read: MOST + 1, created: 1, unchanged: MOST })
    },
  )

  test('and many rows leaves one import that waits and nothing else, and all of it once its job has run', async () => {
    const home = await newReportHome()

    const waiting = await taken(home, many(MOST + 1))

    expect(waiting).toMatchObject({ status: 'PENDING', progress: 0, result: null, rows: { collection: [] } })
    expect(await stateOf(home)).toEqual({ imports: [{ id: waiting.id, status: 'PENDING' }], issues: 0 })
    await runJob(home, waiting.id)
    expect(await stateOf(home)).toEqual({ imports: [{ id: waiting.id, status: 'SUCCEEDED' }], issues: MOST + 1 })
    expect(countsOf(await found(home, waiting.id))).toEqual({ read: MOST + 1, created: MOST + 1 })
  })

  test.each([
    ['OpenVEX', openvex],
    ['CSAF', csaf],
  ])('and many statements of %s waits for its job', async (_, document) => {
    const home = await newReportHome()

    const small = await taken(home, document(vulnerables(MOST)))
    const waiting = await taken(home, document(vulnerables(MOST + 1)))

    expect([small.status, waiting.status]).toEqual(['SUCCEEDED', 'PENDING'])
    await runJob(home, waiting.id)
    expect(countsOf(await found(home, waiting.id))).toEqual({ read: MOST + 1, created: 1, unchanged: MOST })
  })

  test.each(Object.entries(names))('and many rows waits for its job in the words of %s too', async (name, given) => {
    const [query, more, report] = given
    const home = await newReportHome()
    const { key, companyId, assetId } = home
    const file = { content: report(MOST + 1), filename: 'report.json' }

    const { data, errors } = await upload(
      key,
      query,
      { input: { companyId, assetId, ...more } },
      { 'input.file': file },
    )

    expect(errors).toEqual([])
    expect(data[name].success).toBe(true)
    const { imports } = await stateOf(home)
    const id = data[name].importId ?? data[name].import.id
    expect(imports).toEqual([{ id, status: 'PENDING' }])
    await runJob(home, id)
    expect(await found(home, id)).toMatchObject({ status: 'SUCCEEDED' })
  })

  test('and many rows that is sent twice under an Idempotency-Key is one import', async () => {
    const home = await newReportHome()
    const { key, companyId, assetId } = home
    const query = `mutation ($input: ImportFindingsInput!) { importFindings(input: $input) { import { id status } } }`
    const base64 = Buffer.from(many(MOST + 1)).toString('base64')
    const input = { companyId, assetId, file: { filename: 'report.sarif', contentType: 'application/json', base64 } }
    const send = () => ask(key, query, { input }, { 'idempotency-key': `many-rows-${companyId}` })

    const [one, other] = await Promise.all([send(), send()])
    const again = await send()

    const ids = [one, other, again].flatMap(({ data }) => data?.importFindings?.import ?? [])
    expect(again.data.importFindings.import.status).toBe('PENDING')
    expect(new Set(ids.map(({ id }: Data) => id)).size).toBe(1)
    expect((await stateOf(home)).imports).toHaveLength(1)
  })

  test('and many rows that several send at once comes in once, by jobs one after the other', async () => {
    const home = await newReportHome()

    const waiting = await Promise.all([1, 2, 3].map(() => taken(home, many(MOST + 1))))
    for (const { id } of waiting) await runJob(home, id)

    const ended = await Promise.all(waiting.map(({ id }) => found(home, id)))
    expect(waiting.map(({ status }) => status)).toEqual(['PENDING', 'PENDING', 'PENDING'])
    expect(ended.map(countsOf)).toEqual([
      { read: MOST + 1, created: MOST + 1 },
      { read: MOST + 1, unchanged: MOST + 1 },
      { read: MOST + 1, unchanged: MOST + 1 },
    ])
    expect(await stateOf(home)).toMatchObject({ issues: MOST + 1 })
  })

  test.each([
    ['the first of its asset', 0],
    ['one of an asset that has findings', 1],
  ])('and many rows that is %s is answered while another report or a deploy has the asset', async (_, before) => {
    const home = await newReportHome()
    if (before > 0) await taken(home, many(before))

    const waiting = await transaction((await parts()).db, async (trx) => {
      await holdAsset(trx, home.companyId, home.assetId)
      return taken(home, many(MOST + 1))
    })

    expect(waiting.status).toBe('PENDING')
    await runJob(home, waiting.id)
    expect(countsOf(await found(home, waiting.id)).read).toBe(MOST + 1)
  })

  test('and many rows that cannot be read fails by its job, with its reason', async () => {
    const home = await newReportHome()
    const { id } = await taken(home, sarif(rows(MOST + 1).map(() => 'nonsense')))

    await runJob(home, id)

    expect(await found(home, id)).toMatchObject({ status: 'FAILED', failure: { code: 'BAD_USER_INPUT' } })
    expect(await stateOf(home)).toMatchObject({ issues: 0 })
  })
})
