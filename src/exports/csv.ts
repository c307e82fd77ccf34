// Writes findings as CSV (RFC 4180) in which no spreadsheet finds a formula.

import { withFormulaGuard } from '../core/own-exports.ts'
import { restOf } from './rest.ts'
import type { ExportDocument, ExportedFinding, ExportWriter } from './types.ts'

export const csv: ExportWriter = {
  format: 'csv',
  label: 'CSV',
  mediaType: 'text/csv',
  extension: '.csv',
  ofComponentsOnly: false,
  needsOne: false,
  write,
}

const columns: Readonly<Record<string, (finding: ExportedFinding) => unknown>> = {
  id: ({ id }) => id,
  asset: ({ asset }) => asset.name,
  assetId: ({ asset }) => asset.id,
  type: ({ type }) => type,
  severity: ({ severity }) => severity,
  status: ({ status }) => status,
  statusReason: ({ statusReason }) => statusReason,
  riskAcceptedUntil: ({ riskAcceptedUntil }) => riskAcceptedUntil,
  title: ({ title }) => title,
  description: ({ description }) => description,
  toolName: ({ toolName }) => toolName,
  ruleId: ({ rule }) => rule,
  originalIssueIdFromTool: ({ originalIssueIdFromTool }) => originalIssueIdFromTool,
  fingerprint: ({ fingerprint }) => fingerprint,
  tags: ({ patterns }) => patterns.join(','),
  cvssScore: ({ cvssScore }) => cvssScore,
  cvssVector: ({ cvssVector }) => cvssVector,
  cweIds: ({ cweIds }) => cweIds.map((id) => `CWE-${id}`).join(' '),
  vulnerabilityIds: ({ vulnerabilityIds }) => vulnerabilityIds.join(' '),
  branch: ({ places }) => places[0]?.branch,
  branches: ({ places }) => places.map(({ branch }) => branch).join(' '),
  fileName: ({ type, places, detail }) => (isExchange(type) ? null : (places[0]?.path ?? detail.fileName)),
  line: ({ places }) => places[0]?.line,
  commit: ({ places }) => places[0]?.commit,
  package: ({ detail }) => detail.package,
  affectedVersion: ({ detail }) => detail.affectedVersion,
  patchedVersion: ({ detail }) => detail.patchedVersion,
  packageManager: ({ detail }) => detail.packageManager,
  purl: ({ detail }) => detail.purl,
  image: ({ detail }) => detail.image,
  url: ({ detail }) => detail.url,
  method: ({ detail }) => detail.method,
  parameters: ({ detail }) => detail.parameters,
  solution: ({ solution }) => solution,
  reference: ({ reference }) => reference,
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt }) => updatedAt,
  merlon: (finding) => JSON.stringify(restOf(finding)),
}

const isExchange = (type: string): boolean => ['DAST_FINDING', 'WEB_VULNERABILITY'].includes(type)

async function* write(document: ExportDocument): AsyncGenerator<string> {
  yield lineOf(Object.keys(columns))
  for await (const finding of document.findings('BY_ID')) {
    yield lineOf(Object.values(columns).map((column) => column(finding)))
  }
}

const lineOf = (values: readonly unknown[]): string => `${values.map(cellOf).join(',')}\r\n`

/** A text that a spreadsheet would run gets an apostrophe before it; one that it may split, where semicolons separate, gets quotes. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'number' ? String(value) : withFormulaGuard(`${value}`.replaceAll('\0', ''))
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
