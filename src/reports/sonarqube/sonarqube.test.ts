// How exports of SonarQube are read.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { damaged, observationsIn, recognisedBy, rowsIn, rowsOrFault } from '../../../test/reports/reading.ts'
import { sonarqube } from './reader.ts'

const issue = (more: Record<string, unknown> = {}) => ({
  key: 'K1',
  rule: 'java:S2076',
  severity: 'CRITICAL',
  component: 'shop:web:src/A.java',
  project: 'shop',
  line: 7,
  textRange: { startLine: 7, startOffset: 4 },
  status: 'OPEN',
  message: 'Do not build commands of input.',
  tags: ['cwe'],
  type: 'VULNERABILITY',
  ...more,
})

const htmlDesc =
  '<p>Commands run.</p><h2>Recommended Secure Coding Practices</h2><p>Use a list.</p><h2>See</h2><a href="https://cwe.example/78">CWE-78 - x</a>'

const answer = (...issues: unknown[]) => ({
  paging: { pageIndex: 1, pageSize: 100, total: issues.length },
  effortTotal: 1,
  issues,
  components: [{ key: 'shop:web:src/A.java', path: 'web/src/A.java' }],
  rules: [{ key: 'java:S2076', name: 'Commands should not be built of input', htmlDesc }],
})

const page = (row: string) => `<!DOCTYPE html><html><head><title>SonarQube Vulnerability Report</title></head><body>
<table><thead><tr><th></th><th>Severity</th><th>Number of Issues</th></tr></thead><tr><td></td><td>HIGH</td><td>1</td></tr></table>
<table><thead><tr><th>Rule</th><th>Severity</th><th>Component</th><th>Line</th><th>Description</th><th>Message</th><th>Key</th></tr></thead>
<tbody>${row}</tbody></table>
<table><thead><tr><th>Rule</th><th>Description</th></tr></thead><tbody>
<tr><td><a href="https://sonar.example/r">java:S2076</a></td><td>${htmlDesc}<table><tr><td>inner</td></tr></table></td></tr></tbody></table></body></html>`

const ROW =
  '<tr><td>java:S2076</td><td>BLOCKER</td><td>src/A.java</td><td>7</td><td>Commands &amp; input</td><td>Do not.</td><td>K1</td></tr>'

describe('an issue of SonarQube', () => {
  test('is an observation with all that it, its rule and its file say', async () => {
    const observations = await observationsIn(sonarqube, answer(issue()))

    expect(observations).toEqual([
      {
        kind: 'CODE',
        type: 'SAST_FINDING',
        toolName: 'SonarQube',
        ruleId: 'java:S2076',
        title: 'Commands should not be built of input',
        description: expect.stringMatching(/^Do not build commands of input\.\n\nCommands run\./),
        severity: 'HIGH',
        cweIds: [78],
        reference: 'https://cwe.example/78',
        solution: 'Use a list.',
        tags: ['cwe'],
        originalIssueIdFromTool: 'K1',
        fileName: 'web/src/A.java',
        line: 7,
        column: 5,
      },
    ])
  })

  test.each([
    ['a false positive', { status: 'RESOLVED', resolution: 'FALSE-POSITIVE' }, ['FALSE_POSITIVE']],
    ['accepted', { status: 'RESOLVED', issueStatus: 'ACCEPTED' }, ['RISK_ACCEPTED']],
    ['a safe hotspot', { status: 'REVIEWED', resolution: 'SAFE' }, ['FALSE_POSITIVE']],
    ['open', {}, [undefined]],
    ['fixed', { status: 'CLOSED', resolution: 'FIXED' }, []],
  ])('that is %s has its decision', async (_, fields, statuses) => {
    const observations = await observationsIn(sonarqube, answer(issue(fields)))

    expect(observations.map(({ decision }) => (decision as { status?: string } | undefined)?.status)).toEqual(statuses)
  })

  test('that is no security issue is left out, unless it bears on security', async () => {
    const impacts = [{ softwareQuality: 'SECURITY', severity: 'BLOCKER' }]

    const rows = await rowsIn(sonarqube, answer(issue({ type: 'BUG' }), issue({ type: 'CODE_SMELL', impacts })))

    expect(rows).toMatchObject([{ kind: 'PASSED_OVER', at: 'issues[0]' }, { observation: { severity: 'CRITICAL' } }])
  })

  test('of the Dependency-Check plugin is a component', async () => {
    const message = 'Filename: nimbus-jose-jwt-9.24.4.jar | Highest CVSS Score: 7.5 | References: CVE-2023-52428 (7.5)'

    const observations = await observationsIn(
      sonarqube,
      answer(issue({ rule: 'OWASP:UsingComponentWithKnownVulnerability', message, component: 'shop' })),
    )

    expect(observations).toMatchObject([
      {
        kind: 'COMPONENT',
        package: 'nimbus-jose-jwt',
        affectedVersion: '9.24.4',
        cvssScore: 7.5,
        title: 'CVE-2023-52428 in nimbus-jose-jwt',
      },
    ])
  })
})

describe('an export of SonarQube', () => {
  test('may be of hotspots, or of sonar-report', async () => {
    const hotspot = {
      key: 'H',
      component: 'shop:a.js',
      vulnerabilityProbability: 'LOW',
      securityCategory: 'xss',
      ruleKey: 'js:1',
      message: 'See',
      line: 2,
    }
    const own = {
      sonarBaseURL: 'https://sonar.example',
      rules: { 'java:S2076': { name: 'N', htmlDesc } },
      issues: [issue({ status: 'TO_REVIEW' })],
    }

    expect(await observationsIn(sonarqube, { paging: {}, hotspots: [hotspot] })).toMatchObject([
      { ruleId: 'js:1', severity: 'LOW', fileName: 'a.js', tags: ['xss'], originalIssueIdFromTool: 'H' },
    ])
    expect(await observationsIn(sonarqube, own)).toMatchObject([{ title: 'N', cweIds: [78] }])
  })

  test('in HTML has the findings of its table, with the rules that stand behind', async () => {
    const observations = await observationsIn(sonarqube, page(ROW))

    expect(observations).toMatchObject([
      {
        ruleId: 'java:S2076',
        title: 'Commands & input',
        severity: 'CRITICAL',
        fileName: 'src/A.java',
        line: 7,
        cweIds: [78],
        reference: 'https://cwe.example/78',
        solution: 'Use a list.',
        originalIssueIdFromTool: 'K1',
      },
    ])
  })

  test('is recognised in each of its shapes', () => {
    const shapes = [
      answer(issue()),
      answer(),
      { paging: {}, hotspots: [] },
      { sonarBaseURL: 'x', issues: [] },
      page(''),
    ]

    expect(shapes.map((each) => recognisedBy(sonarqube, each))).toEqual([true, true, true, true, true])
    expect(recognisedBy(sonarqube, { issues: [] })).toBe(false)
  })

  test('that is one page of many, or breaks off, is not all', async () => {
    const first = { ...answer(issue()), paging: { pageIndex: 1, pageSize: 1, total: 9 } }
    const html = page(ROW + ROW)

    const rows = [
      ...(await rowsIn(sonarqube, first)),
      ...(await rowsIn(sonarqube, html.slice(0, html.lastIndexOf('<td>K1')))),
    ]

    expect(rows.map(({ kind }) => kind)).toEqual(['OBSERVATION', 'TRUNCATED', 'OBSERVATION', 'TRUNCATED'])
  })

  test('never breaks by what its values are, and keeps its other issues', async () => {
    const whole = answer(issue({ impacts: [{ softwareQuality: 'SECURITY' }] }), issue({ key: 'good' }))

    await fc.assert(
      fc.asyncProperty(
        damaged(whole, (path) => /^(?:issues$|issues\.1)/.test(path)),
        async (given) => {
          const rows = await rowsOrFault(sonarqube, given)

          expect(rows).toContainEqual(expect.objectContaining({ at: 'issues[1]', kind: 'OBSERVATION' }))
        },
      ),
    )
  })
})

describe('an issue in the form that SonarQube takes from other tools', () => {
  const external = (more: Record<string, unknown> = {}) => ({
    engineId: 'gosec',
    ruleId: 'G401',
    severity: 'CRITICAL',
    type: 'VULNERABILITY',
    primaryLocation: {
      message: 'Use of weak cryptographic primitive',
      filePath: 'api/user.go',
      textRange: { startLine: 160, endLine: 160, startColumn: 6 },
    },
    ...more,
  })

  test('is one of the tool that found it', async () => {
    expect(await observationsIn(sonarqube, { issues: [external()] })).toEqual([
      {
        kind: 'CODE',
        type: 'SAST_FINDING',
        toolName: 'gosec',
        ruleId: 'G401',
        title: 'Use of weak cryptographic primitive',
        description: 'Use of weak cryptographic primitive',
        severity: 'HIGH',
        fileName: 'api/user.go',
        line: 160,
        column: 7,
      },
    ])
  })

  test('has tool and severity from its rule since SonarQube 10.3, and counts where that touches security', async () => {
    const impact = (softwareQuality: string) => [{ softwareQuality, severity: 'HIGH' }]
    const rules = [
      { id: 'G401', engineId: 'gosec', description: 'See CWE-327.', impacts: impact('SECURITY') },
      { id: 'S1', engineId: 'gosec', impacts: impact('MAINTAINABILITY') },
    ]
    const issues = ['G401', 'S1'].map((ruleId) =>
      external({ ruleId, engineId: undefined, severity: undefined, type: undefined }),
    )

    expect(await rowsIn(sonarqube, { rules, issues })).toMatchObject([
      { observation: { toolName: 'gosec', severity: 'HIGH', cweIds: [327] } },
      { kind: 'PASSED_OVER', at: 'issues[1]' },
    ])
  })

  test('is recognised without a range', () => {
    const primaryLocation = { message: 'm', filePath: 'a.go' }

    expect(recognisedBy(sonarqube, { issues: [external({ primaryLocation })] })).toBe(true)
  })
})
