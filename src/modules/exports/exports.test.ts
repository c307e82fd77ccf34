// Exports of findings through the endpoint and by their addresses: what they hold, and who may download them.

import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { administratorKey, run } from '../../../test/testkit/client.ts'
import { download, fetched, started } from '../../../test/testkit/exports.ts'
import { imported, newReportHome, type ReportHome, results, sarif } from '../../../test/testkit/reports.ts'
import { serviceUrl } from '../../../test/testkit/service.ts'
import { newAsset, newPerson } from '../../../test/testkit/world.ts'

test.each(['SARIF', 'CSV', 'NDJSON'])(
  '%s: exportFindings answers with the address of a file of all findings',
  async (format) => {
    const home = await newReportHome()
    await imported(home, sarif(results(3)))

    const { made, text, response } = await fetched(home, format)

    expect(made).toMatchObject({ format, state: 'READY', findingsCount: 3 })
    expect(response.headers.get('content-disposition')).toContain(made.filename)
    expect(response.headers.get('content-type')).toMatch(/^(application\/octet-stream|text\/csv)$/)
    for (const title of ['Eval of 1', 'Eval of 2', 'Eval of 3']) expect(text).toContain(title)
  },
)

test('SARIF: each result leads to its finding in the console', async () => {
  const home = await newReportHome()
  await imported(home, sarif(results(2)))

  const { text } = await fetched(home, 'SARIF')

  const told: { hostedViewerUri: string; properties: { id: string } }[] = JSON.parse(text).runs[0].results
  expect(told.map(({ hostedViewerUri }) => new URL(hostedViewerUri).pathname)).toEqual(
    told.map(({ properties }) => `/companies/${home.companyId}/findings/${properties.id}`),
  )
  expect(told).toHaveLength(2)
})

test('who asks for the headers alone downloads nothing', async () => {
  const home = await newReportHome()
  await imported(home, sarif(results(1)))
  const { url } = await started(home, 'SARIF')

  const head = await fetch(`${await serviceUrl()}${new URL(url, 'http://here').pathname}`, {
    method: 'HEAD',
    headers: { 'x-api-key': home.key },
  })

  const { auditRecords } = await run(
    home.key,
    'query ($companyId: ID!) { auditRecords(companyId: $companyId, search: "Export") { collection { after } } }',
    { companyId: home.companyId },
  )
  expect([head.status, head.headers.get('content-disposition')]).toEqual([200, expect.stringContaining('attachment')])
  expect(JSON.stringify(auditRecords)).not.toContain('downloaded')
})

test('assets, filters and a branch narrow what goes out', async () => {
  const home = await newReportHome()
  const other = await newAsset(home.key, home.companyId)
  await imported(home, sarif(results(2)), { branchName: 'main' })
  await imported(home, sarif(results(3)), { branchName: 'feature' })
  await imported({ ...home, assetId: other.id }, sarif(results(1)))
  const filters = { search: 'Eval of 3' }

  const counts = []
  for (const more of [{}, { assetIds: [other.id] }, { branchName: 'main' }, { filters }, { assetIds: [] }]) {
    const { made, text } = await fetched(home, 'NDJSON', more)
    counts.push([made.findingsCount, text.split('\n').filter((line) => line.includes('"kind":"finding"')).length])
  }
  const { text } = await fetched(home, 'NDJSON', { branchName: 'main' })

  expect(counts).toEqual([4, 1, 2, 1, 4].map((count) => [count, count]))
  expect(text).not.toContain('feature')
})

test('a reader exports, and each asking and download is a matter of record', async () => {
  const home = await newReportHome()
  const reader = await newPerson(home.companyId, 'READER', ['read'])

  const { made } = await fetched({ ...home, key: reader.key }, 'NDJSON')

  const query = `query ($companyId: ID!) { auditRecords(companyId: $companyId) { collection { object operation portalUser { id } } } }`
  const { auditRecords } = await run(home.key, query, { companyId: home.companyId })
  const told = auditRecords.collection.filter(({ object }: { object: string }) => object === `Export ${made.id}`)
  expect(told.map(({ portalUser }: { portalUser: { id: string } }) => portalUser.id)).toEqual([reader.id, reader.id])
})

test('a finding with the longest texts goes out with its neighbours, in memory of a bounded size', async () => {
  const home = await newReportHome()
  for (const from of [1, 21]) await imported(home, sarif(longest(results(20, from))))

  const { text } = await fetched(home, 'NDJSON')

  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.at(-1)).toEqual({ kind: 'end', findings: 40, components: 0 })
})

test('downloads that are cut off free their places and their connections', async () => {
  const home = await largeHome()
  const { url } = await started(home, 'NDJSON')
  const cutOff = async () => {
    const { status, body } = await download(home.key, url)
    await body?.cancel()
    return status
  }

  // the server learns of it a moment later; without that there would be two, and no third
  for (let turn = 0; turn < 6; turn++) await expect.poll(cutOff).toBe(200)
})

test.each([
  ['key is revoked', 'mutation ($key: ID!) { revokeApiKey(input: { id: $key }) { apiKey { id } } }'],
  [
    'user leaves the company',
    'mutation ($user: ID!, $company: ID!) { updatePortalUserAccess(input: { id: $user, companyId: $company, role: null }) { clientMutationId } }',
  ],
])('a download ends when its %s', async (_, mutation) => {
  const home = await largeHome()
  const reader = await newPerson(home.companyId, 'READER', ['read'])
  const { url } = await started({ ...home, key: reader.key }, 'NDJSON')
  const { apiKeys } = await run(reader.key, '{ apiKeys { id } }')

  const answer = await begun(reader.key, url)
  await run(administratorKey(), mutation, { key: apiKeys[0].id, user: reader.id, company: home.companyId })

  expect(answer.statusCode).toBe(200)
  await expect(answer.toArray()).rejects.toThrow('aborted')
})

/** A download of which nothing was read yet. */
async function begun(key: string, path: string): Promise<IncomingMessage> {
  const [answer] = await once(get(`${await serviceUrl()}${path}`, { headers: { 'x-api-key': key } }), 'response')
  return answer
}

let large: Promise<ReportHome> | undefined

/** One for all who ask, whose export is larger than what waits between server and reader. */
function largeHome(): Promise<ReportHome> {
  large ??= (async () => {
    const home = await newReportHome()
    for (let from = 1; from <= 200; from += 20) await imported(home, sarif(longest(results(20, from))))
    return home
  })()
  return large
}

/** With texts as long as may be, of which twenty go in at once. */
const longest = (found: ReturnType<typeof results>) =>
  found.map((one) => ({ ...one, message: { text: '"\n'.repeat(49_000) } }))
