// How Burp Suite's XML is read, and that no credential of a request is kept.

import { describe, expect, test } from 'vitest'
import { observationsIn, recognisedBy, rowsIn } from '../../../test/reports/reading.ts'
import { burp } from './reader.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')

const issue = (more = '') =>
  `<issue><serialNumber>1</serialNumber><type>2097920</type><name><![CDATA[Cross-site scripting (reflected)]]></name><host ip="192.0.2.1">https://shop.example.org</host><path><![CDATA[/search]]></path><location><![CDATA[/search [q parameter]]]></location><confidence>Certain</confidence><issueBackground><![CDATA[<p>It echoes.</p>]]></issueBackground><remediationBackground><![CDATA[<p>Encode it.</p>]]></remediationBackground><references><![CDATA[<a href="https://example.org/xss">XSS</a>]]></references><vulnerabilityClassifications><![CDATA[<a href="https://cwe.mitre.org/data/definitions/79.html">CWE-79</a>]]></vulnerabilityClassifications><issueDetail><![CDATA[The value of <b>q</b> is copied.]]></issueDetail><issueDetailItems><issueDetailItem>one more</issueDetailItem></issueDetailItems>${more}</issue>`

const exchange = (request: string, response: string) =>
  `<requestresponse><request method="GET" base64="true"><![CDATA[${base64(request)}]]></request><response base64="false"><![CDATA[${response}]]></response></requestresponse>`

const report = (issues: string) =>
  `<?xml version="1.0"?><!DOCTYPE issues [<!ELEMENT issues (issue*)><!ATTLIST issues burpVersion CDATA "">]><issues burpVersion="2026.1">${issues}</issues>`

describe('an issue', () => {
  test('is an observation with all that it says, its exchange without credentials', async () => {
    const said = exchange(
      'GET /search HTTP/1.1\r\nCookie: session=abcdef0123456789\r\n',
      'HTTP/1.1 200 OK\nSet-Cookie: a=abcdef0123456789; Path=/',
    )

    const observations = await observationsIn(burp, report(issue(`<severity>High</severity>${said}`)))

    expect(observations).toEqual([
      {
        kind: 'EXCHANGE',
        type: 'DAST_FINDING',
        toolName: 'Burp Suite',
        ruleId: '2097920',
        title: 'Cross-site scripting (reflected)',
        description: 'The value of q is copied.\n\none more\n\nIt echoes.',
        severity: 'HIGH',
        cweIds: [79],
        reference: 'https://example.org/xss\nhttps://cwe.mitre.org/data/definitions/79.html',
        solution: 'Encode it.',
        tags: ['confidence: certain'],
        url: 'https://shop.example.org/search',
        method: 'GET',
        parameters: 'q parameter',
        request: 'GET /search HTTP/1.1\r\nCookie: session=*****',
        response: 'HTTP/1.1 200 OK\nSet-Cookie: a=*****; Path=/',
      },
    ])
  })

  test.each([
    ['High', 'HIGH'],
    ['Medium', 'MEDIUM'],
    ['Low', 'LOW'],
    ['Information', 'NOTIFICATION'],
    ['constructor', undefined],
  ])('of severity %s is %s', async (severity, expected) => {
    const [observation] = await observationsIn(burp, report(issue(`<severity>${severity}</severity>`)))

    expect(observation?.severity).toBe(expected)
  })

  test('that is marked as a false positive is decided', async () => {
    const observations = await observationsIn(burp, report(issue('<severity>False positive</severity>')))

    expect(observations).toMatchObject([{ decision: { status: 'FALSE_POSITIVE' } }])
  })

  test('of an extension is of the rule that its name says, for all of them share a type', async () => {
    const ofExtension = (name: string) =>
      `<issue><type>134217728</type><name>${name}</name><host>https://shop.example.org</host><path>/</path></issue>`

    const observations = await observationsIn(burp, report(ofExtension('Old library') + ofExtension('Lost header')))

    expect(observations).toMatchObject([{ ruleId: 'Old library' }, { ruleId: 'Lost header' }])
  })

  test('is at the file that its location names, where that lies beside the path', async () => {
    const beside = (location: string) =>
      `<issue><type>6291672</type><name>Backup file</name><host>https://shop.example.org</host><path>/index.php</path><location>${location}</location></issue>`
    const locations = ['/index.bak', '/index.php [id parameter]', 'somewhere']

    const observations = await observationsIn(burp, report(locations.map(beside).join('')))

    expect(observations).toMatchObject([
      { url: 'https://shop.example.org/index.bak' },
      { url: 'https://shop.example.org/index.php', parameters: 'id parameter' },
      { url: 'https://shop.example.org/index.php' },
    ])
  })

  test('without a name is left out, and the others come through', async () => {
    const rows = await rowsIn(burp, report(`<issue><type>1</type></issue>${issue()}`))

    expect(rows).toMatchObject([
      { kind: 'LEFT_OUT', at: 'issue 1', reason: 'It has no name' },
      { kind: 'OBSERVATION', at: 'issue 2' },
    ])
  })

  test('with what is not Base64 keeps what can be read of it', async () => {
    const broken = '<requestresponse><request base64="true">%%%</request><response>plain</response></requestresponse>'

    const [observation] = await observationsIn(burp, report(issue(broken)))

    expect(observation).toMatchObject({ response: 'plain' })
    expect(observation).not.toHaveProperty('request')
  })
})

describe('a report of Burp Suite', () => {
  test('is recognised by its version', () => {
    expect([report(''), '<issues burpVersion="2026.1">', '<issues>'].map((each) => recognisedBy(burp, each))).toEqual([
      true,
      true,
      false,
    ])
  })

  test('that breaks off gives what came before', async () => {
    const rows = await rowsIn(burp, report(issue() + issue()).slice(0, -100))

    expect(rows.map(({ kind }) => kind)).toEqual(['OBSERVATION', 'TRUNCATED'])
  })

  test('that declares entities is refused', async () => {
    const given = '<!DOCTYPE issues [<!ENTITY a "b">]><issues burpVersion="1"></issues>'

    await expect(rowsIn(burp, given)).rejects.toThrow('The report declares XML entities')
  })
})
