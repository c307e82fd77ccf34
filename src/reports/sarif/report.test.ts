// How SARIF of each kind of tool is read, and whole reports of it, good and bad.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { damaged, recognisedBy, rowsIn, rowsOrFault, textsIn } from '../../../test/reports/reading.ts'
import { log, one, place, run } from '../../../test/reports/sarif.ts'
import { sarif } from './reader.ts'

describe('a tool', () => {
  const by = (name: string, result: Record<string, unknown>, rule: Record<string, unknown> = {}) =>
    log({
      tool: { driver: { name, rules: [{ id: 'R1', ...rule }] } },
      results: [{ ruleId: 'R1', message: { text: 'Words' }, ...result }],
    })

  test.each([
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

  test.each([
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

  test('that finds secrets has none of them in what is kept', async () => {
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

  test('of another type that finds a password in code has it masked', async () => {
    const region = { startLine: 1, snippet: { text: 'const password = "correct-horse-battery"' } }
    const location = { physicalLocation: { artifactLocation: { uri: 'a.ts' }, region } }

    const observation = await one(
      by('CodeQL', { locations: [location] }, { properties: { tags: ['external/cwe/cwe-798'] } }),
    )

    expect(observation.codeSnippet).toBe('const password = "cor*****ry"')
  })
})

describe('a report', () => {
  test('of several runs has the tool, and the scope, of each', async () => {
    const second = {
      ...run({}),
      tool: { driver: { name: 'Another' } },
      automationDetails: { id: 'nightly/js/2026-11-21' },
    }

    const rows = await rowsIn(
      sarif,
      log(
        run({}),
        second,
        { tool: { driver: { name: 'None' } }, automationDetails: { id: 'empty' }, results: [] },
        run({}),
        run({}),
      ),
    )

    expect(rows).toMatchObject([
      { observation: { toolName: 'A Scanner' } },
      { kind: 'SCOPE', scope: 'nightly/js' },
      { at: 'runs[1].results[0]', observation: { toolName: 'Another' } },
      { kind: 'SCOPE', scope: 'empty' },
      { kind: 'SCOPE', scope: null },
      { at: 'runs[3].results[0]' },
      { at: 'runs[4].results[0]' },
    ])
  })

  test('with a result that is none still gives the others', async () => {
    const { results, ...rest } = run({})

    const rows = await rowsIn(sarif, log({ ...rest, results: [7, null, ...results] }))

    expect(rows.map(({ kind }) => kind)).toEqual(['LEFT_OUT', 'LEFT_OUT', 'OBSERVATION'])
  })

  const cut = { ruleId: 'R1', message: { text: 'Cut' } }

  test('with a rule that cannot be read still gives the results, each with its own rule', async () => {
    const nested = Array.from({ length: 500 }).reduce<unknown>((inner) => [inner], {})
    const rules = [
      { id: 'R0', properties: { nested } },
      { id: 'R1', properties: { tags: ['CWE-79'] } },
    ]
    const results = [
      { ruleId: 'R1', message: { text: 'Words' } },
      { rule: { guid: 'g' }, message: { text: 'More' } },
    ]

    const rows = await rowsIn(sarif, log({ tool: { driver: { name: 'Tool', rules } }, results }))

    const observations = rows.flatMap((row) => (row.kind === 'OBSERVATION' ? row.observation : []))
    expect(observations).toMatchObject([{ ruleId: 'R1', cweIds: [79] }, { title: 'More' }])
  })

  test('that breaks off gives what came before, and says so', async () => {
    const { results, tool } = run({})
    const whole = JSON.stringify(log({ tool, results: [...results, cut] }))

    const rows = await rowsIn(sarif, whole.slice(0, whole.indexOf('Cut')))

    expect(rows.map(({ kind }) => kind)).toEqual(['OBSERVATION', 'TRUNCATED'])
  })

  test('that breaks off before a run names its tool leaves that run out: its findings would be those of no tool', async () => {
    const { results, tool } = run({})
    const whole = JSON.stringify(log(run({}), { results: [...results, cut], tool }))

    const rows = await rowsIn(sarif, whole.slice(0, whole.indexOf('Cut')))

    expect(rows).toMatchObject([
      { kind: 'OBSERVATION', observation: { toolName: 'A Scanner' } },
      {
        kind: 'LEFT_OUT',
        at: 'runs[1].results[0]',
        reason: 'The report ends before it names the tool',
      },
      { kind: 'TRUNCATED' },
    ])
  })

  test('of a run that failed, or with results in other files, says that it is not all', async () => {
    const failed = run({}, {}, { invocations: [{ executionSuccessful: false }] })
    const elsewhere = run({}, {}, { externalPropertyFileReferences: { results: [{ location: { uri: 'r.json' } }] } })

    const rows = await rowsIn(sarif, log(failed, elsewhere))

    expect(rows.map(({ kind }) => kind)).toEqual(['OBSERVATION', 'LEFT_OUT', 'OBSERVATION', 'TRUNCATED'])
  })

  test('of a run with an error that names no place says that it is not all, even if the tool calls it successful', async () => {
    const text = 'invalid configuration file found (1 configs were invalid)'
    const invocation = {
      executionSuccessful: true,
      toolExecutionNotifications: [{ level: 'error', message: { text } }],
    }

    const rows = await rowsIn(sarif, log({ ...run({}, {}, { invocations: [invocation] }), results: [] }))

    expect(rows).toEqual([
      {
        kind: 'TRUNCATED',
        reason: `The tool reports an error of its run, so it may not have scanned everything: ${text}`,
      },
    ])
  })

  test('names each file of which the tool says that it did not see all', async () => {
    const notice = (level: string | undefined, ...uris: string[]) => ({
      level,
      message: { text: 'It cannot be parsed.' },
      locations: uris.map((uri) => ({ physicalLocation: { artifactLocation: { uri } } })),
    })
    const toolExecutionNotifications = [
      notice('error', 'src/a.ts', 'src/a.ts'),
      notice('note', 'src/b.ts'),
      notice(undefined),
    ]
    const toolConfigurationNotifications = [notice(undefined, '/github/workspace/src/c.ts')]

    const rows = await rowsIn(
      sarif,
      log(run({}, {}, { invocations: [{ toolExecutionNotifications, toolConfigurationNotifications }] })),
    )

    expect(rows.filter(({ kind }) => kind !== 'OBSERVATION')).toMatchObject([
      { kind: 'UNSEEN_FILE', at: 'runs[0].invocations[0].toolExecutionNotifications[0]', fileName: 'src/a.ts' },
      { kind: 'UNSEEN_FILE', at: 'runs[0].invocations[0].toolConfigurationNotifications[0]', fileName: 'src/c.ts' },
    ])
  })

  test('without results has no rows', async () => {
    expect(await rowsIn(sarif, log({ tool: { driver: { name: 'A Scanner' } }, results: [] }))).toEqual([])
    expect(await rowsIn(sarif, log())).toEqual([])
  })

  test.each([['{"a":1}'], ['hello'], [''], ['{"version":"1.0.0","runs":[]}']])(
    'that is none is refused: %s',
    async (text) => {
      await expect(rowsIn(sarif, text)).rejects.toThrow(/SARIF/)
    },
  )

  test('is recognised by its beginning, whatever comes first', () => {
    expect(recognisedBy(sarif, log(run({})))).toBe(true)
    expect(recognisedBy(sarif, { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', runs: [] })).toBe(true)
    expect(recognisedBy(sarif, { runs: [{ results: [], tool: { driver: { name: 'x' } } }] })).toBe(true)
    expect(recognisedBy(sarif, { results: [], version: '1.0' })).toBe(false)
  })

  test('never breaks by what its values are, and keeps its other results', async () => {
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
