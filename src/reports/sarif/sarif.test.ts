// How SARIF is read: what of a result, its rule and its severity becomes what of an observation.

import { describe, expect, test } from 'vitest'
import { rowsIn } from '../../../test/reports/reading.ts'
import { log, one, place, run } from '../../../test/reports/sarif.ts'
import { sarif } from './reader.ts'

describe('a result', () => {
  test('is an observation with all that it, its rule and its run say', async () => {
    const report = log(
      run(
        {
          message: { text: 'The name of [a person](1) goes into a query.' },
          correlationGuid: 'c0ffee',
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: 'src/a.ts' },
                region: { startLine: 7, startColumn: 5, snippet: { text: '  find(name)' } },
              },
            },
            place('src/b.ts', 9),
          ],
          codeFlows: [
            {
              threadFlows: [
                {
                  locations: [
                    { location: { ...place('src/in.ts', 1), message: { text: 'The name comes in' } } },
                    {},
                    { location: place('src/a.ts', 7) },
                  ],
                },
              ],
            },
          ],
          fingerprints: { 'z/v1': 'zzz', 'matchBasedId/v1': 'abc' },
          partialFingerprints: { primaryLocationLineHash: 'hash:1', other: 'x' },
          fixes: [{ description: { text: 'Bind the name.' } }],
          hostedViewerUri: 'https://scanner.example/1',
        },
        {
          name: 'SqlInjection',
          shortDescription: { text: 'A query is put together from input' },
          fullDescription: { text: 'Who writes the input writes the query.' },
          help: { markdown: '# About\nWords.\n## Recommendation\nUse parameters.\n## References\nNone.' },
          helpUri: 'https://scanner.example/rules/R1',
          properties: {
            'security-severity': '8.8',
            tags: ['security', 'external/cwe/cwe-089'],
            cvss: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H',
          },
        },
        { versionControlProvenance: [{ revisionId: 'abc123' }] },
      ),
    )

    const observation = await one(report)

    expect(observation).toEqual({
      kind: 'CODE',
      type: 'SAST_FINDING',
      toolName: 'A Scanner',
      ruleId: 'R1',
      title: 'A query is put together from input',
      description: 'The name of a person goes into a query.\n\nWho writes the input writes the query.',
      severity: 'HIGH',
      cvssScore: 8.8,
      cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H',
      cweIds: [89],
      reference: 'https://scanner.example/rules/R1\nhttps://scanner.example/1',
      solution: 'Bind the name.\n\nUse parameters.',
      tags: ['security'],
      originalIssueIdFromTool: 'c0ffee',
      fingerprint: 'abc',
      partialFingerprint: 'hash:1',
      fileName: 'src/a.ts',
      line: 7,
      column: 5,
      codeSnippet: '  find(name)',
      firstLine: 7,
      otherPlaces: [{ fileName: 'src/b.ts', line: 9 }],
      source: 'src/in.ts:1',
      sink: 'src/a.ts:7',
      flow: [
        { path: 'src/in.ts', line: 1, text: 'The name comes in' },
        { path: 'src/a.ts', line: 7 },
      ],
      commitRef: 'abc123',
    })
  })

  test('is the same whether rules stand before or behind it, and however the bytes arrive', async () => {
    const { results, tool } = run({}, { defaultConfiguration: { level: 'error' } })

    const [before, behind] = [
      await rowsIn(sarif, log({ tool, results }), 1),
      await rowsIn(sarif, log({ results, tool }), 7),
    ]

    expect(before).toEqual(behind)
    expect(before).toMatchObject([{ kind: 'OBSERVATION', at: 'runs[0].results[0]', observation: { severity: 'HIGH' } }])
  })

  test.each([
    ['kind pass', { kind: 'pass' }, []],
    ['kind notApplicable', { kind: 'notApplicable' }, []],
    ['baseline absent', { baselineState: 'absent' }, []],
    ['kind review', { kind: 'review' }, ['LEFT_OUT']],
    ['baseline unchanged', { baselineState: 'unchanged' }, ['OBSERVATION']],
    ['neither rule nor message', { ruleId: null, message: null }, ['LEFT_OUT']],
  ])('of %s makes the rows that it should', async (_, fields, kinds) => {
    const rows = await rowsIn(sarif, log(run(fields)))

    expect(rows.map(({ kind }) => kind)).toEqual(kinds)
  })

  test('without snippet of its own has that around it, from its first line', async () => {
    const contextRegion = { startLine: 2, snippet: { text: 'a\nb\nc' } }
    const location = { physicalLocation: { ...place('a.ts').physicalLocation, contextRegion } }

    const observation = await one(log(run({ locations: [location] })))

    expect(observation).toMatchObject({ line: 3, firstLine: 2, codeSnippet: 'a\nb\nc' })
  })

  test('with a snippet of its own keeps the lines around it apart, without the secrets in them', async () => {
    const [text, key] = ["password = 'AbcDef123456xyz'", "key = 'QwErTy987654321'"]
    const region = { startLine: 3, snippet: { text } }
    const contextRegion = { startLine: 2, snippet: { text: `${key}\n${text}\nc` } }
    const location = { physicalLocation: { ...place('a.ts').physicalLocation, region, contextRegion } }

    const plain = await one(log(run({ locations: [location] })))
    const secret = await one(log(run({ locations: [location] }, { properties: { tags: ['external/cwe/cwe-798'] } })))

    const around = { firstLine: 2, code: `${key}\n${text}\nc` }
    expect(plain).toMatchObject({ firstLine: 3, codeSnippet: text, around })
    const masked = { firstLine: 2, code: "key = 'QwE*****21'\npassword = 'Abc*****yz'\nc" }
    expect(secret).toMatchObject({ firstLine: 3, codeSnippet: "password = 'Abc*****yz'", around: masked })
  })

  test('takes its words from the message strings of its rule, with its arguments', async () => {
    const message = { id: 'default', arguments: ['one', 'two'] }
    const messageStrings = { default: { text: '{0} is not {1}, but {2}' } }

    const observation = await one(log(run({ message }, { messageStrings })))

    expect(observation.description).toBe('one is not two, but {2}')
  })

  test('takes a fingerprint that numbers equal code for one of them all', async () => {
    const hash = 'ab'.repeat(64)

    const observation = await one(log(run({ fingerprints: { 'matchBasedId/v1': `${hash}_3` } })))

    expect(observation).toMatchObject({ partialFingerprint: hash })
    expect(observation).not.toHaveProperty('fingerprint')
  })

  test('takes no fingerprint from a note that one needs a login, and none from the author of a commit', async () => {
    const fingerprints = { 'matchBasedId/v1': 'requires login' }
    const partialFingerprints = { author: 'A Person', commitSha: 'abc', email: 'a@b.example' }

    const observation = await one(log(run({ fingerprints, partialFingerprints })))

    expect(observation).not.toHaveProperty('fingerprint')
    expect(observation).not.toHaveProperty('partialFingerprint')
    expect(observation.commitRef).toBe('abc')
  })
})

describe('its severity', () => {
  test.each([
    ['its own level', { level: 'note' }, { defaultConfiguration: { level: 'error' } }, 'LOW'],
    ["its rule's level", {}, { defaultConfiguration: { level: 'error' } }, 'HIGH'],
    ['a warning by default', {}, {}, 'MEDIUM'],
    ['the security score of its rule', { level: 'note' }, { properties: { 'security-severity': '9.8' } }, 'CRITICAL'],
    [
      'the one severity among the tags of its rule',
      { level: 'error' },
      { properties: { tags: ['security', 'MEDIUM'] } },
      'MEDIUM',
    ],
    ['its level where the tags name two', { level: 'error' }, { properties: { tags: ['LOW', 'MEDIUM'] } }, 'HIGH'],
    ['the word in place of a score', {}, { properties: { 'security-severity': 'LOW' } }, 'LOW'],
    [
      'its own score first',
      { properties: { 'security-severity': 2 } },
      { properties: { 'security-severity': '9.8' } },
      'LOW',
    ],
  ])('is %s', async (_, result, rule, severity) => {
    const observation = await one(log(run(result, rule)))

    expect(observation.severity).toBe(severity)
  })

  test('is the level that the invocation sets for the rule', async () => {
    const ruleConfigurationOverrides = [{ descriptor: { id: 'R1' }, configuration: { level: 'error' } }]

    const observation = await one(log(run({}, {}, { invocations: [{ ruleConfigurationOverrides }] })))

    expect(observation.severity).toBe('HIGH')
  })
})

describe('its rule', () => {
  const rules = [
    { id: 'a', shortDescription: { text: 'Rule a' } },
    { id: 'b', shortDescription: { text: 'Rule b' } },
  ]
  const extensions = [{ name: 'plugin', rules: [{ id: 'p', shortDescription: { text: 'Rule p' } }] }]
  const tool = { driver: { name: 'A Scanner', rules }, extensions }

  test.each([
    ['by index', { ruleIndex: 1 }, 'Rule b'],
    ['by id', { ruleId: 'b' }, 'Rule b'],
    ['by the id above it', { ruleId: 'a/part/other' }, 'Rule a'],
    ['by reference', { rule: { id: 'a' } }, 'Rule a'],
    ['of an extension by index', { rule: { index: 0, toolComponent: { index: 0 } } }, 'Rule p'],
    ['of an extension by name', { ruleId: 'p', rule: { toolComponent: { name: 'plugin' } } }, 'Rule p'],
    ['of an extension that is not named', { ruleId: 'p' }, 'Rule p'],
    ['not by an index that says otherwise than the id', { ruleId: 'a', ruleIndex: 1 }, 'Rule a'],
    ['not at all where there is none', { ruleId: 'constructor' }, 'Words'],
  ])('is found %s', async (_, fields, title) => {
    const observation = await one(log({ tool, results: [{ message: { text: 'Words' }, ...fields }] }))

    expect(observation.title).toBe(title)
  })

  test.each([
    ['tags of the rule', {}, { properties: { tags: ['external/cwe/cwe-079', 'CWE-80: Other'] } }, [79, 80]],
    ['properties of the result', { properties: { cwe: 'CWE-327: Weak' } }, {}, [327]],
    ['taxa of the result', { taxa: [{ id: '22', toolComponent: { name: 'CWE' } }] }, {}, [22]],
    ['taxa by index', { taxa: [{ index: 0, toolComponent: { index: 0 } }] }, {}, [611]],
    ['relationships', {}, { relationships: [{ target: { id: 'CWE-90', toolComponent: { name: 'CWE' } } }] }, [90]],
    ['no other taxonomy', { taxa: [{ id: '4', toolComponent: { name: 'OWASP' } }] }, {}, undefined],
  ])('and the result give the CWEs by %s', async (_, result, ruleFields, cweIds) => {
    const taxonomies = [{ name: 'CWE', taxa: [{ id: '611' }] }]

    const observation = await one(log(run(result, ruleFields, { taxonomies })))

    expect(observation.cweIds).toEqual(cweIds)
  })
})

describe('a decision that was made', () => {
  test.each([
    [
      'accepted by default',
      [{ kind: 'external', justification: 'Not reachable' }],
      { status: 'SUPPRESSED', reason: 'Not reachable' },
    ],
    [
      'in the source',
      [{ kind: 'inSource', status: 'accepted' }],
      { status: 'SUPPRESSED', reason: 'Suppressed in the source code' },
    ],
    ['still under review', [{ kind: 'external', status: 'underReview' }], undefined],
    ['rejected', [{ kind: 'external', status: 'rejected' }], undefined],
    ['accepted and rejected', [{ kind: 'external' }, { kind: 'external', status: 'rejected' }], undefined],
    ['of nothing', [], undefined],
  ])('is kept when it is one: %s', async (_, suppressions, decision) => {
    const observation = await one(log(run({ suppressions })))

    expect(observation.decision).toEqual(decision)
  })
})
