// How an observation becomes a finding: nothing that a report holds makes it fail.

import { expect, test } from 'vitest'
import type { CodeObservation, ComponentObservation, ExchangeObservation } from '../../reports/types.ts'
import { findingOf } from './observations.ts'

const code = (more: Partial<CodeObservation> = {}): CodeObservation => ({
  kind: 'CODE',
  type: 'SAST_FINDING',
  toolName: 'a-scanner',
  title: 'Eval',
  ...more,
})

test('code keeps its place, its words and its ids', () => {
  const finding = findingOf(
    code({
      ruleId: 'eval',
      fileName: './src\\a.js',
      line: 7,
      column: 3,
      codeSnippet: 'eval(x)',
      cweIds: [95, 94],
      tags: ['owasp'],
      originalIssueIdFromTool: 'abc',
      otherPlaces: [{ fileName: 'b.js', line: 2 }, { fileName: 'c.js' }],
    }),
  )

  expect(finding).toMatchObject({
    type: 'SAST_FINDING',
    toolName: 'a-scanner',
    rule: 'eval',
    place: { path: 'src/a.js', line: 7, column: 3 },
    text: 'eval(x)',
  })
  expect(finding.fields).toMatchObject({
    category: 'CWE-95',
    cweIds: [94, 95],
    patterns: ['CWE-94', 'owasp'],
    originalIssueIdFromTool: 'abc',
    description: 'Also at:\n- b.js:2\n- c.js\n\nSeverity not known: a-scanner gives none.',
  })
})

test('a component is found by the id that most databases know', () => {
  const component: ComponentObservation = {
    ...code(),
    kind: 'COMPONENT',
    type: 'SCA_FINDING',
    package: 'lodash',
    affectedVersion: '4.17.4',
    vulnerabilityIds: ['GHSA-1', 'CVE-2020-1'],
  }

  const finding = findingOf(component)

  expect(finding.rule).toBe('CVE-2020-1')
  expect(finding.place.token).toBe('lodash@4.17.4')
  expect(finding.fields.detail).toMatchObject({ package: 'lodash', cve: 'CVE-2020-1' })
})

test('what is too long is cut, and what is compared stays different', () => {
  const long = (end: string) => `${'x'.repeat(200_000)}${end}`
  const of = (end: string) =>
    findingOf(
      code({
        title: long(end),
        description: long(end),
        ruleId: long(end),
        fileName: `${long('/')}${end}.js`,
        codeSnippet: long(end),
        originalIssueIdFromTool: long(end),
        fingerprint: long(end),
        reference: long(end),
        tags: [long(end)],
      }),
    )

  const [one, two] = [of('1'), of('2')]

  expect(one.fields.title).toHaveLength(2000)
  expect(one.fields.description).toHaveLength(100_000)
  expect(one.place.path).toMatch(/1\.js$/)
  expect(one.rule).not.toBe(two.rule)
  expect(one.fields.originalIssueIdFromTool).not.toBe(two.fields.originalIssueIdFromTool)
  expect(one.fields.fingerprint).not.toBe(two.fields.fingerprint)
})

test.each([
  ['no title', code({ title: ' ', ruleId: 'eval' })],
  ['characters that no database keeps', code({ title: 'a\0b\ud800', fileName: 'a\0.js', toolName: 'x\0' })],
  ['numbers out of range', code({ line: 2 ** 40, column: -1, cvssScore: 11, firstLine: 1.5 })],
  ['a path of long characters', code({ fileName: '漢'.repeat(1000), ruleId: '漢'.repeat(5000) })],
])('%s is no reason to leave a row out', (_, observation) => {
  const finding = findingOf(observation)

  expect(finding.fields.title.length).toBeGreaterThan(0)
  expect(JSON.stringify(finding)).not.toContain('\\u0000')
})

test('an exchange is told by its address and the names of its parameters', () => {
  const exchange: ExchangeObservation = {
    ...code(),
    kind: 'EXCHANGE',
    type: 'DAST_FINDING',
    url: 'https://shop.example.test/search?q=1',
    method: 'GET',
    port: 70_000,
  }

  const finding = findingOf(exchange)

  expect(finding.place.path).toBe('https://shop.example.test/search')
  expect(finding.fields.detail).not.toHaveProperty('port')
})
