// How GitLab's security reports are read.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { damaged, observationsIn, recognisedBy, rowsIn, rowsOrFault, textsIn } from '../../../test/reports/reading.ts'
import { gitlab } from './reader.ts'

const vulnerability = (more: Record<string, unknown> = {}) => ({
  id: 'v1',
  name: 'Cross-site scripting',
  description: 'Input comes out again.',
  severity: 'High',
  solution: 'Escape it.',
  location: { file: 'src/a.js', start_line: 5, class: 'A', method: 'b' },
  identifiers: [
    { type: 'semgrep_id', name: 'xss', value: 'js.xss', url: 'https://rules.example/xss' },
    { type: 'cwe', name: 'CWE-79', value: '79' },
  ],
  links: [{ url: 'https://links.example/1' }],
  tracking: { type: 'source', items: [{ signatures: [{ algorithm: 'scope_offset', value: 'a.js|b:1' }] }] },
  flags: [{ type: 'flagged-as-likely-false-positive' }],
  ...more,
})

const report = (type: string, vulnerabilities: unknown[], more: Record<string, unknown> = {}) => ({
  version: '15.0.7',
  vulnerabilities,
  scan: { type, status: 'success', scanner: { id: 's', name: 'A Scanner' } },
  ...more,
})

describe('a vulnerability of GitLab', () => {
  test('is an observation with all that it says', async () => {
    const observations = await observationsIn(gitlab, report('sast', [vulnerability()]))

    expect(observations).toEqual([
      {
        kind: 'CODE',
        type: 'SAST_FINDING',
        toolName: 'A Scanner',
        ruleId: 'js.xss',
        title: 'Cross-site scripting',
        description: 'Input comes out again.\n\nIn A.b',
        severity: 'HIGH',
        cweIds: [79],
        reference: 'https://links.example/1\nhttps://rules.example/xss',
        solution: 'Escape it.',
        tags: ['flagged-as-likely-false-positive'],
        partialFingerprint: 'a.js|b:1',
        fileName: 'src/a.js',
        line: 5,
      },
    ])
  })

  test('in a secret scan does not keep the secret', async () => {
    const secret = 'AKIAIOSFODNN7EXAMPLE'
    const found = { name: 'AWS', description: `Found ${secret}`, raw_source_code_extract: secret }

    const rows = await rowsIn(gitlab, report('secret_detection', [vulnerability(found)]))

    expect(textsIn(rows).filter((text) => text.includes(secret))).toEqual([])
    expect(rows).toMatchObject([
      { observation: { type: 'SECRET_FINDING', title: 'Secret in the repository: AWS', codeSnippet: 'AKI*****LE' } },
    ])
  })

  test('in a dependency is a component, with its manager and what to do about it', async () => {
    const location = { file: 'go.sum', dependency: { package: { name: 'x/crypto' }, version: 'v0.1' } }
    const identifiers = [{ type: 'cve', name: 'CVE-2020-29652', value: 'CVE-2020-29652' }]
    const beside = {
      dependency_files: [{ path: 'go.sum', package_manager: 'go', dependencies: [] }],
      remediations: [{ fixes: [{ id: 'v1' }], summary: 'Upgrade x/crypto', diff: '' }],
    }

    const observations = await observationsIn(
      gitlab,
      report('dependency_scanning', [vulnerability({ location, identifiers })], beside),
    )

    expect(observations).toMatchObject([
      {
        kind: 'COMPONENT',
        type: 'SCA_FINDING',
        package: 'x/crypto',
        affectedVersion: 'v0.1',
        packageManager: 'go',
        vulnerabilityIds: ['CVE-2020-29652'],
        solution: 'Escape it.\n\nUpgrade x/crypto',
      },
    ])
  })

  test('in an image is one of the image', async () => {
    const location = {
      image: 'shop:1',
      operating_system: 'debian:11',
      dependency: { package: { name: 'glibc' }, version: '2' },
    }

    const observations = await observationsIn(gitlab, report('container_scanning', [vulnerability({ location })]))

    expect(observations).toMatchObject([
      { type: 'CONTAINER_FINDING', package: 'glibc', image: 'shop:1', packageManager: 'debian:11' },
    ])
  })

  test('in a running application has its exchange', async () => {
    const location = { hostname: 'http://shop.example', path: '/cart', method: 'get', param: 'id' }
    const evidence = {
      summary: 'It came back.',
      request: { method: 'GET', url: 'http://shop.example/cart?id=1', headers: [{ name: 'Accept', value: '*/*' }] },
      response: { status_code: 200, reason_phrase: 'OK', headers: [], body: '<b>1</b>' },
    }

    const observations = await observationsIn(gitlab, report('dast', [vulnerability({ location, evidence })]))

    expect(observations).toMatchObject([
      {
        kind: 'EXCHANGE',
        type: 'DAST_FINDING',
        url: 'http://shop.example/cart',
        method: 'GET',
        scheme: 'http',
        port: 80,
        parameters: 'id',
        description: 'Input comes out again.\n\nIt came back.',
        request: 'GET http://shop.example/cart?id=1\nAccept: */*',
        response: 'HTTP 200 OK\n\n<b>1</b>',
      },
    ])
  })

  test('of version 14 and before says its type itself', async () => {
    const old = {
      version: '2.3',
      vulnerabilities: [vulnerability({ category: 'secret_detection', scanner: { name: 'Gitleaks' } })],
    }

    expect(await observationsIn(gitlab, old)).toMatchObject([{ type: 'SECRET_FINDING', toolName: 'Gitleaks' }])
  })
})

describe('a report of GitLab', () => {
  test('is recognised, and others that list vulnerabilities are not', () => {
    const files = Array.from({ length: 3000 }, (_, index) => ({ path: `services/${index}/package-lock.json` }))
    const own = [
      report('sast', [vulnerability()]),
      report('sast', []),
      { version: '2.3', vulnerabilities: [] },
      { vulnerabilities: [], dependency_files: files, version: '2.3' },
    ]
    const others = [
      { vulnerabilities: [] },
      { banner: { version: '3.8.17' }, plugins: { akismet: { vulnerabilities: [] } } },
      { nodes: [], services: [], vulnerabilities: [] },
      { bomFormat: 'CycloneDX', vulnerabilities: [] },
      { ok: true, vulnerabilities: [], dependencyCount: 1 },
    ]

    expect(own.map((each) => recognisedBy(gitlab, each))).toEqual(own.map(() => true))
    expect(others.map((each) => recognisedBy(gitlab, each))).toEqual(others.map(() => false))
  })

  test('of a scan that failed, or that breaks off, is not all', async () => {
    const failed = report('sast', [vulnerability()], { scan: { type: 'sast', status: 'failure' } })
    const scanner = { id: 's', name: 'A Scanner' }
    const whole = JSON.stringify(report('sast', [vulnerability({ scanner }), vulnerability({ scanner })]))

    const rows = [
      ...(await rowsIn(gitlab, failed)),
      ...(await rowsIn(gitlab, whole.slice(0, whole.lastIndexOf('Escape')))),
    ]

    expect(rows.map(({ kind }) => kind)).toEqual(['OBSERVATION', 'TRUNCATED', 'OBSERVATION', 'TRUNCATED'])
  })

  test('that ends before it names the tool leaves out what names none: it would be that of no tool', async () => {
    const whole = JSON.stringify(report('sast', [vulnerability(), vulnerability()]))

    const rows = await rowsIn(gitlab, whole.slice(0, whole.lastIndexOf('Escape')))

    expect(rows).toMatchObject([
      { kind: 'LEFT_OUT', at: 'vulnerabilities[0]', reason: 'The report ends before it names the tool' },
      { kind: 'TRUNCATED' },
    ])
  })

  test('never breaks by what its values are, and keeps its other vulnerabilities', async () => {
    const location = { hostname: 'http://a', path: '/', dependency: { package: { name: 'x' } }, image: 'i' }
    const evidence = { request: { headers: [{ name: 'a', value: 'b' }] } }
    const whole = report(
      'dast',
      [vulnerability({ location, evidence, raw_source_code_extract: 'x' }), vulnerability()],
      {
        remediations: [{ fixes: [{ id: 'v1' }], summary: 'x' }],
        dependency_files: [{ path: 'a', package_manager: 'b' }],
      },
    )

    await fc.assert(
      fc.asyncProperty(
        damaged(whole, (path) => /^(?:vulnerabilities$|vulnerabilities\.1)/.test(path)),
        async (given) => {
          const rows = await rowsOrFault(gitlab, given)

          expect(rows).toContainEqual(expect.objectContaining({ at: 'vulnerabilities[1]', kind: 'OBSERVATION' }))
        },
      ),
    )
  })
})
