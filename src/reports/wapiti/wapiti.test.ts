// How Wapiti's reports are read, XML and JSON, and that no credential of a request is kept.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { damaged, observationsIn, recognisedBy, rowsIn, rowsOrFault } from '../../../test/reports/reading.ts'
import { LONGEST_TEXT } from '../values.ts'
import { wapiti } from './reader.ts'

const SECRET = 'abcdef0123456789'

const entry = (more: Record<string, unknown> = {}) => ({
  method: 'POST',
  path: '/buy',
  info: 'It asks for no token.',
  level: 2,
  parameter: 'item',
  module: 'csrf',
  http_request: `POST /buy HTTP/1.1\nAuthorization: Basic ${SECRET}`,
  curl_command: `curl "https://shop.example.org/buy" -u me:${SECRET}`,
  detail: { response: { status_code: 200, headers: [['Set-Cookie', `session=${SECRET}; Path=/`]], body: 'thanks' } },
  ...more,
})

const NAME = 'Cross Site Request Forgery'

const report = (entries: unknown[], more: Record<string, unknown> = {}) => ({
  classifications: {
    [NAME]: {
      desc: 'It is not asked for.',
      sol: 'Ask.',
      ref: { 'CWE-352: CSRF': 'https://cwe.mitre.org/data/definitions/352.html' },
    },
  },
  vulnerabilities: { [NAME]: entries, 'SQL Injection': [] },
  anomalies: {},
  additionals: {},
  infos: { target: 'https://shop.example.org/', version: 'Wapiti 3.2.4' },
  ...more,
})

const xml = (entries: string) =>
  `<?xml version="1.0" ?><report type="security"><report_infos><info name="generatorName">wapiti</info><info name="target">https://shop.example.org/</info></report_infos><vulnerabilities><vulnerability name="${NAME}"><description>It is not asked for.</description><solution>Ask.</solution><references><reference><title>CWE-352: CSRF</title><url>https://example.org/csrf</url></reference></references><entries>${entries}</entries></vulnerability></vulnerabilities></report>`

const element = (path: string) =>
  `<entry><method>GET</method>${path}<level>1</level><parameter></parameter><info>No token</info><http_request><![CDATA[GET / HTTP/1.1\nCookie: a=${SECRET}]]></http_request></entry>`

describe('an entry', () => {
  test('of JSON is an observation with what its kind says of it', async () => {
    const observations = await observationsIn(wapiti, report([entry()]))

    expect(observations).toEqual([
      {
        kind: 'EXCHANGE',
        type: 'DAST_FINDING',
        toolName: 'Wapiti',
        ruleId: NAME,
        title: NAME,
        description: 'It asks for no token.\n\nIt is not asked for.\n\ncurl "https://shop.example.org/buy" -u *****',
        severity: 'MEDIUM',
        cweIds: [352],
        reference: 'https://cwe.mitre.org/data/definitions/352.html',
        solution: 'Ask.',
        tags: ['csrf'],
        url: 'https://shop.example.org/buy',
        method: 'POST',
        parameters: 'item',
        request: 'POST /buy HTTP/1.1\nAuthorization: Basic *****',
        response: 'HTTP 200\nSet-Cookie: session=*****; Path=/\n\nthanks',
      },
    ])
  })

  test('of XML is one too', async () => {
    const observations = await observationsIn(wapiti, xml(element('<path>/</path>')))

    expect(observations).toMatchObject([
      {
        ruleId: `${NAME}: No token`,
        severity: 'LOW',
        cweIds: [352],
        reference: 'https://example.org/csrf',
        url: 'https://shop.example.org/',
        solution: 'Ask.',
        request: 'GET / HTTP/1.1\nCookie: a=*****',
      },
    ])
  })

  test('of XML keeps a remedy of any length up to the longest text', async () => {
    const long = xml(element('<path>/</path>')).replace('Ask.', 'a'.repeat(300_000))

    const [observation] = await observationsIn(wapiti, long)

    expect(observation?.solution).toHaveLength(LONGEST_TEXT)
  })

  test('of no parameter is told apart from others of its kind by what it says', async () => {
    const entries = ['X-XSS-Protection is not set', 'Strict-Transport-Security is not set'].map((info) =>
      entry({ parameter: '', info }),
    )

    const observations = await observationsIn(wapiti, report(entries))

    expect(observations).toMatchObject([
      { ruleId: `${NAME}: X-XSS-Protection is not set`, title: NAME },
      { ruleId: `${NAME}: Strict-Transport-Security is not set`, title: NAME },
    ])
  })

  test('of anomalies and additional information is one too', async () => {
    const observations = await observationsIn(
      wapiti,
      report([], {
        anomalies: { 'Internal Server Error': [entry({ level: 1 })] },
        additionals: { 'Fingerprint web technology': [entry({ level: 0 })] },
      }),
    )

    expect(observations).toMatchObject([
      { ruleId: 'Internal Server Error', severity: 'LOW' },
      { ruleId: 'Fingerprint web technology', severity: 'NOTIFICATION' },
    ])
  })

  test('that is told again word for word is left out, and one without a path', async () => {
    const rows = [
      ...(await rowsIn(wapiti, report([entry(), entry(), entry({ path: [] })]))),
      ...(await rowsIn(wapiti, xml(element('') + element('<path>/</path>')))),
    ]

    expect(rows).toMatchObject([
      { kind: 'OBSERVATION' },
      { kind: 'PASSED_OVER', reason: `It is identical to vulnerabilities.${NAME}[0]` },
      { kind: 'LEFT_OUT', at: `vulnerabilities.${NAME}[2]`, reason: 'It has no name, or no path' },
      { kind: 'LEFT_OUT', at: `${NAME}, entry 1` },
      { kind: 'OBSERVATION', at: `${NAME}, entry 2` },
    ])
  })
})

describe('a report of Wapiti', () => {
  test('is recognised', () => {
    expect([xml(''), report([]), { vulnerabilities: {} }].map((each) => recognisedBy(wapiti, each))).toEqual([
      true,
      true,
      false,
    ])
  })

  test('that breaks off gives what came before', async () => {
    const second = `</entries></vulnerability><vulnerability name="Other"><entries>${element('<path>/</path>')}`
    const cut = [
      xml(element('<path>/</path>') + second).slice(0, -60),
      JSON.stringify(report([entry(), entry()]))
        .split('"path"')
        .slice(0, 2)
        .join('"path"'),
    ]

    const rows = (await Promise.all([rowsIn(wapiti, cut[0]), rowsIn(wapiti, `${cut[1]}`)])).flat()

    expect(rows.filter(({ kind }) => kind === 'TRUNCATED')).toHaveLength(2)
    expect(rows.filter(({ kind }) => kind === 'OBSERVATION').length).toBeGreaterThanOrEqual(1)
  })

  test('never breaks by what its values are, and keeps its other entries', async () => {
    await fc.assert(
      fc.asyncProperty(
        damaged(
          report([entry(), entry({ path: '/other' })]),
          (path) =>
            path === 'vulnerabilities' ||
            path === `vulnerabilities.${NAME}` ||
            path.startsWith(`vulnerabilities.${NAME}.1`),
        ),
        async (given) => {
          const rows = await rowsOrFault(wapiti, given)

          expect(rows).toContainEqual(
            expect.objectContaining({ at: `vulnerabilities.${NAME}[1]`, kind: 'OBSERVATION' }),
          )
        },
      ),
    )
  })
})
