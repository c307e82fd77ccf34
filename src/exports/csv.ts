// Writes findings as CSV (RFC 4180) that no spreadsheet takes for formulas.

import type { ExportDocument, ExportedFinding, ExportWriter } from './types.ts'

export const csv: ExportWriter = {
  format: 'csv',
  label: 'CSV',
  mediaType: 'text/csv',
  extension: '.csv',
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
  title: ({ title }) => title,
  description: ({ description }) => description,
  toolName: ({ toolName }) => toolName,
  ruleId: ({ rule }) => rule,
  cvssScore: ({ cvssScore }) => cvssScore,
  cvssVector: ({ cvssVector }) => cvssVector,
  cweIds: ({ cweIds }) => cweIds.map((id) => `CWE-${id}`).join(' '),
  vulnerabilityIds: ({ vulnerabilityIds }) => vulnerabilityIds.join(' '),
  branch: ({ places }) => places[0]?.branch,
  fileName: ({ places, detail }) => places[0]?.path ?? detail.fileName,
  line: ({ places }) => places[0]?.line,
  package: ({ detail }) => detail.package,
  affectedVersion: ({ detail }) => detail.affectedVersion,
  patchedVersion: ({ detail }) => detail.patchedVersion,
  url: ({ detail }) => detail.url,
  method: ({ detail }) => detail.method,
  solution: ({ solution }) => solution,
  reference: ({ reference }) => reference,
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt }) => updatedAt,
}

async function* write(document: ExportDocument): AsyncGenerator<string> {
  yield lineOf(Object.keys(columns))
  for await (const finding of document.findings('BY_ID')) {
    yield lineOf(Object.values(columns).map((column) => column(finding)))
  }
}

const lineOf = (values: readonly unknown[]): string => `${values.map(cellOf).join(',')}\r\n`

/** A text that a spreadsheet would run gets an apostrophe before it. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'number' ? String(value) : `${value}`.replace(/^(?=[=+\-@\t\r])/, "'")
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
