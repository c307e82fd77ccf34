// SARIF that tests make: a log of runs, each of a result with its rule.

import { sarif } from '../../src/reports/sarif/reader.ts'
import { observationsIn } from './reading.ts'

export const log = (...runs: unknown[]) => ({ version: '2.1.0', runs })

export const run = (
  result: Record<string, unknown>,
  rule: Record<string, unknown> = {},
  more: Record<string, unknown> = {},
) => ({
  results: [{ ruleId: 'R1', message: { text: 'Something is wrong here.' }, ...result }],
  tool: { driver: { name: 'A Scanner', rules: [{ id: 'R1', ...rule }] } },
  ...more,
})

export const place = (uri: string, startLine = 3, more: Record<string, unknown> = {}) => ({
  physicalLocation: { artifactLocation: { uri, ...more }, region: { startLine } },
})

export const one = async (report: unknown) => (await observationsIn(sarif, report))[0] ?? {}
