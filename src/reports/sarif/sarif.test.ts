// How SARIF is read: what of a result, its rule and its run becomes what of an observation.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { damaged, observationsIn, recognisedBy, rowsIn, rowsOrFault, textsIn } from '../../../test/reports/reading.ts'
import { sarif } from './reader.ts'

const log = (...runs: unknown[]) => ({ version: '2.1.0', runs })

const run = (
  result: Record<string, unknown>,
  rule: Record<string, unknown> = {},
  more: Record<string, unknown> = {},
) => ({
  results: [{ ruleId: 'R1', message: { text: 'Something is wrong here.' }, ...result }],
  tool: { driver: { name: 'A Scanner', rules: [{ id: 'R1', ...rule }] } },
  ...more,
})

const place = (uri: string, startLine = 3, more: Record<string, unknown> = {}) => ({
  physicalLocation: { artifactLocation: { uri, ...more }, region: { startLine } },
})

const one = async (report: unknown) => (await observationsIn(sarif, report))[0] ?? {}

describe('a result', () => {
  it('is an observation with all that it, its rule and its run say', async () => {
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
                { locations: [{ location: place('src/in.ts', 1) }, {}, { location: place('src/a.ts', 7) }] },
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
      commitRef: 'abc123',
    })
  })

  it('is the same whether rules stand before or behind it, and however the bytes arrive', async () => {
    const { results, tool } = run({}, { defaultConfiguration: { level: 'error' } })

    const [before, behind] = [
      await rowsIn(sarif, log({ tool, results }), 1),
      await rowsIn(sarif, log({ results, tool }), 7),
    ]

    expect(before).toEqual(behind)
    expect(before).toMatchObject([{ kind: 'OBSERVATION', at: 'runs[0].results[0]', observation: { severity: 'HIGH' } }])
  })

  it.each([
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

  it('without snippet of its own has that around it, from its first line', async () => {
    const contextRegion = { startLine: 2, snippet: { text: 'a\nb\nc' } }
    const location = { physicalLocation: { ...place('a.ts').physicalLocation, contextRegion } }

    const observation = await one(log(run({ locations: [location] })))

    expect(observation).toMatchObject({ line: 3, firstLine: 2, codeSnippet: 'a\nb\nc' })
  })

  it('takes its words from the message strings of its rule, with its arguments', async () => {
    const message = { id: 'default', arguments: ['one', 'two'] }
    const messageStrings = { default: { text: '{0} is not {1}, but {2}' } }

    const observation = await one(log(run({ message }, { messageStrings })))

    expect(observation.description).toBe('one is not two, but {2}')
  })

  it('takes no fingerprint from a note that one needs a login, and none from the author of a commit', async () => {
    const fingerprints = { 'matchBasedId/v1': 'requires login' }
    const partialFingerprints = { author: 'A Person', commitSha: 'abc', email: 'a@b.example' }

    const observation = await one(log(run({ fingerprints, partialFingerprints })))

    expect(observation).not.toHaveProperty('fingerprint')
    expect(observation).not.toHaveProperty('partialFingerprint')
    expect(observation.commitRef).toBe('abc')
  })
})

describe('its severity', () => {
  it.each([
    ['its own level', { level: 'note' }, { defaultConfiguration: { level: 'error' } }, 'LOW'],
    ["its rule's level", {}, { defaultConfiguration: { level: 'error' } }, 'HIGH'],
    ['a warning by default', {}, {}, 'MEDIUM'],
    ['the security score of its rule', { level: 'note' }, { properties: { 'security-severity': '9.8' } }, 'CRITICAL'],
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

  it('is the level that the invocation sets for the rule', async () => {
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

  it.each([
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

  it.each([
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

describe('its place', () => {
  const bases = {
    '%SRCROOT%': { uri: 'file:///work/checkout/' },
    SUB: { uri: 'packages/one/', uriBaseId: '%SRCROOT%' },
    ROOT: { uri: 'file:///' },
  }

  it.each([
    ['src/a%20b.ts', {}, 'src/a b.ts'],
    ['./src/../a.ts', {}, 'a.ts'],
    ['src\\win\\a.ts', {}, 'src/win/a.ts'],
    ['%SRCROOT%/src/a.ts', {}, 'src/a.ts'],
    ['src/100%.ts', {}, 'src/100%.ts'],
    ['a.ts', { uriBaseId: '%SRCROOT%' }, 'a.ts'],
    ['a.ts', { uriBaseId: 'SUB' }, 'packages/one/a.ts'],
    ['a.ts', { uriBaseId: 'ROOT' }, 'a.ts'],
    ['a.ts', { uriBaseId: 'UNKNOWN' }, 'a.ts'],
    ['file:///work/checkout/src/a.ts', {}, 'src/a.ts'],
    ['file:///github/workspace/src/a.ts', {}, 'src/a.ts'],
    ['file:///home/runner/work/app/app/src/a.ts', {}, 'src/a.ts'],
    ['file:///D:/a/app/app/src/a.ts', {}, 'src/a.ts'],
    ['file:///home/someone/else/a.ts', {}, '/home/someone/else/a.ts'],
    ['file:///src/a.ts', {}, 'src/a.ts'],
  ])('%s (%o) is %s', async (uri, more, fileName) => {
    const report = log(run({ locations: [place(uri, 3, more)] }, {}, { originalUriBaseIds: bases }))

    const observation = await one(report)

    expect(observation.fileName).toBe(fileName)
  })

  it('is that of the artifact which it names by index', async () => {
    const artifacts = [{ location: { uri: 'zero.ts' } }, { location: { uri: 'one.ts', uriBaseId: 'SUB' } }]
    const location = { physicalLocation: { artifactLocation: { index: 1 } } }

    const observation = await one(log(run({ locations: [location] }, {}, { artifacts, originalUriBaseIds: bases })))

    expect(observation.fileName).toBe('packages/one/one.ts')
  })

  it('may be named alone, without a file', async () => {
    const location = { logicalLocations: [{ index: 0 }] }

    const observation = await one(
      log(run({ locations: [location] }, {}, { logicalLocations: [{ fullyQualifiedName: 'app.Main.run' }] })),
    )

    expect(observation.description).toContain('At app.Main.run')
  })

  it('on the web makes it an exchange, with what was sent and what came back', async () => {
    const report = log(
      run(
        {
          locations: [place('https://shop.example:8443/cart?id=1')],
          webRequest: {
            index: 0,
            method: 'post',
            headers: { Accept: '*/*' },
            parameters: { id: '1' },
            body: { text: 'a=b' },
          },
          webResponse: {
            statusCode: 500,
            reasonPhrase: 'Oops',
            version: '1.1',
            protocol: 'http',
            body: { text: 'trace' },
          },
        },
        {},
        { webRequests: [{ protocol: 'http', version: '2' }] },
      ),
    )

    const observation = await one(report)

    expect(observation).toMatchObject({
      kind: 'EXCHANGE',
      type: 'DAST_FINDING',
      url: 'https://shop.example:8443/cart?id=1',
      method: 'POST',
      scheme: 'https',
      port: 8443,
      parameters: 'id=1',
      request: 'POST https://shop.example:8443/cart?id=1 HTTP/2\nAccept: */*\n\na=b',
      response: 'HTTP/1.1 500 Oops\n\ntrace',
    })
  })
})

describe('a decision that was made', () => {
  it.each([
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

describe('a tool', () => {
  const by = (name: string, result: Record<string, unknown>, rule: Record<string, unknown> = {}) =>
    log({
      tool: { driver: { name, rules: [{ id: 'R1', ...rule }] } },
      results: [{ ruleId: 'R1', message: { text: 'Words' }, ...result }],
    })

  it.each([
    ['Checkov', 'IAC_FINDING'],
    ['KICS', 'IAC_FINDING'],
    ['gitleaks', 'SECRET_FINDING'],
    ['Grype', 'SCA_FINDING'],
    ['Snyk Container', 'CONTAINER_FINDING'],
    ['mobsfscan', 'MAST_FINDING'],
    ['OWASP ZAP', 'DAST_FINDING'],
    ['CodeQL', 'SAST_FINDING'],
  ])('%s makes a %s', async (name, type) => {
    const observation = await one(by(name, { locations: [place('a.ts')] }))

    expect(observation.type).toBe(type)
  })

  it.each([
    [
      'the sentences of Trivy',
      by(
        'Trivy',
        {
          message: {
            text: 'Package: lodash\nInstalled Version: 4.17.4\nVulnerability CVE-2019-10744\nSeverity: HIGH\nFixed Version: 4.17.12',
          },
        },
        { name: 'LanguageSpecificPackageVulnerability' },
      ),
      { package: 'lodash', affectedVersion: '4.17.4', patchedVersion: '4.17.12', vulnerabilityIds: ['CVE-2019-10744'] },
    ],
    [
      'the sentence of Grype',
      by('Grype', {
        message: {
          text: 'The path /app/x.jar reports log4j-core at version 2.14.1  which is a vulnerable (java-archive) package installed',
        },
      }),
      { package: 'log4j-core', affectedVersion: '2.14.1', packageManager: 'java-archive' },
    ],
    [
      'a logical location of Snyk',
      by('Snyk Open Source', {
        locations: [{ ...place('package.json'), logicalLocations: [{ fullyQualifiedName: '@scope/pkg@1.2.3' }] }],
      }),
      { package: '@scope/pkg', affectedVersion: '1.2.3', fileName: 'package.json' },
    ],
    [
      'a purl',
      by('dependency-check', {
        locations: [{ logicalLocations: [{ fullyQualifiedName: 'pkg:maven/org.x/y@1.0?type=jar' }] }],
      }),
      { package: 'org.x:y', affectedVersion: '1.0', packageManager: 'maven', purl: 'pkg:maven/org.x/y@1.0?type=jar' },
    ],
    [
      'nothing but a file',
      by('OSV-Scanner', { locations: [place('dir/go.mod')] }),
      { package: 'go.mod', fileName: 'dir/go.mod' },
    ],
  ])('that looks at dependencies names the component by %s', async (_, report, expected) => {
    const observation = await one(report)

    expect(observation).toMatchObject({ kind: 'COMPONENT', ...expected })
  })

  it('that finds secrets has none of them in what is kept', async () => {
    const secret = 'AKIAIOSFODNN7EXAMPLE'
    const snippet = { text: secret }
    const location = { physicalLocation: { artifactLocation: { uri: 'a.env' }, region: { startLine: 1, snippet } } }

    const rows = await rowsIn(
      sarif,
      by('gitleaks', { message: { text: `aws has detected ${secret}` }, locations: [location] }),
    )

    expect(textsIn(rows).filter((text) => text.includes(secret))).toEqual([])
    expect(rows).toMatchObject([
      { observation: { codeSnippet: 'AKI*****LE', description: 'aws has detected AKI*****LE' } },
    ])
  })

  it('of another type that finds a password in code has it masked', async () => {
    const region = { startLine: 1, snippet: { text: 'const password = "correct-horse-battery"' } }
    const location = { physicalLocation: { artifactLocation: { uri: 'a.ts' }, region } }

    const observation = await one(
      by('CodeQL', { locations: [location] }, { properties: { tags: ['external/cwe/cwe-798'] } }),
    )

    expect(observation.codeSnippet).toBe('const password = "cor*****ry"')
  })
})

describe('a report', () => {
  it('of several runs has the tool, and the scope, of each', async () => {
    const second = {
      ...run({}),
      tool: { driver: { name: 'Another' } },
      automationDetails: { id: 'nightly/js/2026-11-21' },
    }

    const rows = await rowsIn(
      sarif,
      log(run({}), second, { tool: { driver: { name: 'None' } }, automationDetails: { id: 'empty' } }),
    )

    expect(rows).toMatchObject([
      { observation: { toolName: 'A Scanner' } },
      { kind: 'SCOPE', scope: 'nightly/js' },
      { at: 'runs[1].results[0]', observation: { toolName: 'Another' } },
      { kind: 'SCOPE', scope: 'empty' },
    ])
  })

  it('with a result that is none still gives the others', async () => {
    const { results, ...rest } = run({})

    const rows = await rowsIn(sarif, log({ ...rest, results: [7, null, ...results] }))

    expect(rows.map(({ kind }) => kind)).toEqual(['LEFT_OUT', 'LEFT_OUT', 'OBSERVATION'])
  })

  it('that breaks off gives what came before, and says so', async () => {
    const whole = JSON.stringify(
      log({ ...run({}), results: [...run({}).results, { ruleId: 'R1', message: { text: 'Cut' } }] }),
    )

    const rows = await rowsIn(sarif, whole.slice(0, whole.indexOf('Cut')))

    expect(rows.map(({ kind }) => kind)).toEqual(['OBSERVATION', 'TRUNCATED'])
  })

  it('of a run that failed, or with results in other files, says that it is not all', async () => {
    const failed = run({}, {}, { invocations: [{ executionSuccessful: false }] })
    const elsewhere = run({}, {}, { externalPropertyFileReferences: { results: [{ location: { uri: 'r.json' } }] } })

    const rows = await rowsIn(sarif, log(failed, elsewhere))

    expect(rows.map(({ kind }) => kind)).toEqual(['OBSERVATION', 'LEFT_OUT', 'OBSERVATION', 'TRUNCATED'])
  })

  it('without results has no rows', async () => {
    expect(await rowsIn(sarif, log({ tool: { driver: { name: 'A Scanner' } }, results: [] }))).toEqual([])
    expect(await rowsIn(sarif, log())).toEqual([])
  })

  it.each([['{"a":1}'], ['hello'], [''], ['{"version":"1.0.0","runs":[]}']])(
    'that is none is refused: %s',
    async (text) => {
      await expect(rowsIn(sarif, text)).rejects.toThrow(/SARIF/)
    },
  )

  it('is recognised by its beginning, whatever comes first', () => {
    expect(recognisedBy(sarif, log(run({})))).toBe(true)
    expect(recognisedBy(sarif, { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', runs: [] })).toBe(true)
    expect(recognisedBy(sarif, { runs: [{ results: [], tool: { driver: { name: 'x' } } }] })).toBe(true)
    expect(recognisedBy(sarif, { results: [], version: '1.0' })).toBe(false)
  })

  it('never breaks by what its values are, and keeps its other results', async () => {
    const whole = log(
      run(
        {
          locations: [place('a.ts', 1, { uriBaseId: 'SUB', index: 0 })],
          codeFlows: [{ threadFlows: [{ locations: [{ location: place('b.ts') }, { index: 0 }] }] }],
          suppressions: [{ kind: 'external' }],
          taxa: [{ id: '22', toolComponent: { name: 'CWE', index: 0 } }],
          webRequest: { method: 'GET' },
          rule: { id: 'R1', toolComponent: { index: 0 } },
        },
        {
          properties: { tags: ['CWE-1'] },
          messageStrings: { default: { text: 'x' } },
          relationships: [{ target: { id: '1' } }],
        },
        {
          artifacts: [{ location: { uri: 'x' } }],
          originalUriBaseIds: { SUB: { uri: 'y/' } },
          taxonomies: [{ name: 'CWE', taxa: [{ id: '611' }] }],
          automationDetails: { id: 'a/b' },
          invocations: [{ executionSuccessful: true, ruleConfigurationOverrides: [{ descriptor: { id: 'R1' } }] }],
        },
      ),
      run({ message: { text: 'The good one' } }),
    )

    await fc.assert(
      fc.asyncProperty(
        damaged(whole, (path) => /^(?:runs$|version|runs\.1)/.test(path)),
        async (report) => {
          const rows = await rowsOrFault(sarif, report)

          const good = rows.filter(
            (row) => row.kind === 'OBSERVATION' && row.observation.description === 'The good one',
          )
          expect(good).toHaveLength(1)
        },
      ),
      { numRuns: 300 },
    )
  })
})
