// How Nuclei's JSON is read, lines and arrays, and that no credential of a request is kept.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { damaged, observationsIn, recognisedBy, rowsIn, rowsOrFault, textsIn } from '../../../test/reports/reading.ts'
import { nuclei } from './reader.ts'

const SECRET = 'abcdef0123456789abcdef'

const match = (more: Record<string, unknown> = {}) => ({
  'template-id': 'CVE-2026-1001',
  'template-url': 'https://templates.example.org/CVE-2026-1001',
  info: {
    name: 'Example - overflow',
    author: ['someone'],
    tags: ['cve', 'example'],
    description: 'It overflows.',
    impact: 'Anybody gets in.',
    severity: 'critical',
    reference: ['https://example.org/advisory'],
    remediation: 'Update it',
    classification: {
      'cve-id': ['cve-2026-1001'],
      'cwe-id': ['cwe-787'],
      'cvss-metrics': 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
      'cvss-score': 9.8,
      'epss-score': 0.5,
    },
  },
  type: 'http',
  host: 'shop.example.org',
  port: '443',
  scheme: 'https',
  'matched-at': 'https://shop.example.org/a',
  'extracted-results': ['1.0'],
  request: `GET /a HTTP/1.1\r\nCookie: session=${SECRET}\r\n\r\n`,
  response: `HTTP/1.1 200 OK\r\nSet-Cookie: session=${SECRET}; HttpOnly\r\n\r\nyes`,
  'curl-command': `curl -X 'GET' -H 'Authorization: Bearer ${SECRET}' 'https://shop.example.org/a'`,
  'matcher-status': true,
  ...more,
})

const lines = (...matches: unknown[]) => `${matches.map((each) => JSON.stringify(each)).join('\n')}\n`

describe('a match', () => {
  test('is an observation with all that it says, but credentials', async () => {
    const observations = await observationsIn(nuclei, lines(match()))

    expect(observations).toEqual([
      {
        kind: 'EXCHANGE',
        type: 'DAST_FINDING',
        toolName: 'Nuclei',
        ruleId: 'CVE-2026-1001',
        title: 'Example - overflow',
        description:
          "It overflows.\n\nAnybody gets in.\n\nFound: 1.0\n\ncurl -X 'GET' -H 'Authorization: Bearer *****' 'https://shop.example.org/a'",
        severity: 'CRITICAL',
        cvssScore: 9.8,
        cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
        exploitProbability: 0.5,
        cweIds: [787],
        vulnerabilityIds: ['CVE-2026-1001'],
        reference: 'https://example.org/advisory\nhttps://templates.example.org/CVE-2026-1001',
        solution: 'Update it',
        tags: ['cve', 'example'],
        url: 'https://shop.example.org/a',
        method: 'GET',
        scheme: 'https',
        port: 443,
        request: 'GET /a HTTP/1.1\r\nCookie: session=*****',
        response: 'HTTP/1.1 200 OK\r\nSet-Cookie: session=*****; HttpOnly\r\n\r\nyes',
      },
    ])
  })

  test('in an array, or as version 2 wrote it, is one too', async () => {
    const old = {
      templateID: 'tech',
      info: { name: 'Tech', severity: 'info', tags: 'tech,web' },
      matched: 'https://a/',
      matcher_name: 'nginx',
    }

    const observations = await observationsIn(nuclei, [match(), old])

    expect(observations).toMatchObject([
      { ruleId: 'CVE-2026-1001' },
      {
        ruleId: 'tech:nginx',
        title: 'Tech (nginx)',
        url: 'https://a/',
        tags: ['tech', 'web'],
        severity: 'NOTIFICATION',
      },
    ])
  })

  test('of a template for tokens keeps none of them', async () => {
    const token = match({
      info: { name: 'Token', severity: 'high', tags: 'token,exposure' },
      'extracted-results': [`tok_${SECRET}`],
      response: `token = tok_${SECRET}`,
    })

    const rows = await rowsIn(nuclei, lines(token))

    expect(rows).toHaveLength(1)
    expect(textsIn(rows).filter((text) => text.includes(SECRET))).toEqual([])
  })

  test('that did not match is no finding, and one without a template is left out', async () => {
    const rows = await rowsIn(nuclei, lines(match({ 'matcher-status': false }), { info: {} }, match()))

    expect(rows).toMatchObject([
      { kind: 'LEFT_OUT', at: 'match 2', reason: 'It names no template' },
      { kind: 'OBSERVATION', at: 'match 3' },
    ])
  })
})

describe('a report of Nuclei', () => {
  test('is recognised; one of nothing has no rows', async () => {
    expect([lines(match()), [match()], ''].map((each) => recognisedBy(nuclei, each))).toEqual([true, true, false])
    expect(await rowsIn(nuclei, '')).toEqual([])
  })

  test('that breaks off gives what came before', async () => {
    const rows = await rowsIn(nuclei, lines(match(), match()).slice(0, -100))

    expect(rows.map(({ kind }) => kind)).toEqual(['OBSERVATION', 'TRUNCATED'])
  })

  test('never breaks by what its values are, and keeps its other matches', async () => {
    await fc.assert(
      fc.asyncProperty(
        damaged([match(), match()], (path) => path.startsWith('1')),
        async (given) => {
          const rows = await rowsOrFault(nuclei, given)

          expect(rows).toContainEqual(expect.objectContaining({ kind: 'OBSERVATION', at: '[1]' }))
          expect(textsIn(rows).filter((text) => text.includes(SECRET))).toEqual([])
        },
      ),
    )
  })
})
