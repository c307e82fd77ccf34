// How ScannerA is called, against a fake that is held to the vendor's own API description.

import { describe, expect, test } from 'vitest'
import type { Answer } from '../../../test/testkit/exchanges.ts'
import { gigabyte, tooMany } from '../../../test/testkit/vendor-answers.ts'
import { vendorContracts } from '../../../test/testkit/vendor-contract.ts'
import { fakeVendor, get, json, post, type Step } from '../../../test/testkit/vendor-fake.ts'
import { fakeSession, fakeVendors } from '../../../test/testkit/vendor-session.ts'
import { liveThroughTroubles } from '../../../test/testkit/vendor-troubles.ts'
import type { Row } from '../../reports/types.ts'
import type { PullAsked } from '../scanner.ts'
import { scannerA } from './connector.ts'
import { hostExporter, readStatus } from './exports.ts'

const ORIGIN = 'https://cloud.tenable.com'
const credential = { kind: 'KEY_PAIR', accessKey: 'an-access-key', secretKey: 'a-secret-key' } as const
const HOST = '53ed0fa2-ccd5-4d2e-92ee-c072635889e3'
const CONFIG = 'f08a9605-231a-45b0-b0f8-5ab4f5510239'
const EXPORT = 'bf765455-53aa-4e70-9ef3-87cfca1d2be0'

/** Each product has a description of its own. */
const contract = vendorContracts(['tenable/tenable-was', 'tenable/tenable-vm'])

const asked = (steps: Step[]) => fakeVendor(ORIGIN, steps, contract)
const session = (vendors = fakeVendors()) => fakeSession(scannerA, credential, {}, { vendors })

async function pulled(ask: PullAsked, vendors = fakeVendors()): Promise<Row[]> {
  const rows: Row[] = []
  for await (const row of scannerA.scanner?.pull(session(vendors), ask) ?? []) rows.push(row)
  return rows
}
const observations = (rows: readonly Row[]) =>
  rows.flatMap((row) => (row.kind === 'OBSERVATION' ? [row.observation] : []))

const host = (more = {}) => ({
  asset: { uuid: HOST, fqdn: 'files.example.com', ipv4: '203.0.113.71' },
  output: 'Remote version : 16.0',
  plugin: {
    id: 156641,
    name: 'Missing security updates',
    family: 'Windows',
    description: 'Updates are missing.',
    synopsis: 'It is old.',
    solution: 'Update it.',
    see_also: ['https://vendor.example.com/advice'],
    cve: ['CVE-2022-21837'],
    cvss3_base_score: 8.8,
    cvss3_vector: { raw: 'AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:H' },
    epss_score: 10.647,
  },
  port: { port: 445, protocol: 'TCP', service: 'cifs' },
  severity: 'high',
  severity_id: 3,
  severity_modification_type: 'NONE',
  state: 'OPEN',
  finding_id: '02716af9-1adb-4057-b4d5-dcb0c36b290c',
  ...more,
})
const web = (more = {}) => ({
  finding_id: '044a6c5f-3b1c-5c2d-bc76-36e0072ab19c',
  url: 'https://shop.example.com/contact',
  http_method: 'GET',
  input_name: 'name',
  state: 'OPEN',
  severity: 'MEDIUM',
  severity_id: 2,
  severity_modification_type: 'NONE',
  plugin: { id: 112435, name: 'Cross-site scripting', cwe: ['79'], synopsis: 'It echoes.', description: 'It does.' },
  asset: { uuid: '112f0ca3-2933-479c-ba50-f7eae89974af', fqdn: 'shop.example.com' },
  ...more,
})

/** With what the vendor always tells of a configuration. */
const config = {
  config_id: CONFIG,
  name: 'Shop',
  targets: ['https://shop.example.com/'],
  owner_id: HOST,
  container_id: HOST,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  settings: {},
  scanner_id: 1,
  default_permissions: 'no_access',
  results_visibility: 'dashboard',
  permissions: [],
}

const status = (state: string, available: number[], more = {}) =>
  json({ uuid: EXPORT, status: state, chunks_available: available, chunks_failed: [], chunks_cancelled: [], ...more })
const looked = (answer: Answer) => get(`/vulns/export/${EXPORT}/status`, answer)
const part = (chunk: number, answer: Answer) => get(`/vulns/export/${EXPORT}/chunks/${chunk}`, answer)
const known = get(`/assets/${HOST}`, json({ id: HOST, ipv4: ['203.0.113.71'], fqdn: ['files.example.com'] }))
const began = post('/vulns/export', json({ export_uuid: EXPORT }), {
  headers: { 'x-apikeys': 'accessKey=an-access-key;secretKey=a-secret-key' },
})
const all = { projectId: `vm:${HOST}`, since: null }

describe('a pull of a host', () => {
  test('fetches each part once, while the export is made, and leaves other hosts out', async () => {
    const other = host({ asset: { uuid: 'another', fqdn: 'else.example.com' } })
    await asked([
      known,
      {
        ...began,
        body: { num_assets: 50, filters: { since: 1, state: ['OPEN', 'REOPENED'], cidr_range: '203.0.113.71/32' } },
      },
      looked(status('QUEUED', [])),
      looked(status('PROCESSING', [2])),
      part(2, json([host(), other])),
      looked(status('FINISHED', [1, 2])),
      part(1, json([host({ finding_id: EXPORT, state: 'REOPENED' })])),
    ])

    const rows = await pulled(all)

    expect(rows[0]).toEqual({ kind: 'SCOPE', scope: all.projectId })
    expect(observations(rows).map(({ originalIssueIdFromTool }) => originalIssueIdFromTool)).toEqual([
      '02716af9-1adb-4057-b4d5-dcb0c36b290c',
      EXPORT,
    ])
    expect(observations(rows)[0]).toMatchObject({
      kind: 'EXCHANGE',
      toolName: 'Nessus',
      ruleId: '156641',
      severity: 'HIGH',
      cvssScore: 8.8,
      cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:H',
      exploitProbability: 0.10647,
      url: 'tcp://files.example.com:445',
      vulnerabilityIds: ['CVE-2022-21837'],
      decision: undefined,
    })
  })

  test('asks for what changed from a time on, also what was fixed, and says what became of it', async () => {
    const fixed = host({ state: 'FIXED', last_fixed: '2026-03-04T05:06:07Z' })
    const accepted = host({
      finding_id: CONFIG,
      severity_modification_type: 'ACCEPTED',
      recast_reason: 'We can bear it',
    })
    await asked([
      known,
      { ...began, body: { filters: { since: 1_767_225_600, state: ['OPEN', 'REOPENED', 'FIXED'] } } },
      looked(status('FINISHED', [1])),
      part(1, json([fixed, accepted])),
    ])

    const rows = await pulled({ ...all, since: '2026-01-01T00:00:00Z' })

    expect(observations(rows).map(({ decision }) => decision)).toEqual([
      { status: 'FIX_ACCEPTED', reason: 'Fixed in Tenable on 2026-03-04' },
      { status: 'RISK_ACCEPTED', reason: 'We can bear it' },
    ])
  })

  test('takes over the equal export that is under way', async () => {
    await asked([
      known,
      post('/vulns/export', json({ active_job_id: EXPORT, failure_reason: 'ongoing' }, { status: 409 })),
      looked(status('FINISHED', [1], { filters: { since: 1 } })),
      part(1, json([host()])),
    ])

    expect(observations(await pulled(all))).toHaveLength(1)
  })

  test('leaves an export alone that begins later than it has to', async () => {
    await asked([
      known,
      post('/vulns/export', json({ active_job_id: EXPORT }, { status: 409 })),
      looked(status('PROCESSING', [], { filters: { since: 1_767_225_600 } })),
    ])

    await expect(pulled(all)).rejects.toMatchObject({ kind: 'WAIT' })
  })

  test('says that it is not all when parts could not be made', async () => {
    await asked([known, began, looked(status('FINISHED', [1], { chunks_failed: [2, 3] })), part(1, json([host()]))])

    const rows = await pulled(all)

    expect(rows.at(-1)).toEqual({ kind: 'TRUNCATED', reason: 'ScannerA could not make 2 parts of its export' })
  })

  test.each(['CANCELLED', 'ERROR'])('fails when the export ends as %s', async (state) => {
    await asked([known, began, looked(status(state, []))])

    await expect(pulled(all)).rejects.toThrow(`its export ended as ${state}`)
  })

  test('fails to be tried again when a part is no longer kept', async () => {
    await asked([known, began, looked(status('FINISHED', [1])), part(1, { status: 404, text: '' })])

    await expect(pulled(all)).rejects.toMatchObject({ kind: 'BROKEN_ANSWER', retryable: true })
  })

  test('waits as long as a page of too many requests says', async () => {
    const vendors = fakeVendors()
    await asked([known, began, { ...looked(tooMany.page()) }, looked(status('FINISHED', []))])

    await pulled(all, vendors)

    expect(Math.max(...vendors.clock.slept)).toBeGreaterThanOrEqual(1000)
  })

  test('leaves out what names no plugin, and nothing else', async () => {
    const nameless = host({ plugin: {} })
    await asked([known, began, looked(status('FINISHED', [7])), part(7, json([nameless, host()]))])

    const rows = await pulled(all)

    expect(rows[1]).toEqual({ kind: 'LEFT_OUT', at: 'chunk 7, record 1', reason: 'It names no plugin' })
    expect(observations(rows)).toHaveLength(1)
  })

  test('knows a finding without an id by its host, plugin and port', async () => {
    const one = host({ finding_id: undefined })
    const two = host({ finding_id: undefined, port: { port: 8443, protocol: 'TCP' } })
    await asked([known, began, looked(status('FINISHED', [1])), part(1, json([one, two, one]))])

    const keys = observations(await pulled(all)).map(({ originalIssueIdFromTool }) => originalIssueIdFromTool)

    expect(keys[0]).toMatch(/^[0-9a-f]{64}$/)
    expect([keys[0] === keys[1], keys[0] === keys[2]]).toEqual([false, true])
  })
})

describe('a part of an export', () => {
  const cutAfter = (text: string): Answer => ({
    write: (response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': '100000' })
      response.write(text, () => response.destroy())
    },
  })
  const [one, two, three] = [HOST, CONFIG, EXPORT]
  const records = [one, two, three].map((finding_id) => host({ finding_id }))
  const ids = (rows: Row[]) => observations(rows).map(({ originalIssueIdFromTool }) => originalIssueIdFromTool)

  test('that breaks off is fetched again, and each of its records is given once', async () => {
    const whole = JSON.stringify(records)
    await asked([
      known,
      began,
      looked(status('FINISHED', [1])),
      part(1, cutAfter(whole.slice(0, whole.indexOf(three)))),
      part(1, json(records)),
    ])

    expect(ids(await pulled(all))).toEqual([one, two, three])
  })

  test('of 1 GB is given up, and not fetched again', async () => {
    const blanks = gigabyte('[', ' '.repeat(65_536))
    await asked([known, began, looked(status('FINISHED', [1])), part(1, blanks)])

    await expect(pulled(all)).rejects.toMatchObject({ kind: 'TOO_LARGE' })
  })

  test.each([
    ['is no list', { text: '{"error":"none"}' }],
    ['is a page', { text: '<!doctype html><p>Sign in</p>', headers: { 'content-type': 'text/html' } }],
    ['is empty', { text: '' }],
    ['has an item that is no JSON', { text: '[{"asset":nothing}]' }],
    ['ends before it is complete', { text: '[{"asset":{}},' }],
  ] satisfies [string, Answer][])(
    'that %s at each try is a failure of the vendor, and no empty list',
    async (_, answer) => {
      // which no description has
      await fakeVendor(ORIGIN, [known, began, looked(status('FINISHED', [1])), { ...part(1, answer), times: 3 }])

      await expect(pulled(all)).rejects.toMatchObject({ code: 'UPSTREAM_FAILED', kind: 'BROKEN_ANSWER' })
    },
  )
})

test('a pull of a web application takes the findings at the hosts that its configuration scans', async () => {
  const at = '/was/v1/export/vulns'
  await asked([
    get(`/was/v2/configs/${CONFIG}`, json(config)),
    post(at, json({ export_uuid: EXPORT }), { body: { filters: { since: 1 } } }),
    get(`${at}/${EXPORT}/status`, json({ uuid: EXPORT, status: 'FINISHED', chunks_available: [1] })),
    get(`${at}/${EXPORT}/chunks/1`, json([web(), web({ finding_id: EXPORT, url: 'https://other.example.com/' })])),
  ])

  const found = observations(await pulled({ projectId: `was:${CONFIG}`, since: null }))

  expect(found).toHaveLength(1)
  expect(found[0]).toMatchObject({
    toolName: 'Tenable WAS',
    url: 'https://shop.example.com/contact',
    method: 'GET',
    parameters: 'name',
    severity: 'MEDIUM',
    cweIds: [79],
  })
})

describe('the list of projects', () => {
  const configs = (count: number, offset = 0) =>
    json({
      pagination: { total: 401, offset, limit: 200 },
      items: Array.from({ length: count }, (_, index) => ({
        config_id: CONFIG,
        name: `Application ${offset + index}`,
        user_permissions: 'configure',
        target_count: 1,
        created_at: '2026-01-01T00:00:00Z',
        updated_at: '2026-01-01T00:00:00Z',
      })),
    })
  const search = '/was/v2/configs/search'
  const hosts = get('/assets', json({ assets: [{ id: HOST, fqdn: [], hostname: ['files'], ipv4: [] }], total: 1 }))
  const page = { search: null, page: 1, limit: 100 }

  test('has web applications of three pages, then hosts, and tells how many there are', async () => {
    await asked([
      post(search, configs(200), { query: { offset: '0', limit: '200' } }),
      post(search, configs(200, 200), { query: { offset: '200' } }),
      post(search, configs(1, 400), { query: { offset: '400' } }),
      hosts,
    ])

    const listing = await scannerA.scanner?.listProjects(session(), { ...page, page: 5 })

    expect(listing).toMatchObject({
      total: 402,
      items: [{ name: 'Application 400' }, { id: `vm:${HOST}`, name: 'files' }],
    })
  })

  test('is searched by a part of the name, and may be empty', async () => {
    await asked([post(search, configs(0), { times: 2 }), { ...hosts, times: 2 }])

    const found = await scannerA.scanner?.listProjects(session(), { ...page, search: 'FILE' })
    const none = await scannerA.scanner?.listProjects(session(), { ...page, search: 'nothing' })

    expect([found?.total, none]).toEqual([1, { items: [], total: 0 }])
  })

  test('does with one product where the other is not to be had', async () => {
    await asked([post(search, configs(1)), get('/assets', { status: 403, text: '' })])

    const listing = await scannerA.scanner?.listProjects(session(), page)

    expect(listing).toMatchObject({ total: 1, items: [{ id: `was:${CONFIG}` }] })
  })
})

test('the check asks the other product when one is not to be had', async () => {
  await asked([
    get('/vulns/export/status', { status: 403, text: '' }),
    get('/was/v1/export/vulns/status', json({ exports: [] })),
  ])

  await expect(scannerA.check(session())).resolves.toBeUndefined()
})

liveThroughTroubles({
  connector: scannerA,
  credential,
  good: looked(status('FINISHED', [])),
  call: (opened) => readStatus(opened, hostExporter, EXPORT),
})
