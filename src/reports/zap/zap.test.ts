// How ZAP's reports are read, XML and JSON, and that no credential of a request is kept.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { damaged, observationsIn, recognisedBy, rowsIn, rowsOrFault, textsIn } from '../../../test/reports/reading.ts'
import { zap } from './reader.ts'

const alert = (more: Record<string, unknown> = {}) => ({
  pluginid: '40012',
  alertRef: '40012-1',
  alert: 'Cross Site Scripting',
  name: 'Cross Site Scripting (Reflected)',
  riskcode: '3',
  confidence: '2',
  desc: '<p>It echoes &amp; runs.</p>',
  instances: [
    {
      uri: 'https://shop.example.org/search?q=1',
      method: 'GET',
      param: 'q',
      attack: '<script>',
      evidence: '<script>',
      'request-header': 'GET /search?q=1 HTTP/1.1\r\nCookie: session=abcdef0123456789',
      'request-body': 'q=1',
      'response-header': 'HTTP/1.1 200 OK\r\nSet-Cookie: session=abcdef0123456789; Path=/',
      'response-body': '<script>',
    },
    { uri: 'https://shop.example.org/other', method: 'POST', param: 'q', evidence: 'Set-Cookie: id' },
  ],
  solution: '<p>Encode it.</p>',
  otherinfo: '<p>Seen twice.</p>',
  reference: '<p>https://owasp.example.org/xss</p><p>https://example.org/b</p>',
  cweid: '79',
  ...more,
})

const report = (...alerts: unknown[]) => ({
  '@programName': 'ZAP',
  '@version': '2.16.0',
  site: [{ '@name': 'https://shop.example.org', alerts }],
})

const xml = (items: string) =>
  `<?xml version="1.0"?><OWASPZAPReport programName="ZAP" version="2.16.0"><site name="https://shop.example.org"><alerts>${items}</alerts></site></OWASPZAPReport>`

const item =
  '<alertitem><pluginid>10020</pluginid><name>Header is missing</name><riskcode>1</riskcode><desc>&lt;p&gt;It is missing.&lt;/p&gt;</desc><instances><instance><uri>https://a/</uri><method>GET</method><requestheader>GET / HTTP/1.1\nAuthorization: Bearer abcdef0123456789</requestheader></instance></instances><cweid>-1</cweid></alertitem>'

describe('an alert', () => {
  test('is one observation with all the requests that raised it', async () => {
    const observations = await observationsIn(zap, report(alert()))

    expect(observations).toEqual([
      {
        kind: 'EXCHANGE',
        type: 'DAST_FINDING',
        toolName: 'ZAP',
        ruleId: '40012-1',
        title: 'Cross Site Scripting (Reflected)',
        description:
          'It echoes & runs.\n\nSeen twice.\n\nGET https://shop.example.org/search?q=1 q <script>\nPOST https://shop.example.org/other q Set-Cookie: id',
        severity: 'HIGH',
        cweIds: [79],
        reference: 'https://owasp.example.org/xss\nhttps://example.org/b',
        solution: 'Encode it.',
        fingerprint: 'https://shop.example.org 40012-1',
        url: 'https://shop.example.org/search?q=1',
        method: 'GET',
        parameters: 'q',
        request: 'GET /search?q=1 HTTP/1.1\r\nCookie: session=*****\n\nq=1',
        response: 'HTTP/1.1 200 OK\r\nSet-Cookie: session=*****; Path=/\n\n<script>',
      },
    ])
  })

  test('is known by its site and rule, whichever request comes first, and by its name where the rule is of several', async () => {
    const at = (path: string) => ({ uri: `https://shop.example.org${path}`, method: 'GET' })
    const alerts = [
      alert({ instances: [at('/a'), at('/b')] }),
      alert({ instances: [at('/b'), at('/a')] }),
      alert({ instances: [{ uri: 'https://other.example.org/a' }] }),
      alert({ alertRef: undefined, instances: [at('/a')] }),
      alert({ instances: [] }),
    ]

    const observations = await observationsIn(zap, report(...alerts))

    expect(observations.map((each) => ('fingerprint' in each ? each.fingerprint : null))).toEqual([
      'https://shop.example.org 40012-1',
      'https://shop.example.org 40012-1',
      'https://other.example.org 40012-1',
      'https://shop.example.org 40012 Cross Site Scripting (Reflected)',
      null,
    ])
  })

  test('of XML is one too', async () => {
    const observations = await observationsIn(zap, xml(item))

    expect(observations).toMatchObject([
      {
        ruleId: '10020',
        severity: 'LOW',
        description: 'It is missing.\n\nGET https://a/',
        request: 'GET / HTTP/1.1\nAuthorization: Bearer *****',
      },
    ])
    expect(observations[0]).not.toHaveProperty('cweIds')
  })

  test.each([
    ['0', 'NOTIFICATION'],
    ['1', 'LOW'],
    ['2', 'MEDIUM'],
    ['3', 'HIGH'],
    ['9', undefined],
  ])('of risk %s is %s', async (riskcode, severity) => {
    const [observation] = await observationsIn(zap, report(alert({ riskcode })))

    expect(observation?.severity).toBe(severity)
  })

  test('that is marked as a false positive is decided', async () => {
    const observations = await observationsIn(zap, report(alert({ confidence: '0' })))

    expect(observations).toMatchObject([{ decision: { status: 'FALSE_POSITIVE' } }])
  })

  test('without a name is left out, and the others come through', async () => {
    const rows = [
      ...(await rowsIn(zap, report(alert({ name: null, alert: {} }), alert()))),
      ...(await rowsIn(zap, xml(`<alertitem/>${item}`))),
    ]

    expect(rows).toMatchObject([
      { kind: 'LEFT_OUT', at: 'site[0].alerts[0]', reason: 'It has no name' },
      { kind: 'OBSERVATION', at: 'site[0].alerts[1]' },
      { kind: 'LEFT_OUT', at: 'alertitem 1', reason: 'It has no name' },
      { kind: 'OBSERVATION', at: 'alertitem 2' },
    ])
  })
})

describe('a report of ZAP', () => {
  test('is recognised, and what GitLab makes of one is not', () => {
    const gitlabs = { scan: { scanner: { id: 'zaproxy' } }, site: [{ alerts: [] }], vulnerabilities: [] }

    expect(
      [xml(''), report(), { site: [{ alerts: [] }] }, { site: [] }, gitlabs].map((each) => recognisedBy(zap, each)),
    ).toEqual([true, true, true, false, false])
  })

  test('that breaks off gives what came before', async () => {
    const cut = [xml(item + item).slice(0, -150), JSON.stringify(report(alert(), alert())).slice(0, -150)]

    const rows = (await Promise.all(cut.map((each) => rowsIn(zap, each)))).flat()

    expect(rows.map(({ kind }) => kind)).toEqual(['OBSERVATION', 'TRUNCATED', 'OBSERVATION', 'TRUNCATED'])
  })

  test('never breaks by what its values are, keeps its other alerts, and no cookie', async () => {
    await fc.assert(
      fc.asyncProperty(
        damaged(report(alert(), alert()), (path) => /^site(\.0(\.alerts(\.1.*)?)?)?$/.test(path)),
        async (given) => {
          const rows = await rowsOrFault(zap, given)

          expect(rows).toContainEqual(expect.objectContaining({ kind: 'OBSERVATION', at: 'site[0].alerts[1]' }))
          expect(textsIn(rows).filter((text) => text.includes('abcdef0123456789'))).toEqual([])
        },
      ),
    )
  })
})
