// Reports for tests: SARIF with a few results, and the outcome of importing it.

import { type Answer, type Data, upload } from './client.ts'
import { newAsset, newWorld } from './world.ts'

/** A company with an asset to import into, and the key of its owner. */
export async function newReportHome() {
  const { companyId, owner } = await newWorld()
  const asset = await newAsset(owner.key, companyId)
  return { companyId, key: owner.key, assetId: asset.id }
}

export type ReportHome = Awaited<ReturnType<typeof newReportHome>>

/** A result in `src/a.js` unless `more` has other fields; equal numbers give equal results. */
export const result = (number: number, more: Record<string, unknown> = {}, file = 'src/a.js', line = number * 10) => ({
  ruleId: 'eval',
  message: { text: `Eval of ${number}` },
  locations: [
    {
      physicalLocation: {
        artifactLocation: { uri: file },
        region: { startLine: line, snippet: { text: `eval(input${number})` } },
      },
    },
  ],
  ...more,
})

export const results = (count: number, from = 1) => Array.from({ length: count }, (_, index) => result(from + index))

/** A SARIF report with one run; `scope` is its automationDetails.id. */
export const sarif = (
  found: readonly unknown[],
  { tool = 'a-scanner', scope }: { tool?: string; scope?: string } = {},
) =>
  JSON.stringify({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: tool } },
        ...(scope === undefined ? {} : { automationDetails: { id: scope } }),
        results: found,
      },
    ],
  })

const IMPORT = `mutation ($input: ImportFindingsInput!) { importFindings(input: $input) { success import {
  id status format progress unclosedReason failure { code message }
  result { read created updated unchanged reopened merged closed leftOut components }
  rows(pagination: { perPage: 100 }) { collection { at disposition matchedBy reason issue { id title status } }
    metadata { totalCount } } } } }`

/** Sends a report, and resolves to the whole answer. */
export const sendReport = (
  { key, companyId, assetId }: ReportHome,
  content: string | Uint8Array,
  more: Record<string, unknown> = {},
): Promise<Answer> =>
  upload(
    key,
    IMPORT,
    { input: { companyId, assetId, ...more } },
    { 'input.file': { content, filename: 'report.sarif' } },
  )

/** Like sendReport, for a report that must be accepted; resolves to its import, which may wait for a worker. */
export async function taken(home: ReportHome, content: string | Uint8Array, more: Record<string, unknown> = {}) {
  const { data, errors } = await sendReport(home, content, more)
  if (errors[0]) throw new Error(`${errors[0].extensions.code}: ${errors[0].message}`)
  return data.importFindings.import as Data
}

/** Like taken, for a report that must be imported before the answer. */
export async function imported(home: ReportHome, content: string | Uint8Array, more: Record<string, unknown> = {}) {
  const told = await taken(home, content, more)
  if (told.status === 'PENDING') throw new Error('The report waits for a worker: it is too large to go in at once')
  return told
}

/** The counts other than 0. */
export const countsOf = ({ result: counts }: Data): Record<string, number> =>
  Object.fromEntries(Object.entries(counts as Record<string, number>).filter(([, count]) => count !== 0))

/** The rows with one disposition. */
export const rowsOf = ({ rows }: Data, disposition: string): Data[] =>
  rows.collection.filter((row: Data) => row.disposition === disposition)
