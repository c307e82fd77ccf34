// Models of OWASP Threat Dragon, versions 1 and 2, written after its published schemas.

import { describe, expect, test } from 'vitest'
import { readThreatModel } from './detect.ts'
import { ThreatModelFault } from './types.ts'

const read = (model: unknown) => readThreatModel(Buffer.from(typeof model === 'string' ? model : JSON.stringify(model)))

const threat = (extra: Record<string, unknown> = {}) => ({
  id: '3c9f2f0e-0b57-4b0e-9d5f-0d1a5a9b6c01',
  title: 'Search takes SQL',
  type: 'Tampering',
  modelType: 'STRIDE',
  status: 'Open',
  severity: 'High',
  description: 'A term reaches the statement as text (CWE-89)',
  mitigation: 'Bind what is searched for, see CAPEC-66',
  number: 4,
  ...extra,
})

const store = (threats: unknown, data: Record<string, unknown> = {}) => ({
  id: '7d2e8a52-0f35-4a1c-8b9c-1d3a0a6b7c10',
  shape: 'store',
  zIndex: 1,
  data: { type: 'tm.Store', name: 'Orders', hasOpenThreats: true, ...data, threats },
})

const second = (cells: unknown[], summary: Record<string, unknown> = {}) => ({
  version: '2.3.0',
  summary: { title: 'Shop', owner: 'Someone', description: '', id: 0, ...summary },
  detail: {
    contributors: [],
    diagrams: [{ id: 0, title: 'Main', diagramType: 'STRIDE', thumbnail: '', version: '2.3.0', cells }],
  },
})

describe('version 2', () => {
  test('a threat comes with its kind, the weaknesses and patterns that it names, its mitigation and its place', () => {
    const model = read(second([store([threat()])]))

    expect(model).toMatchObject({ format: 'THREAT_DRAGON', version: '2.3.0', title: 'Shop', leftOut: [] })
    expect(model.threats).toEqual([
      {
        key: '3c9f2f0e-0b57-4b0e-9d5f-0d1a5a9b6c01',
        title: 'Search takes SQL',
        description: 'A term reaches the statement as text (CWE-89)',
        categories: ['STRIDE: Tampering'],
        stride: ['TAMPERING'],
        cweIds: [89],
        capecIds: [66],
        severity: 'High',
        status: 'Open',
        mitigations: ['Bind what is searched for, see CAPEC-66'],
        places: ['Store “Orders” in the diagram “Main”'],
      },
    ])
  })

  test('what a diagram draws is read with the ends of its flows', () => {
    const flow = {
      id: 'f1',
      shape: 'flow',
      zIndex: 2,
      data: { type: 'tm.Flow', name: 'Query' },
      source: { cell: 'a' },
      target: { cell: 'b' },
    }

    const { items } = read(second([store([]), flow]))

    expect(items).toEqual([
      expect.objectContaining({ kind: 'Store', name: 'Orders', within: 'Main' }),
      expect.objectContaining({ id: 'f1', kind: 'Flow', name: 'Query', source: 'a', target: 'b' }),
    ])
  })

  test('what does not apply, is out of scope, has no title or is there twice is left out with the reason', () => {
    const cells = [
      store([
        threat(),
        threat({ title: 'A copy' }),
        threat({ id: '2', status: 'NA', title: 'Never' }),
        threat({ id: '3', title: ' ' }),
      ]),
      { ...store([threat({ id: '4', title: 'Elsewhere' })], { outOfScope: true }), id: 'other' },
    ]

    const model = read(second(cells))

    expect(model.threats.map(({ title }) => title)).toEqual(['Search takes SQL'])
    expect(model.leftOut).toEqual([
      { threat: 'Never', reason: 'The model says that it does not apply' },
      { threat: 'threat 4', reason: 'It has no title' },
      { threat: 'Elsewhere', reason: 'The Store “Orders” in the diagram “Main” is out of scope' },
      { threat: 'A copy', reason: 'It has the id of “Search takes SQL”' },
    ])
  })

  test('kinds of CIA and LINDDUN are those of STRIDE where they are the same, and none where they are not', () => {
    const kinds = ['Confidentiality', 'Integrity', 'Availability', 'Disclosure of information', 'Linkability']

    const { threats } = read(second([store(kinds.map((type, id) => threat({ id: `t${id}`, type, modelType: 'CIA' })))]))

    expect(threats.map(({ stride }) => stride)).toEqual([
      ['INFORMATION_DISCLOSURE'],
      ['TAMPERING'],
      ['DENIAL_OF_SERVICE'],
      ['INFORMATION_DISCLOSURE'],
      [],
    ])
  })

  test('the id of the model is its own, or its title while it was never saved', () => {
    const keys = [{}, { id: '0a1b' }, { id: 7 }].map((summary) => read(second([], summary)).key)

    expect(keys).toEqual(['Shop', '0a1b', '7'])
  })
})

test('version 1 keeps its cells one step deeper, and gives threats no id', () => {
  const cell = {
    type: 'tm.Process',
    id: 'c1',
    attrs: { text: { text: 'Web\nserver' } },
    threats: [
      {
        status: 'Open',
        severity: 'Low',
        title: 'Nothing is logged',
        type: 'Repudiation',
        description: '',
        mitigation: '',
      },
    ],
  }
  const model = {
    summary: { title: 'Old' },
    detail: {
      contributors: [],
      diagrams: [{ id: 0, title: 'Main', diagramType: 'STRIDE', diagramJson: { cells: [cell] } }],
    },
  }

  const { threats, version } = read(model)

  expect(version).toBeNull()
  expect(threats[0]).toMatchObject({
    key: 'c1/Repudiation/Nothing is logged',
    stride: ['REPUDIATION'],
    description: null,
    mitigations: [],
    places: ['Process “Web server” in the diagram “Main”'],
  })
})

describe('what is no model', () => {
  test.each([
    { what: 'an empty file', text: '', reason: 'not valid YAML' },
    { what: 'a list', text: '[1]', reason: 'neither a JSON object nor a YAML mapping' },
    { what: 'half of an object', text: '{"detail": 1', reason: 'not valid JSON' },
    {
      what: 'a model without a title',
      text: '{"detail": {"diagrams": []}, "summary": {}}',
      reason: 'neither an OWASP Threat Dragon model nor',
    },
    { what: 'text that is no YAML', text: 'a: b: c', reason: 'not valid YAML' },
    { what: 'YAML that is too deep', text: '['.repeat(100_000), reason: 'not valid YAML' },
    { what: 'JSON that is too deep', text: `{"a":${'['.repeat(100_000)}`, reason: 'not valid JSON' },
  ])('$what is refused with the reason', ({ text, reason }) => {
    const reading = () => read(text)

    expect(reading).toThrow(ThreatModelFault)
    expect(reading).toThrow(reason)
  })

  test('bytes that are no UTF-8, more than 5 MiB and more than 1,000 threats are refused', () => {
    const many = second([store(Array.from({ length: 1001 }, (_, id) => threat({ id: `t${id}` })))])

    expect(() => readThreatModel(Buffer.from([0x7b, 0xff]))).toThrow('not text in UTF-8')
    expect(() => readThreatModel(Buffer.alloc(5 * 1024 * 1024 + 1))).toThrow('at most 5242880 bytes')
    expect(() => read(many)).toThrow('at most 1000 threats')
  })

  test('values of other types than the schema has are as if they were not there', () => {
    const odd = second([
      7,
      null,
      { data: 'x', threats: 'y' },
      store([threat({ title: 'Kept\u0000', type: 5, description: {}, mitigation: [], severity: null, status: [] })]),
    ])

    const [kept] = read(odd).threats

    expect(kept).toMatchObject({ title: 'Kept', description: null, severity: null, status: null, mitigations: [] })
  })
})
