// A company with findings of every type and status, on several branches, with decisions, components and hostile texts.

import { type Data, run, type Variables } from './client.ts'
import { newReportHome, type ReportHome } from './reports.ts'

/** Texts that can break spreadsheets, parsers or URLs. */
const hostile = [
  '=HYPERLINK("https://evil.example.test","click")',
  "+1+cmd|' /C calc'!A0",
  '-2+3',
  '@SUM(1,2)',
  '\tstarts with a tab',
  "'=starts with an apostrophe",
  'a "quoted" word, a comma; and\nnext\r\nlines',
  '</script><b>é漢字🎉\u2028\u202e',
  '{"$ref":"#"} %zz %41 #frag#ment [x] \\ ^ `',
]

const report = async (key: string, type: string, input: Variables): Promise<Data> => {
  const field = `createOrUpdate${type}Finding`
  const query = `mutation ($input: CreateOrUpdate${type}FindingInput!) { ${field}(input: $input) { issue { id } } }`
  return (await run(key, query, { input }))[field].issue
}

const write = async (key: string, type: string, input: Variables): Promise<Data> => {
  const field = `create${type}Vulnerability`
  const query = `mutation ($input: Create${type}VulnerabilityInput!) { ${field}(input: $input) { issue { id } } }`
  return (await run(key, query, { input }))[field].issue
}

const decide = (key: string, input: Variables) =>
  run(key, 'mutation ($input: ChangeIssueStatusInput!) { changeIssueStatus(input: $input) { issue { id } } }', {
    input,
  })

/** The transitions from CREATED to each status that a finding cannot be created with. */
const ways: readonly Variables[][] = [
  [],
  [{ status: 'IDENTIFIED' }],
  [{ status: 'IN_PROGRESS' }],
  [{ status: 'IDENTIFIED' }, { status: 'AWAITING_VALIDATION' }],
  [{ status: 'FIX_ACCEPTED', reason: 'It is gone' }],
  [{ status: 'FALSE_POSITIVE', reason: 'The input is a constant' }],
  [{ status: 'SUPPRESSED', reason: 'Only in tests' }],
  [{ status: 'RISK_ACCEPTED', reason: 'Behind a wall', riskAcceptedUntil: '2999-01-01T00:00:00Z' }],
  [{ status: 'RISK_ACCEPTED', reason: 'For ever' }],
]

const hostileText = (index: number): string => hostile[index % hostile.length] ?? ''

const code = (index: number) => ({
  title: `Finding ${index} ${hostileText(index)}`,
  description: hostileText(index + 1),
  toolName: 'a-scanner',
  ruleId: `rule ${index % 3}`,
  codeSnippet: `eval(input${index})\n  // ${hostileText(index + 2)}`,
  vulnerableLine: 20 + index,
  firstLine: 20 + index,
  fileName: `src/a dir/${index % 4}/[é] #${index}.ts`,
  category: 'CWE-79',
  patterns: ['CWE-80', 'injection'],
  severity: ['NOTIFICATION', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL'][index % 5],
  reference: 'https://example.test/a\nhttps://example.test/b?x=[1]',
  solution: index % 2 === 0 ? 'Escape it' : null,
  source: 'src/in.ts:1',
  sink: 'src/out.ts:2',
})

const component = (index: number) => ({
  title: `Vulnerable ${index} ${hostileText(index)}`,
  description: hostileText(index + 3),
  toolName: 'a-scanner',
  package: index % 3 === 0 ? `left pad ${index % 2}` : `pkg${index}`,
  affectedVersion: index % 4 === 0 ? null : '1.0.0',
  patchedVersion: '1.0.1',
  cve: index % 2 === 0 ? `CVE-2026-${1000 + (index % 6)}` : 'GHSA-2222-3333-4444',
  purl: index % 3 === 1 ? `pkg:npm/pkg${index}@1.0.0?a=b c` : null,
  fileName: 'package-lock.json',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  solution: 'Take 1.0.1',
})

const exchange = (index: number) => ({
  title: `Exchange ${index}`,
  description: hostileText(index),
  toolName: 'a-prober',
  url: `https://shop.example.test/a/${index}?q=|{x}&name=${index}`,
  method: 'GET',
  parameters: 'q',
  request: 'GET / HTTP/1.1\r\nHost: shop.example.test',
  response: hostileText(index + 1),
})

const words = {
  title: '=A vulnerability',
  description: 'What is wrong',
  solution: 'What helps',
  impactLevel: 'HIGH',
  probabilityLevel: 'LOW',
  severity: 'HIGH',
  summary: 'In short',
  impactDescription: 'What may happen',
  stepsToReproduce: 'How it shows',
  compromisedEnvironment: true,
}

const codeTypes = ['Sast', 'Iac', 'Secret', 'Mast'] as const
const componentTypes = ['Sca', 'Container'] as const

/** Fills the home's asset so that every type occurs with every status that it can have. */
export async function newStock(): Promise<ReportHome> {
  const home = await newReportHome()
  const { key } = home
  const assetId = Number(home.assetId)
  for (const [index, way] of ways.entries()) {
    const made: Data[] = []
    for (const [place, type] of codeTypes.entries()) {
      const input = { assetId, ...code(index + 10 * place) }
      made.push(await report(key, type, { ...input, branchName: 'main' }))
    }
    for (const [place, type] of componentTypes.entries()) {
      made.push(await report(key, type, { assetId, ...component(index + 10 * place) }))
    }
    made.push(await report(key, 'Dast', { assetId, ...exchange(index) }))
    made.push(
      await write(key, 'Network', {
        assetId,
        ...words,
        address: '192.0.2.7',
        protocol: 'tcp',
        port: 23,
        attackVector: 'N',
      }),
    )
    made.push(
      await write(key, 'SourceCode', {
        assetId,
        ...words,
        codeSnippet: 'x()',
        vulnerableLine: 0,
        firstLine: 0,
        fileName: 'a.js',
      }),
    )
    const { url, method, request, response } = exchange(index)
    made.push(
      await write(key, 'Web', { assetId, ...words, url, method, request, response, scheme: 'HTTPS', port: 443 }),
    )
    for (const { id } of made) {
      for (const step of way) await decide(key, { id, ...step })
    }
  }
  for (const branchName of ['feature/x', 'release']) {
    await report(key, 'Sast', { assetId, ...code(1), branchName, commitRef: 'abcdef0123456789' })
  }
  await report(key, 'Sast', {
    assetId,
    ...code(99),
    status: 'DRAFT',
    originalIssueIdFromTool: 'tool-7',
    fingerprint: 'print-7',
  })
  return home
}
