// Writes everything known of findings and components, one JSON object a line, for another Merlon or any program.

import { EXPORT_FORMAT } from '../core/own-exports.ts'
import type { ExportDocument, ExportWriter } from './types.ts'

export const ndjson: ExportWriter = {
  format: 'ndjson',
  label: 'NDJSON of everything',
  mediaType: 'application/x-ndjson',
  extension: '.ndjson',
  ofComponentsOnly: false,
  needsOne: false,
  write,
}

/** The last line counts the lines before it, so that a file that was cut is known for one. */
async function* write({ company, version, at, findings, components }: ExportDocument): AsyncGenerator<string> {
  const count = { findings: 0, components: 0 }
  yield line({ kind: 'merlon-export', format: EXPORT_FORMAT, version, at, company })
  for await (const finding of findings('BY_ID')) {
    count.findings++
    yield line({ kind: 'finding', ...finding })
  }
  for await (const component of components('BY_ID')) {
    count.components++
    yield line({ kind: 'component', ...component })
  }
  yield line({ kind: 'end', ...count })
}

const line = (value: object): string => `${JSON.stringify(value)}\n`
