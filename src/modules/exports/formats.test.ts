// Every export is valid by the official schema of its format, whatever texts the findings hold.

import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { refusal } from '../../../test/testkit/client.ts'
import { fetched } from '../../../test/testkit/exports.ts'
import { imported, newReportHome } from '../../../test/testkit/reports.ts'
import { faultsOf, hasSchemas, type SchemaFormat } from '../../../test/testkit/schemas.ts'
import { newStock } from '../../../test/testkit/stock.ts'

if (!hasSchemas) console.info('The official schemas are not here (MERLON_SCHEMAS): only the structure is checked')

const rows = {
  SARIF: (document: { runs: { results: unknown[] }[] }) => document.runs[0]?.results,
  CYCLONEDX: (document: { vulnerabilities: unknown[] }) => document.vulnerabilities,
  CYCLONEDX_VEX: (document: { vulnerabilities: unknown[] }) => document.vulnerabilities,
  OPENVEX: (document: { statements: unknown[] }) => document.statements,
  CSAF: (document: { product_tree: { full_product_names: unknown[] } }) => document.product_tree.full_product_names,
} as const

const formats = Object.keys(rows) as SchemaFormat[]

test.each(formats)('%s: findings of every type and status, with hostile texts, are valid', async (format) => {
  const { text, made } = await fetched(await newStock(), format)

  const document = JSON.parse(text)

  expect(faultsOf(format, document).slice(0, 10)).toEqual([])
  const count = rows[format](document)?.length ?? 0
  if (format === 'CSAF') expect(count).toBeGreaterThan(5)
  else expect(count).toBe(made.findingsCount)
})

test('a vulnerability has the id that its tool reports, and no other CVE of its title is an alias of it', async () => {
  const home = await newReportHome()
  const title = 'CVE-2010-4051 and CVE-2010-4052 (GHSA-2345-6789-cfgh) in regcomp'
  const finding = { title, severity: 'High', cve: 'CVE-2010-4052', package: 'libc6', affectedVersion: '2.28' }
  await imported(home, JSON.stringify({ findings: [finding] }))

  const { text } = await fetched(home, 'OPENVEX')

  expect(JSON.parse(text).statements).toMatchObject([
    { vulnerability: { name: 'CVE-2010-4052', aliases: ['GHSA-2345-6789-cfgh'] } },
  ])
})

test.each(['SARIF', 'CYCLONEDX', 'CYCLONEDX_VEX'] as const)(
  '%s: a company without findings is valid too',
  async (format) => {
    const { text } = await fetched(await newReportHome(), format)

    expect(faultsOf(format, JSON.parse(text))).toEqual([])
  },
)

test.each(['OPENVEX', 'CSAF'])(
  '%s: a company without a vulnerable component is told that nothing can be written',
  async (format) => {
    const { key, companyId } = await newReportHome()
    const query = 'mutation ($input: ExportFindingsInput!) { exportFindings(input: $input) { export { id } } }'

    const { message, extensions } = await refusal(key, query, { input: { companyId, format } })

    expect(extensions.code).toBe('FAILED_PRECONDITION')
    expect(message).toContain('cannot be written without one')
  },
)

test('CSV: no cell begins a formula, and every text comes back whole', async () => {
  const home = await newStock()
  const { text, made } = await fetched(home, 'CSV')
  const lines = (await fetched(home, 'NDJSON')).text
    .trimEnd()
    .split('\n')
    .slice(1, -1)
    .map((line) => JSON.parse(line))

  const cells: Record<string, string>[] = parse(text, { columns: true, recordDelimiter: '\r\n' })

  expect(cells.length).toBe(made.findingsCount)
  expect(cells.flatMap((row) => Object.values(row)).filter((cell) => /^[=+\-@\t\r\n]/.test(cell))).toEqual([])
  const told = cells.map(({ description }) => description?.replace(/^'(?='*[=+\-@\t\r\n])/, ''))
  expect(told).toEqual(lines.map(({ description }) => description))
})
