// How ScannerB is called, against a fake that is held to the vendor's own API description.

import { describe, expect, test } from 'vitest'
import { FOREIGN } from '../../../test/testkit/vendor-answers.ts'
import { vendorContracts } from '../../../test/testkit/vendor-contract.ts'
import { fakeVendor, get, json, post, remove, type Step } from '../../../test/testkit/vendor-fake.ts'
import { fakeSession, fakeVendors } from '../../../test/testkit/vendor-session.ts'
import { liveThroughTroubles } from '../../../test/testkit/vendor-troubles.ts'
import type { Row } from '../../reports/types.ts'
import type { PullAsked } from '../scanner.ts'
import { scannerB } from './connector.ts'

const ORIGIN = 'https://api.eu.snyk.io'
const settings = { region: 'EU_1' } as const
const credential = { kind: 'TOKEN', token: 'a-secret-token' } as const
const ORG = 'a3952187-0d8e-45d8-9aa2-036642857b5b'
const PROJECT = 'a3952187-0d8e-45d8-9aa2-036642857b5c'
const projectId = `${ORG}/${PROJECT}`
const ISSUES = `/rest/orgs/${ORG}/issues`
const VULNERABILITY = 'SNYK-JS-QS-3153490'

/** The older interface has a description of its own. */
const contract = vendorContracts(['snyk/snyk-v1', 'snyk/snyk'])

const asked = (steps: Step[]) => fakeVendor(ORIGIN, steps, contract)
const session = () => fakeSession(scannerB, credential, settings)

async function pulled(ask: Partial<PullAsked> = {}): Promise<Row[]> {
  const rows: Row[] = []
  for await (const row of scannerB.scanner?.pull(session(), { projectId, since: null, ...ask }) ?? []) rows.push(row)
  return rows
}
const observations = (rows: readonly Row[]) =>
  rows.flatMap((row) => (row.kind === 'OBSERVATION' ? [row.observation] : []))

const jsonapi = { version: '1.0' }
const attributes = (type: string, more = {}) => ({
  name: 'acme/shop:package.json',
  type,
  target_file: 'package.json',
  target_reference: 'main',
  origin: 'github',
  created: '2026-01-01T00:00:00Z',
  status: 'active',
  read_only: false,
  settings: { recurring_tests: { frequency: 'daily' }, pull_requests: {} },
  ...more,
})
const project = (type = 'npm') =>
  get(
    `/rest/orgs/${ORG}/projects/${PROJECT}`,
    json({
      jsonapi,
      links: {},
      data: {
        id: PROJECT,
        type: 'project',
        attributes: attributes(type),
      },
    }),
  )
const issue = (more = {}, id = '73832c6c-19ff-4a92-850c-2e1ff2800c16') => ({
  id,
  type: 'issue',
  attributes: {
    key: 'SNYK-JS-QS-3153490:qs:6.5.2',
    title: 'Prototype Pollution',
    type: 'package_vulnerability',
    effective_severity_level: 'high',
    status: 'open',
    ignored: false,
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-02T00:00:00Z',
    classes: [{ id: 'CWE-1321', source: 'CWE', type: 'weakness' }],
    problems: [
      { id: VULNERABILITY, source: 'SNYK', type: 'vulnerability' },
      {
        id: 'CVE-2022-24999',
        source: 'NVD',
        type: 'vulnerability',
        url: 'https://nvd.nist.gov/vuln/detail/CVE-2022-24999',
      },
    ],
    severities: [
      {
        level: 'high',
        source: 'Snyk',
        score: 7.5,
        vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H',
        version: '3.1',
        modification_time: '2026-01-01T00:00:00Z',
      },
    ],
    coordinates: [
      {
        remedies: [{ type: 'manual', description: 'Upgrade qs to 6.5.3' }],
        representations: [
          { dependency: { package_name: 'qs', package_version: '6.5.2' } },
          { dependency: { package_name: 'qs', package_version: '6.4.0' } },
        ],
      },
    ],
    ...more,
  },
  relationships: {
    organization: { data: { id: ORG, type: 'organization' } },
    scan_item: { data: { id: PROJECT, type: 'project' } },
  },
})
const issues = (data: unknown[], next?: unknown) => json({ jsonapi, data, links: next === undefined ? {} : { next } })
const query = { version: '2024-10-15', limit: '100', 'scan_item.id': PROJECT, 'scan_item.type': 'project' }

describe('a pull', () => {
  test('says of a vulnerability what it is, in which component, and by which key it is known', async () => {
    await asked([
      project(),
      get(ISSUES, issues([issue()]), {
        query: { ...query, status: 'open', updated_after: undefined },
        headers: { authorization: 'token a-secret-token', accept: 'application/vnd.api+json' },
      }),
    ])

    const rows = await pulled()

    expect(rows[0]).toEqual({ kind: 'SCOPE', scope: projectId })
    expect(observations(rows)).toEqual([
      {
        kind: 'COMPONENT',
        type: 'SCA_FINDING',
        toolName: 'Snyk Open Source',
        ruleId: VULNERABILITY,
        title: 'Prototype Pollution in qs',
        description: 'It is in qs 6.4.0 as well.',
        severity: 'HIGH',
        cvssScore: 7.5,
        cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H',
        cweIds: [1321],
        vulnerabilityIds: [VULNERABILITY, 'CVE-2022-24999'],
        reference: `https://security.snyk.io/vuln/${VULNERABILITY}\nhttps://nvd.nist.gov/vuln/detail/CVE-2022-24999`,
        solution: 'Upgrade qs to 6.5.3',
        originalIssueIdFromTool: `${projectId}:SNYK-JS-QS-3153490:qs:6.5.2`,
        decision: undefined,
        package: 'qs',
        affectedVersion: '6.5.2',
        packageManager: 'npm',
        fileName: 'package.json',
        image: undefined,
      },
    ])
  })

  test.each([
    ['relative', `/orgs/${ORG}/issues?starting_after=two&limit=100`],
    ['relative with the path before', `${ISSUES}?starting_after=two&version=2024-10-15`],
    ['absolute', `${ORIGIN}${ISSUES}?starting_after=two`],
    ['an object', { href: `/orgs/${ORG}/issues?starting_after=two` }],
  ])('goes through three pages when the next address is %s', async (_, next) => {
    const third = typeof next === 'string' ? next.replace('two', 'three') : { href: next.href.replace('two', 'three') }
    await asked([
      project(),
      get(ISSUES, issues([issue()], next), { query: { ...query, starting_after: undefined } }),
      get(ISSUES, issues([issue({ key: 'b' })], third), { query: { ...query, status: 'open', starting_after: 'two' } }),
      get(ISSUES, issues([issue({ key: 'c' })]), { query: { ...query, starting_after: 'three' } }),
    ])

    expect(observations(await pulled())).toHaveLength(3)
  })

  test('does not follow a next address of somebody else', async () => {
    await asked([project(), get(ISSUES, issues([issue()], `${FOREIGN}?starting_after=x`))])

    await expect(pulled()).rejects.toMatchObject({ kind: 'LED_ELSEWHERE' })
  })

  test('may find nothing', async () => {
    await asked([project(), get(ISSUES, issues([]))])

    expect(await pulled()).toEqual([{ kind: 'SCOPE', scope: projectId }])
  })

  test('asks for what changed from a time on, and says what was resolved', async () => {
    const resolution = { type: 'fixed', resolved_at: '2026-03-04T00:00:00Z' }
    const since = '2026-03-01T00:00:00.000Z'
    await asked([
      project(),
      get(ISSUES, issues([issue({ status: 'resolved', resolution })]), {
        query: { ...query, status: 'open,resolved', updated_after: since },
      }),
    ])

    const [found] = observations(await pulled({ since }))

    expect(found?.decision).toEqual({ status: 'FIX_ACCEPTED', reason: 'Resolved in Snyk on 2026-03-04' })
  })

  test.each([
    ['not-vulnerable', 'FALSE_POSITIVE'],
    ['wont-fix', 'RISK_ACCEPTED'],
    ['temporary-ignore', 'RISK_ACCEPTED'],
    ['of-another-kind', 'SUPPRESSED'],
  ])('says of an issue that is ignored as %s that it is %s', async (reasonType, decided) => {
    await asked([
      project(),
      get(ISSUES, issues([issue({ ignored: true })])),
      get(
        `/v1/org/${ORG}/project/${PROJECT}/ignores`,
        json({ [VULNERABILITY]: [{ '*': { reason: 'Not reached', reasonType } }] }),
        { headers: { accept: 'application/json' } },
      ),
    ])

    const [found] = observations(await pulled())

    expect(found?.decision).toEqual({ status: decided, reason: 'Not reached' })
  })

  test('says that an issue is ignored also where the reason may not be read', async () => {
    await asked([
      project(),
      get(ISSUES, issues([issue({ ignored: true })])),
      get(`/v1/org/${ORG}/project/${PROJECT}/ignores`, { status: 403, text: '' }),
    ])

    const [found] = observations(await pulled())

    expect(found?.decision).toEqual({ status: 'SUPPRESSED', reason: 'Ignored in Snyk' })
  })

  test('tells code, configurations and images apart, and passes over licences', async () => {
    const start = { line: 12, column: 4 }
    const location = { file: 'src/login.js', region: { start, end: { line: 12, column: 9 } } }
    const code = {
      key: 'code',
      type: 'code',
      title: 'SQL Injection',
      problems: undefined,
      coordinates: [{ representations: [{ sourceLocation: location }] }],
    }
    const config = { key: 'config', type: 'config', coordinates: [{ representations: [{ resourcePath: 'pod.spec' }] }] }
    const data = [issue(), issue(code), issue(config), issue({ key: 'l', type: 'license' }), issue({ type: 'custom' })]
    await asked([project('deb'), get(ISSUES, issues(data))])

    const rows = await pulled()

    expect(observations(rows)).toMatchObject([
      { type: 'CONTAINER_FINDING', toolName: 'Snyk Container', image: 'acme/shop:package.json' },
      {
        type: 'SAST_FINDING',
        toolName: 'Snyk Code',
        ruleId: 'SQL Injection',
        fileName: 'src/login.js',
        line: 12,
        column: 5,
      },
      { type: 'IAC_FINDING', toolName: 'Snyk IaC', description: 'At pod.spec' },
    ])
    expect(rows.slice(-2)).toMatchObject([
      { kind: 'PASSED_OVER', reason: 'It is about a license, not a vulnerability' },
      { kind: 'PASSED_OVER', reason: 'custom is not an issue type that is imported' },
    ])
  })
})

describe('the list of projects', () => {
  const org = (id: string, name: string) => ({
    id,
    type: 'org',
    attributes: { name, slug: name.toLowerCase(), is_personal: false },
  })
  const projects = (names: string[], next?: string) =>
    json({
      jsonapi,
      links: next === undefined ? {} : { next },
      data: names.map((name) => ({ id: PROJECT, type: 'project', attributes: attributes('npm', { name }) })),
    })
  const OTHER = '59d6d97e-3106-4ebb-b608-352fad9c5b34'
  const orgs = get('/rest/orgs', json({ jsonapi, links: {}, data: [org(ORG, 'Acme'), org(OTHER, 'Beta')] }))

  test('has the projects of all organisations, and tells how many there are once it saw the last', async () => {
    await asked([
      orgs,
      get(`/rest/orgs/${ORG}/projects`, projects(['shop'], `/orgs/${ORG}/projects?starting_after=2`)),
      get(`/rest/orgs/${ORG}/projects`, projects(['till']), { query: { starting_after: '2' } }),
      get(`/rest/orgs/${OTHER}/projects`, projects(['shop'])),
    ])

    const listing = await scannerB.scanner?.listProjects(session(), { search: 'SHOP', page: 1, limit: 10 })

    expect(listing).toEqual({
      total: 2,
      items: [
        { id: projectId, name: 'Acme / shop', branches: ['main'] },
        { id: `${OTHER}/${PROJECT}`, name: 'Beta / shop', branches: ['main'] },
      ],
    })
  })

  test('invents no total where it did not see the last', async () => {
    await asked([orgs, get(`/rest/orgs/${ORG}/projects`, projects(['one', 'two', 'three']))])

    const listing = await scannerB.scanner?.listProjects(session(), { search: null, page: 1, limit: 2 })

    expect([listing?.total, listing?.items.length]).toEqual([null, 2])
  })
})

describe('a decision', () => {
  const IGNORE = `/v1/org/${ORG}/project/${PROJECT}/ignore/${VULNERABILITY}`
  const finding = { projectId, key: `${projectId}:key`, ruleId: VULNERABILITY, type: 'SCA_FINDING' } as const
  const decision = { status: 'FALSE_POSITIVE', reason: 'Not reached', expiresAt: null } as const
  const wrote = (...given: [typeof finding, object]) =>
    scannerB.scanner?.writeBack?.(session(), given[0], { ...decision, ...given[1] })

  test.each([
    ['a false positive', {}, { reasonType: 'not-vulnerable' }],
    ['an accepted risk', { status: 'RISK_ACCEPTED' }, { reasonType: 'wont-fix' }],
    [
      'a risk that is accepted for a time',
      { status: 'RISK_ACCEPTED', expiresAt: '2027-01-01T00:00:00Z' },
      { reasonType: 'temporary-ignore', expires: '2027-01-01T00:00:00Z' },
    ],
  ])('of %s is written', async (_, given, body) => {
    await asked([post(IGNORE, json({}), { body: { ignorePath: '*', reason: 'Not reached', ...body } })])

    expect(await wrote(finding, given)).toMatchObject({ kind: 'SENT' })
  })

  test.each([200, 404])('that is taken back is deleted, also when it is answered with %d', async (status) => {
    await asked([remove(IGNORE, { status, text: '' })])

    expect(await wrote(finding, { status: 'IDENTIFIED' })).toMatchObject({ kind: 'SENT' })
  })

  test('of another project, or of what is no component and no code, is not sent', async () => {
    await asked([])

    const other = await scannerB.scanner?.writeBack?.(session(), { ...finding, key: 'of another' }, decision)
    const web = await scannerB.scanner?.writeBack?.(session(), { ...finding, type: 'DAST_FINDING' }, decision)

    expect([other?.kind, web?.kind]).toEqual(['OTHER', 'UNSUPPORTED'])
  })
})

test('too many requests stop every call with the credential for a minute', async () => {
  const vendors = fakeVendors()
  const self = json({ jsonapi, links: {}, data: { id: ORG, type: 'user', attributes: { name: 'A', username: 'a' } } })
  const fake = await fakeVendor(ORIGIN, [
    get('/rest/self', { status: 429, json: {} }),
    get('/rest/self', self, { times: 2 }),
  ])

  await scannerB.check(fakeSession(scannerB, credential, settings, { vendors }))
  await scannerB.check(fakeSession(scannerB, credential, settings, { vendors }))

  expect(fake.seen).toHaveLength(3)
  expect(Math.max(...vendors.clock.slept)).toBeGreaterThanOrEqual(60_000)
})

test.each([
  [{ region: 'US_2' as const }, 'https://api.us.snyk.io/rest'],
  [{ region: null }, 'https://api.snyk.io/rest'],
  [{ baseUrl: 'https://snyk.example.com/rest' }, 'https://snyk.example.com/rest'],
  [{ baseUrl: 'https://snyk.example.com' }, 'https://snyk.example.com/rest'],
])('the address of %o is %s', (given, address) => {
  expect(fakeSession(scannerB, credential, given).settings).toBeDefined()
  expect(scannerB.base(fakeSession(scannerB, credential, given).settings)).toBe(address)
})

liveThroughTroubles({
  connector: scannerB,
  credential,
  settings,
  good: get('/rest/self', json({ data: { id: ORG } })),
  call: (opened) => scannerB.check(opened),
})
