// A WSDL in several documents: what it imports from its own origin is read, in bounds, and what is left out is told.

import { expect, test } from 'vitest'
import { readAllowed } from '../../src/core/outbound-address.ts'
import { scan } from '../../src/scanner/engine.ts'
import type { Outcome } from '../../src/scanner/outcome.ts'
import { type Answered, type Asked, serving } from './tiny.ts'

const NAMES =
  'xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:x="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:t"'
const SERVICE =
  '<service name="S"><port name="Q" binding="t:B"><soap:address location="http://inner.example/ws"/></port></service>'
const BINDING = `<message name="In"><part name="p" element="t:Find"/></message>
  <portType name="P"><operation name="Find"><input message="t:In"/></operation></portType>
  <binding name="B" type="t:P"><soap:binding style="document"/><operation name="Find"><soap:operation soapAction="urn:t#Find"/></operation></binding>`

const wsdl = (content: string) => `<definitions ${NAMES} targetNamespace="urn:t">${content}</definitions>`
const schema = (content: string, namespace = 'targetNamespace="urn:t" elementFormDefault="qualified"') =>
  `<x:schema xmlns:x="http://www.w3.org/2001/XMLSchema" ${namespace}>${content}</x:schema>`
const types = (content: string) => `<types>${schema(content)}</types>`
const whole = (imports: string) => wsdl(types(imports) + BINDING + SERVICE)

const ADDRESS =
  '<x:complexType name="Address"><x:sequence><x:element name="city" type="x:string"/></x:sequence></x:complexType>'
const FIND =
  '<x:element name="Find"><x:complexType><x:sequence><x:element name="number" type="x:int"/><x:element name="at" type="t:Address"/></x:sequence></x:complexType></x:element>'

type Documents = Record<string, string | Answered>

/** Scans a service that has these documents, and gives what it was asked and how the scan ended. */
async function scanned(
  documents: Documents | ((url: string) => Documents),
  description: (url: string) => { text: string; url?: string } | null,
): Promise<{ outcome: Outcome; asked: Asked[] }> {
  const asked: Asked[] = []
  let at: Documents = {}
  return serving(
    (one) => {
      asked.push(one)
      const place = one.path + (one.query.size > 0 ? `?${one.query}`.replace(/=$/, '') : '')
      const found = at[place]
      if (found === undefined) return [404, 'nothing']
      return typeof found === 'string' ? [200, found, { 'content-type': 'text/xml' }] : found
    },
    async (url) => {
      at = typeof documents === 'function' ? documents(url) : documents
      const given = description(url)
      const outcome = await scan({
        target: `${url}/ws`,
        schema: given && { name: 'ws.wsdl', ...given },
        profile: 'BALANCED',
        identities: [{ name: 'somebody', headers: [['Authorization', 'Bearer a-token']], cookies: [], query: [] }],
        browser: false,
        checks: [],
        allowed: readAllowed('127.0.0.0/8') ?? undefined,
      })
      return { outcome, asked }
    },
  )
}

const placesOf = (asked: readonly Asked[]) =>
  asked.filter(({ method }) => method === 'GET').map(({ path, query }) => path + (query.size > 0 ? `?${query}` : ''))
const bodies = (asked: readonly Asked[]) =>
  asked.flatMap(({ method, body }) => (method === 'POST' ? [String(body)] : []))

test('what a WSDL and its schemas import from their origin is read, each once and without credentials', async () => {
  const main = wsdl(`<import namespace="urn:t" location="parts/binding.wsdl"/>${SERVICE}`)
  const { outcome, asked } = await scanned(
    {
      '/parts/binding.wsdl': wsdl(types('<x:import namespace="urn:t" schemaLocation="../types.xsd?v=1"/>') + BINDING),
      '/types.xsd?v=1': schema(
        `<x:include schemaLocation="/common.xsd"/><x:include schemaLocation="types.xsd?v=1"/>${FIND}`,
      ),
      '/common.xsd': schema(ADDRESS, ''),
    },
    (url) => ({ text: main, url: `${url}/ws.wsdl` }),
  )

  expect(outcome).toMatchObject({ state: 'COMPLETED', operations: ['POST /ws#Find'], notes: [] })
  expect(placesOf(asked)).toEqual(['/parts/binding.wsdl', '/types.xsd?v=1', '/common.xsd'])
  expect(asked.slice(0, 3).map(({ user }) => user)).toEqual([null, null, null])
  expect(bodies(asked)[0]).toContain('<Find xmlns="urn:t"><number>1</number><at><city>')
})

test('a schema without a namespace that is included gives elements of the namespace that includes it', async () => {
  const { asked } = await scanned({ '/find.xsd': schema(FIND + ADDRESS, 'elementFormDefault="qualified"') }, (url) => ({
    text: whole('<x:include schemaLocation="find.xsd"/>'),
    url: `${url}/ws.wsdl`,
  }))

  expect(bodies(asked)[0]).toContain('<Find xmlns="urn:t"><number>1</number>')
})

test('a WSDL that the target itself publishes is read with what it imports', async () => {
  const { outcome, asked } = await scanned(
    {
      '/ws': [200, '<html>a service</html>'],
      '/ws?wsdl': whole('<x:import schemaLocation="/find.xsd"/>'),
      '/find.xsd': schema(FIND + ADDRESS),
    },
    () => null,
  )

  expect(outcome.operations).toContain('POST /ws#Find')
  expect(bodies(asked).some((body) => body.includes('<number>1</number><at><city>'))).toBe(true)
})

test('of an uploaded file nothing is fetched, and the scan says what it imports', async () => {
  const { outcome, asked } = await scanned({ '/find.xsd': schema(FIND) }, (url) => ({
    text: whole(`<x:import schemaLocation="${url}/find.xsd"/><x:import schemaLocation="more.xsd"/>`),
  }))

  expect(placesOf(asked)).toEqual([])
  expect(outcome.operations).toEqual(['POST /ws#Find'])
  expect(outcome.notes).toEqual([
    expect.stringMatching(/^The API description imports 2 documents \(.*find\.xsd, more\.xsd\): nothing is fetched/),
  ])
})

test.each([
  ['of another origin', 'http://127.0.0.1:9/find.xsd', 'is on another origin'],
  ['at the address of a cloud', 'http://169.254.169.254/latest/find.xsd', 'is on another origin'],
  ['in a file of the machine', 'file:///etc/passwd', 'is not a valid address'],
  ['that is not there', 'gone.xsd', 'answered with 404'],
  ['that leads elsewhere', 'moved.xsd', 'answered with 302'],
  ['that is no schema', 'page.xsd', 'neither a WSDL nor an XML schema'],
  ['that is no XML', 'broken.xsd', 'neither a WSDL nor an XML schema'],
  ['without a bound on its size', 'huge.xsd', 'too large'],
])('an import %s is left out, and told', async (_, location, reason) => {
  const { outcome, asked } = await scanned(
    {
      '/moved.xsd': [302, '', { location: 'http://169.254.169.254/latest/find.xsd' }],
      '/page.xsd': '<html><body>hello</body></html>',
      '/broken.xsd': '<x:schema><',
      '/huge.xsd': schema(' '.repeat(2_000_000)),
    },
    (url) => ({ text: whole(`<x:import schemaLocation="${location}"/>`), url: `${url}/ws.wsdl` }),
  )

  expect(outcome.operations).toEqual(['POST /ws#Find'])
  expect(outcome.notes).toEqual([expect.stringContaining(reason)])
  expect(placesOf(asked).length).toBeLessThanOrEqual(1)
})

test('imports without an end are followed in bounds, and the notes of them are few', async () => {
  const wide = Array.from({ length: 500 }, (_, index) => `<x:import schemaLocation="w${index}.xsd"/>`).join('')
  const broad = await scanned(
    Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`/w${index}.xsd`, schema('')])),
    (url) => ({ text: whole(wide), url: `${url}/ws.wsdl` }),
  )
  const deep = await scanned(
    Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `/d${index}.xsd`,
        schema(`<x:import schemaLocation="d${index + 1}.xsd"/>`),
      ]),
    ),
    (url) => ({ text: whole('<x:import schemaLocation="d0.xsd"/>'), url: `${url}/ws.wsdl` }),
  )

  expect(placesOf(broad.asked).length).toBe(24)
  expect(broad.outcome.notes.length).toBe(21)
  expect(placesOf(deep.asked)).toEqual(['/d0.xsd', '/d1.xsd', '/d2.xsd', '/d3.xsd', '/d4.xsd'])
  expect(deep.outcome.notes).toEqual([expect.stringContaining('5 levels')])
})
