// That no credential of a request or response is kept, however it is written.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { observationsIn } from '../../test/reports/reading.ts'
import { withoutCredentials } from './credentials.ts'
import { gitlab } from './gitlab/reader.ts'
import { sarif } from './sarif/reader.ts'

describe('a request or response', () => {
  test.each([
    [
      'GET / HTTP/1.1\r\nAuthorization: Bearer abc.def.ghi\r\nHost: a',
      'GET / HTTP/1.1\r\nAuthorization: Bearer *****\r\nHost: a',
    ],
    ['Proxy-Authorization: opaque', 'Proxy-Authorization: *****'],
    ['Cookie: session=s3cret; lang=en', 'Cookie: session=*****; lang=*****'],
    ['Set-Cookie: id=s3cret; Path=/; HttpOnly', 'Set-Cookie: id=*****; Path=/; HttpOnly'],
    ['set-cookie: JSESSIONID', 'set-cookie: JSESSIONID'],
    ['X-Api-Key: s3cret', 'X-Api-Key: *****'],
    ['X-Auth-Token:s3cret', 'X-Auth-Token:*****'],
    ['Cookie: a=s3cret;\r\n b=s3cret2\r\nHost: a', 'Cookie: a=*****;\r\n b=*****\r\nHost: a'],
    ['{"headers": {"Authorization": "Basic c2VjcmV0"}}', '{"headers": {"Authorization": "Basic *****"}}'],
    ["curl -X GET -H 'Cookie: a=s3cret' -u me:s3cret https://x", "curl -X GET -H 'Cookie: a=*****' -u ***** https://x"],
    ['https://me:s3cret@example.org/', 'https://me:*****@example.org/'],
    ['X-Cookie-Policy: strict', 'X-Cookie-Policy: strict'],
    ['Content-Type: text/html', 'Content-Type: text/html'],
  ])('%j is kept as %j', (given, kept) => {
    expect(withoutCredentials(given)).toBe(kept)
  })

  test('holds no value of such a header any more', () => {
    const header = fc.constantFrom('Authorization', 'cookie', 'SET-COOKIE', 'X-Api-Key', 'Proxy-Authorization')
    const secret = fc.stringMatching(/^[A-Za-z0-9+/_.-]{31,60}$/)
    const around = fc.constantFrom(
      (name: string, value: string) => `GET / HTTP/1.1\r\n${name}: ${value}\r\n\r\nbody`,
      (name: string, value: string) => `${name}: a=${value}; Path=/`,
      (name: string, value: string) => `curl -H "${name}: ${value}" https://example.org`,
      (name: string, value: string) => JSON.stringify({ [name]: value, more: [1] }),
    )

    fc.assert(
      fc.property(header, secret, around, (name, value, written) => {
        expect(withoutCredentials(written(name, value))).not.toContain(value)
      }),
    )
  })

  test('is read in time that grows with its length, whatever it holds', () => {
    const shapes = ["'cookie:\\", '"cookie":"\\', 'cookie: ', "-u '", 'a://b:', '\n ', '"cookie" : [']

    const lengths = shapes.map((shape) => withoutCredentials(shape.repeat(100_000 / shape.length))?.length)

    expect(lengths).toHaveLength(shapes.length)
  })
})

describe('a report that tells headers by their names', () => {
  test('of SARIF keeps none of their credentials', async () => {
    const result = {
      message: { text: 'It echoes.' },
      webRequest: { method: 'GET', target: 'https://shop.example.org/', headers: { Cookie: 'id=s3cret', Host: 'a' } },
      webResponse: { statusCode: 200, headers: { 'Set-Cookie': 'id=s3cret; Path=/' } },
    }

    const observations = await observationsIn(sarif, {
      version: '2.1.0',
      runs: [{ tool: { driver: { name: 'A' } }, results: [result] }],
    })

    expect(observations).toMatchObject([
      {
        request: expect.stringContaining('Cookie: id=*****'),
        response: expect.stringContaining('Set-Cookie: id=*****; Path=/'),
      },
    ])
  })

  test('of GitLab keeps none of their credentials', async () => {
    const header = (name: string, value: string) => [{ name, value }]
    const vulnerability = {
      name: 'It echoes',
      identifiers: [{ type: 'zap', name: 'ZAP 1', value: '1' }],
      location: { hostname: 'https://shop.example.org', method: 'GET', path: '/' },
      evidence: {
        request: { method: 'GET', url: 'https://shop.example.org/', headers: header('Authorization', 'Bearer s3cret') },
        response: { status_code: 200, headers: header('Set-Cookie', 'id=s3cret; Path=/') },
      },
    }

    const observations = await observationsIn(gitlab, {
      version: '15.0.0',
      scan: { type: 'dast' },
      vulnerabilities: [vulnerability],
    })

    expect(observations).toMatchObject([
      {
        request: expect.stringContaining('Authorization: Bearer *****'),
        response: expect.stringContaining('Set-Cookie: id=*****'),
      },
    ])
  })
})
