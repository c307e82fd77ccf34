// Reads another Merlon installation's NDJSON export: its findings with their state, and components.

import { jsonRows } from '../json-rows.ts'
import type { ReportReader, ReportSource, Row } from '../types.ts'
import { at, code, type Fields, object, textAt } from '../values.ts'
import { findingRow, requireFormat } from './finding.ts'

export const merlon: ReportReader = {
  format: 'merlon',
  label: 'Merlon NDJSON',
  recognises: ({ text: head }) => /^\s*\{\s*"kind"\s*:\s*"merlon-export"/.test(head),
  read,
}

/** The last line has the number of lines before it; if it is missing or differs, the file was truncated. */
async function* read(source: ReportSource): AsyncGenerator<Row> {
  const count = { findings: 0, components: 0 }
  let scope = ''
  let lines = 0
  let isWhole = false
  const read = function* ({ value }: { value: unknown }): Generator<Row> {
    lines += 1
    const kind = textAt(value, 'kind')
    if (kind === 'merlon-export') requireFormat(value)
    else if (kind === 'finding') {
      count.findings += 1
      yield findingRow(object(value), `line ${lines}`)
    } else if (kind === 'component') {
      count.components += 1
      const own = code(at(value, 'scope'), 500) ?? ''
      if (own !== scope) yield { kind: 'SCOPE', scope: own }
      scope = own
      yield componentRow(object(value), `line ${lines}`)
    } else if (kind === 'end') {
      isWhole = at(value, 'findings') === count.findings && at(value, 'components') === count.components
    } else yield { kind: 'LEFT_OUT', at: `line ${lines}`, reason: 'It is neither a finding nor a component' }
  }
  let isTold = false
  for await (const row of jsonRows(source, [''], read)) {
    isTold ||= row.kind === 'TRUNCATED'
    yield row
  }
  if (!isWhole && !isTold) yield { kind: 'TRUNCATED', reason: 'The export does not end with the count of its lines' }
}

function componentRow(value: Fields, place: string): Row {
  const name = code(value.name)
  if (name === undefined) return { kind: 'LEFT_OUT', at: place, reason: 'The component has no name' }
  const component = {
    name,
    version: code(value.version),
    purl: code(value.purl),
    packageManager: code(value.packageManager),
    license: code(value.license),
    technology: code(value.technology),
  }
  return { kind: 'COMPONENT', at: place, component }
}
