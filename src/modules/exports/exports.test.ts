// Exports of findings through the endpoint and their address: what goes out, to whom, and what a download holds.

import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { administratorKey, run } from '../../../test/testkit/client.ts'
import { download, fetched, started } from '../../../test/testkit/exports.ts'
import { imported, newReportHome, results, sarif } from '../../../test/testkit/reports.ts'
import { services } from '../../../test/testkit/service.ts'
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

  expect(counts).toEqual([4, 1, 2, 1, 0].map((count) => [count, count]))
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
  const long = results(40).map((one) => ({ ...one, message: { text: '"\n'.repeat(49_000) } }))
  await imported(home, sarif(long))

  const { text } = await fetched(home, 'NDJSON')

  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.at(-1)).toEqual({ kind: 'end', findings: 40, components: 0 })
})

test('a download that is cut off frees its place and its connection', async () => {
  const home = await newReportHome()
  const long = results(200).map((one) => ({ ...one, message: { text: 'x'.repeat(90_000) } }))
  await imported(home, sarif(long))
  const [service] = await services()
  const { url } = await started(home, 'NDJSON')

  for (let turn = 0; turn < 6; turn++) {
    const response = await download(home.key, url)
    expect(response.status).toBe(200)
    await response.body?.cancel()
    await released(home.key, url)
  }

  expect(service).toBeDefined()
})

test.each([
  ['key is revoked', 'mutation ($key: ID!) { revokeApiKey(input: { id: $key }) { apiKey { id } } }'],
  [
    'user leaves the company',
    'mutation ($user: ID!, $company: ID!) { updatePortalUserAccess(input: { id: $user, companyId: $company, role: null }) { clientMutationId } }',
  ],
])('a download ends when its %s', async (_, mutation) => {
  const home = await newReportHome()
  const reader = await newPerson(home.companyId, 'READER', ['read'])
  const long = sarif(results(40).map((one) => ({ ...one, message: { text: '"\n'.repeat(49_000) } })))
  for (let asset = 0; asset < 6; asset += 1) {
    await imported({ ...home, assetId: (await newAsset(home.key, home.companyId)).id }, long)
  }
  const { url } = await started({ ...home, key: reader.key }, 'NDJSON')
  const { apiKeys } = await run(reader.key, '{ apiKeys { id } }')

  const { status, body } = await download(reader.key, url)
  await run(administratorKey(), mutation, { key: apiKeys[0].id, user: reader.id, company: home.companyId })
  const reading = (async () => {
    for await (const _ of body ?? []) await delay(100)
  })()

  expect(status).toBe(200)
  await expect(reading).rejects.toThrow('terminated')
})

/** Until the place of a download that was cut off is free again: the server learns of it a moment later. */
async function released(key: string, url: string): Promise<void> {
  for (;;) {
    const [one, other] = await Promise.all([download(key, url), download(key, url)])
    await Promise.all([one.body?.cancel(), other.body?.cancel()])
    if (one.status === 200 && other.status === 200) return
  }
}
