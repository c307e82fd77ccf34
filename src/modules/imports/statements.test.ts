// What a VEX document decides about findings of scanners: before and after their reports, until it is withdrawn.

import { describe, expect, test } from 'vitest'
import { type Data, run } from '../../../test/testkit/client.ts'
import { countsOf, imported, newReportHome, type ReportHome, rowsOf } from '../../../test/testkit/reports.ts'
import { newAsset } from '../../../test/testkit/world.ts'

const CVE = 'CVE-2021-23337'

type Seen = { id?: string; name?: string; version?: string; target?: string }

/** A report of Trivy about npm packages; without any, all is well. */
const trivy = (...seen: Seen[]) =>
  JSON.stringify({
    SchemaVersion: 2,
    ArtifactName: '.',
    ArtifactType: 'filesystem',
    Results: seen.map(({ id = CVE, name = 'lodash', version = '4.17.20', target = 'package-lock.json' }) => ({
      Target: target,
      Class: 'lang-pkgs',
      Type: 'npm',
      Vulnerabilities: [
        {
          VulnerabilityID: id,
          PkgName: name,
          InstalledVersion: version,
          PkgIdentifier: { PURL: `pkg:npm/${name}@${version}` },
          Severity: 'HIGH',
        },
      ],
    })),
  })

const PURL = 'pkg:npm/lodash@4.17.20'
const SHOP = 'pkg:oci/shop'

const statement = (status: string, more: Record<string, unknown> = {}) => ({
  vulnerability: { name: CVE },
  products: [{ '@id': SHOP, subcomponents: [{ '@id': PURL }] }],
  status,
  ...more,
})

const notAffected = (more: Record<string, unknown> = {}) =>
  statement('not_affected', { justification: 'vulnerable_code_not_in_execute_path', ...more })

const openvex = (statements: readonly unknown[], timestamp?: string) =>
  JSON.stringify({
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': 'urn:vex',
    author: 'Shop Security',
    timestamp,
    statements,
  })

const QUERY = `query ($id: ID!) { issues(companyId: $id, pagination: { perPage: 50 }) { collection {
  id status severity asset { id } ... on ScaFinding { detail { affectedVersion } } history { kind status reason } } } }`

const issuesOf = async ({ key, companyId }: ReportHome): Promise<Data[]> =>
  (await run(key, QUERY, { id: companyId })).issues.collection

const statusesOf = async (home: ReportHome): Promise<string[]> =>
  (await issuesOf(home)).map(({ status }) => status).sort()

const change = ({ key }: ReportHome, input: Record<string, unknown>) =>
  run(key, 'mutation ($input: ChangeIssueStatusInput!) { changeIssueStatus(input: $input) { issue { id } } }', {
    input,
  })

/** A company in which Trivy has reported the vulnerability. */
async function scanned(...seen: Seen[]) {
  const home = await newReportHome()
  const made = await imported(home, trivy(...(seen.length > 0 ? seen : [{}])))
  return { home, id: made.rows.collection[0].issue.id as string }
}

describe('a statement about a finding of a scanner', () => {
  test('decides it, names itself in the history, and makes no finding of its own', async () => {
    const { home, id } = await scanned()

    const told = await imported(home, openvex([notAffected()]))

    expect(countsOf(told)).toEqual({ read: 1, updated: 1 })
    expect(rowsOf(told, 'UPDATED')).toMatchObject([
      { issue: { id, status: 'FALSE_POSITIVE' }, reason: `A statement about issue ${id} of Trivy` },
    ])
    const [issue, ...others] = await issuesOf(home)
    expect(others).toEqual([])
    expect(issue?.history).toContainEqual({
      kind: 'SCAN',
      status: 'FALSE_POSITIVE',
      reason: 'OpenVEX: not affected: vulnerable code not in execute path (Shop Security)',
    })
  })

  test.each([
    ['not_affected', 'FALSE_POSITIVE'],
    ['fixed', 'FIX_ACCEPTED'],
  ])('that is %s holds when the scanner reports it again, and when the statement comes again', async (said, status) => {
    const { home } = await scanned()
    await imported(home, openvex([statement(said)]))

    const scan = await imported(home, trivy({}))
    const again = await imported(home, openvex([statement(said)]))

    expect([countsOf(scan), countsOf(again)]).toEqual([
      { read: 1, unchanged: 1 },
      { read: 1, unchanged: 1 },
    ])
    const [issue] = await issuesOf(home)
    expect(issue?.status).toBe(status)
    expect(issue?.history.filter(({ status: each }: Data) => each === status)).toHaveLength(1)
  })

  test.each([
    ['affected', 'OpenVEX: affected (Shop Security)'],
    ['under_investigation', 'OpenVEX: under investigation (Shop Security)'],
  ])('ends when a newer one says %s', async (said, reason) => {
    const { home } = await scanned()
    await imported(home, openvex([notAffected()], '2026-01-01T00:00:00Z'))

    await imported(home, openvex([statement(said)], '2026-02-01T00:00:00Z'))
    const [ended] = await issuesOf(home)
    await imported(home, openvex([notAffected()], '2026-01-01T00:00:00Z'))

    expect(ended?.status).toBe('IDENTIFIED')
    expect(ended?.history).toContainEqual({ kind: 'SCAN', status: 'IDENTIFIED', reason })
    expect(await statusesOf(home)).toEqual(['IDENTIFIED'])
  })

  test('is withdrawn by a complete document without it, and by no incomplete one', async () => {
    const { home } = await scanned({}, { id: 'CVE-2020-8203' })
    const other = statement('not_affected', { vulnerability: { name: 'CVE-2020-8203' } })
    await imported(home, openvex([notAffected(), other]))

    await imported(home, openvex([other]))
    const added = await statusesOf(home)
    await imported(home, openvex([other]), { closeAbsent: true })

    expect(added).toEqual(['FALSE_POSITIVE', 'FALSE_POSITIVE'])
    expect(await statusesOf(home)).toEqual(['FALSE_POSITIVE', 'IDENTIFIED'])
    const [left] = (await issuesOf(home)).filter(({ status }) => status === 'IDENTIFIED')
    expect(left?.history).toContainEqual(
      expect.objectContaining({ reason: 'The VEX statement about it was withdrawn' }),
    )
  })

  test('never changes what a person decided', async () => {
    const { home, id } = await scanned()
    await change(home, { id, status: 'RISK_ACCEPTED', reason: 'Behind a wall' })
    await imported(home, openvex([notAffected()]))
    const accepted = await statusesOf(home)
    await change(home, { id, status: 'IDENTIFIED' })

    await imported(home, openvex([notAffected()]))
    await imported(home, trivy({}))

    expect([accepted, await statusesOf(home)]).toEqual([['RISK_ACCEPTED'], ['IDENTIFIED']])
  })

  test('is about that component and version alone, in all files of its asset, on all branches', async () => {
    const { home } = await scanned({}, { target: 'web/package-lock.json' }, { version: '4.17.21' })
    await imported(home, trivy({}), { branchName: 'feature' })
    const { id: assetId } = await newAsset(home.key, home.companyId)
    await imported({ ...home, assetId }, trivy({}))

    await imported(home, openvex([notAffected()]))

    const told = (await issuesOf(home)).map(({ status, detail, asset }) =>
      [status, detail.affectedVersion, asset.id === home.assetId ? 'here' : 'elsewhere'].join(' '),
    )
    expect(told.sort()).toEqual([
      'CREATED 4.17.20 elsewhere',
      'CREATED 4.17.21 here',
      'FALSE_POSITIVE 4.17.20 here',
      'FALSE_POSITIVE 4.17.20 here',
      'FALSE_POSITIVE 4.17.20 here',
    ])
  })

  test.each([
    ['a package URL without a version', { products: ['pkg:npm/lodash'] }],
    ['a CPE name', { products: [{ identifiers: { cpe23: 'cpe:2.3:a:lodash:lodash:4.17.20:*:*:*:*:node.js:*:*' } }] }],
    ['an alias of the vulnerability', { vulnerability: { name: 'GHSA-35jh-r3h4-6jhm', aliases: [CVE] } }],
  ])('may name it by %s', async (_, more) => {
    const { home } = await scanned()

    await imported(home, openvex([notAffected(more)]))

    expect(await statusesOf(home)).toEqual(['FALSE_POSITIVE'])
  })

  test('is not about another vulnerability that it, or the title of a finding, names as well', async () => {
    const { home } = await scanned()
    const other = notAffected({ vulnerability: { name: 'CVE-2020-8203', aliases: [CVE] } })

    await imported(home, openvex([other]))

    expect(await statusesOf(home)).toEqual(['CREATED'])
  })

  test('decides nothing if its document says otherwise of another product', async () => {
    const { home } = await scanned()
    const elsewhere = { products: [{ '@id': 'pkg:oci/other', subcomponents: [{ '@id': PURL }] }] }

    await imported(home, openvex([statement('affected'), notAffected(elsewhere)]))

    expect(await statusesOf(home)).toEqual(['CREATED'])
  })

  test('may come before the scan, and then decides what the scanner finds', async () => {
    const home = await newReportHome()
    const fixed = statement('fixed', { vulnerability: { name: 'CVE-2020-8203' } })
    await imported(home, openvex([notAffected(), fixed]))

    await imported(home, trivy({}, { id: 'CVE-2020-8203' }))
    await imported(home, trivy({}, { id: 'CVE-2020-8203' }))

    const statuses = await statusesOf(home)
    expect(new Set(statuses)).toEqual(new Set(['FALSE_POSITIVE', 'FIX_ACCEPTED']))
  })

  test('decides findings that are reported one by one as well', async () => {
    const home = await newReportHome()
    await imported(home, openvex([statement('fixed')]))
    const input = { assetId: Number(home.assetId), title: CVE, description: '', cve: CVE, package: 'lodash' }
    const sent = `mutation ($input: CreateOrUpdateScaFindingInput!) { createOrUpdateScaFinding(input: $input) {
      outcome issue { id status } } }`
    const push = async () =>
      (await run(home.key, sent, { input: { ...input, affectedVersion: '4.17.20', toolName: 'a-tool' } }))
        .createOrUpdateScaFinding

    const [first, second] = [await push(), await push()]

    expect([first, second]).toEqual([
      { outcome: 'CREATED', issue: { id: first.issue.id, status: 'FIX_ACCEPTED' } },
      { outcome: 'UNCHANGED', issue: first.issue },
    ])
  })

  test('stands against what the scanner itself says', async () => {
    const { home } = await scanned()
    await imported(home, openvex([notAffected()]))

    const gone = await imported(home, trivy(), { closeAbsent: true })
    await imported(home, trivy({}), { closeAbsent: true })

    expect(countsOf(gone)).toEqual({})
    expect(await statusesOf(home)).toEqual(['FALSE_POSITIVE'])
  })
})

describe('in other formats', () => {
  const product = { product_id: 'P1', name: 'lodash', product_identification_helper: { purl: PURL } }
  const csaf = (list: string) =>
    JSON.stringify({
      document: { category: 'csaf_vex', csaf_version: '2.0', publisher: { name: 'Example Corp' } },
      product_tree: { full_product_names: [product] },
      vulnerabilities: [
        {
          cve: CVE,
          product_status: { [list]: ['P1'] },
          flags: [{ label: 'component_not_present', product_ids: ['P1'] }],
        },
      ],
    })
  const cyclonedx = (analysis: unknown) =>
    JSON.stringify({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      components: [{ 'bom-ref': 'a', type: 'library', name: 'lodash', version: '4.17.20', purl: PURL }],
      vulnerabilities: [{ id: CVE, affects: [{ ref: 'a' }], analysis }],
    })

  test.each([
    ['CSAF', csaf('known_not_affected'), csaf('known_affected'), 'Example Corp: known not affected'],
    ['CSAF', csaf('known_not_affected'), csaf('under_investigation'), 'component not present'],
    [
      'CycloneDX',
      cyclonedx({ state: 'not_affected', justification: 'code_not_reachable' }),
      cyclonedx(undefined),
      'not affected: code_not_reachable',
    ],
  ])('%s decides findings of scanners, until it says otherwise', async (_, denied, affirmed, reason) => {
    const { home, id } = await scanned()

    await imported(home, denied)
    const [decided] = await issuesOf(home)
    await imported(home, affirmed)

    expect(decided).toMatchObject({ id, status: 'FALSE_POSITIVE', severity: 'HIGH' })
    expect(decided?.history[0].reason).toContain(reason)
    expect(await statusesOf(home)).toEqual(['IDENTIFIED'])
  })
})
