// Files of the Open Threat Model format, in YAML and JSON, written after its published schema.

import { expect, test } from 'vitest'
import { readThreatModel } from './detect.ts'

const read = (text: string) => readThreatModel(Buffer.from(text))

const SHOP = `
otmVersion: 0.2.0
project:
  name: Shop
  id: shop
trustZones:
  - { id: inside, name: Inside, type: private, risk: { trustRating: 90 } }
components:
  - id: web
    name: Web
    type: web-service
    parent: { trustZone: inside }
    threats:
      - threat: t1
        state: exposed
        mitigations:
          - { mitigation: m1, state: implemented }
      - { threat: gone, state: exposed }
      - { threat: t3, state: not-applicable }
dataflows:
  - id: flow
    name: Payments
    source: web
    destination: web
    threats:
      - threat: t1
        state: mitigated
        mitigations:
          - { mitigation: m1, state: required }
threats:
  - id: t1
    name: Pages take scripts
    description: What is shown was typed by others
    categories: [Tampering, Information Disclosure]
    cwes: [CWE-79, 80]
    tags: [CAPEC-63]
    risk: { likelihood: 50, impact: 100 }
  - id: t2
    name: Nobody names it
    risk: { likelihood: null, impact: 20 }
  - { id: t3, name: It cannot be, risk: { impact: 1 } }
  - { id: t4, risk: { impact: 1 } }
mitigations:
  - { id: m1, name: Encode, description: On the way out, riskReduction: 50 }
`

test('threats come with kinds, weaknesses, risk, places and mitigations with their states', () => {
  const model = read(SHOP)

  expect(model).toMatchObject({ format: 'OPEN_THREAT_MODEL', version: '0.2.0', key: 'shop', title: 'Shop' })
  expect(model.threats).toEqual([
    {
      key: 't1',
      title: 'Pages take scripts',
      description: 'What is shown was typed by others',
      categories: ['Tampering', 'Information Disclosure'],
      stride: ['TAMPERING', 'INFORMATION_DISCLOSURE'],
      cweIds: [79, 80],
      capecIds: [63],
      severity: 'likelihood 50 and impact 100 of 100',
      status: 'exposed, mitigated',
      mitigations: ['Encode (implemented, required): On the way out'],
      places: ['Component “Web” (exposed)', 'Data flow “Payments” (mitigated)'],
    },
    expect.objectContaining({ key: 't2', stride: [], cweIds: [], severity: 'impact 20 of 100', places: [] }),
  ])
  expect(model.leftOut).toEqual([
    { threat: 'It cannot be', reason: 'The model says that it does not apply anywhere' },
    { threat: 't4', reason: 'It has no name' },
    { threat: 'gone', reason: 'Components name it, but the model does not describe it' },
  ])
  expect(model.items.map(({ id, kind, within }) => ({ id, kind, within }))).toEqual([
    { id: 'inside', kind: 'Trust zone: private', within: undefined },
    { id: 'web', kind: 'Component: web-service', within: 'inside' },
    { id: 'flow', kind: 'Data flow', within: undefined },
  ])
})

test('the same in JSON, of version 0.1, reads the same', () => {
  const model = {
    otmVersion: '0.1.0',
    project: { name: 'Shop', id: 'shop' },
    threats: [{ id: 't1', name: 'Any', categories: ['Spoofing'], cwes: ['CWE-287'], risk: { impact: 5 } }],
  }

  const { format, threats } = read(JSON.stringify(model))

  expect(format).toBe('OPEN_THREAT_MODEL')
  expect(threats[0]).toMatchObject({ key: 't1', stride: ['SPOOFING'], cweIds: [287] })
})

test('another version of the format is refused by its number', () => {
  expect(() => read('otmVersion: 1.0.0\nproject: { name: A, id: a }')).toThrow('the file says 1.0.0')
})

test('aliases are followed, and a bomb of them is refused before it grows', () => {
  const few = 'otmVersion: 0.2.0\nproject: { name: &n Shop, id: *n }\nthreats: []'
  const levels = Array.from({ length: 20 }, (_, level) => `l${level + 1}: &l${level + 1} [${`*l${level}, `.repeat(9)}]`)
  const bomb = `otmVersion: 0.2.0\nl0: &l0 [x]\n${levels.join('\n')}`

  expect(read(few)).toMatchObject({ key: 'Shop', title: 'Shop' })
  expect(() => read(bomb)).toThrow('not valid YAML')
})

test('a quoted text may end on a line that is not indented further than its key, as in the format’s own example', () => {
  const quoted = (mark: string) =>
    `otmVersion: 0.2.0\nproject:\n  id: a\n  name:\n    ${mark}one {\n      two\n  }${mark}\n  owner: Ann\nthreats: []`

  expect(read(quoted("'"))).toMatchObject({ key: 'a', title: 'one { two }' })
  expect(read(quoted('"'))).toMatchObject({ key: 'a', title: 'one { two }' })
})

test('any other line of a quoted text that is not indented is refused by its number, as is one whose quote is missing', () => {
  const unclosed = "otmVersion: 0.2.0\nproject:\n  name: 'Shop\n  id: shop\n  owner: 'Ann'"

  expect(() => read(unclosed)).toThrow('line 4 goes on with a quoted text')
  expect(() => read("otmVersion: 0.2.0\nproject:\n  name: 'one\n  two\n    three'")).toThrow('line 4')
  expect(() => read("otmVersion: 0.2.0\nproject: { name: A,\nid: 'a' }")).toThrow('line 3')
})

test('threats at more places than are taken are refused', () => {
  const threats = 'threats: [{ threat: t1, state: exposed }]'
  const components = Array.from({ length: 10_001 }, (_, id) => `  - { id: c${id}, name: C, ${threats} }`)

  expect(() => read(`otmVersion: 0.2.0\ncomponents:\n${components.join('\n')}`)).toThrow('no more than 10000 places')
})

test('a key that reaches for the prototype is a key like others', () => {
  const model = read('otmVersion: 0.2.0\n__proto__: { polluted: 1 }\nproject: { name: A, __proto__: { id: b } }')

  expect(model.title).toBe('A')
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})

test.each([
  ['texts', ['Spoofing', 7, null], ['Spoofing', '7', 'threats[2]'], 'It is not an object that describes a threat'],
  ['an object', { t1: { name: 'Spoofing' } }, ['threats'], 'It is not a list of threats'],
])('threats that are %s are left out with the reason', (_, threats, named, reason) => {
  const model = read(JSON.stringify({ otmVersion: '0.2.0', project: { name: 'Shop', id: 'shop' }, threats }))

  expect(model.threats).toEqual([])
  expect(model.leftOut).toEqual(named.map((threat) => ({ threat, reason })))
})
