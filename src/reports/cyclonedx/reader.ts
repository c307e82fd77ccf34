// Reads CycloneDX, JSON and XML: components of a bill of materials, and what it says of their vulnerabilities (VEX).

import { firstCharacter } from '../detect.ts'
import type { ReportReader, ReportSource, Row } from '../types.ts'
import { jsonParts } from './json.ts'
import { componentRow, vulnerabilityRows } from './rows.ts'
import type { Known, Part } from './types.ts'
import { xmlParts } from './xml.ts'

export const cyclonedx: ReportReader = {
  format: 'cyclonedx',
  label: 'CycloneDX JSON or XML',
  recognises: ({ text: head }) => /"bomFormat"\s*:\s*"CycloneDX"/.test(head) || /<bom\s[^>]*cyclonedx\.org/.test(head),
  read,
}

/** Components that vulnerabilities may refer to. */
const MOST_KNOWN = 500_000

/** Vulnerabilities refer to components that may stand behind them: the first pass learns these, the second tells both. */
async function* read(source: ReportSource): AsyncGenerator<Row> {
  const parts = (await firstCharacter(source)) === '<' ? xmlParts : jsonParts
  const known: Known = { components: new Map(), tool: 'CycloneDX', image: undefined }
  for await (const part of parts(source)) learn(known, part)
  for await (const part of parts(source)) yield* rowsOf(known, part)
}

function learn(known: Known, part: Part) {
  if (part.kind === 'TOOL') known.tool = part.name
  if (part.kind === 'SUBJECT') {
    if (part.component.type === 'container') known.image = part.component.name
    if (part.component.ref !== undefined) known.components.set(part.component.ref, part.component)
  }
  if (part.kind === 'COMPONENT' && part.component.ref !== undefined && known.components.size < MOST_KNOWN) {
    known.components.set(part.component.ref, part.component)
  }
}

function* rowsOf(known: Known, part: Part): Iterable<Row> {
  if (part.kind === 'COMPONENT') yield componentRow(part)
  else if (part.kind === 'VULNERABILITY') yield* vulnerabilityRows(part, known)
  else if (part.kind === 'TRUNCATED' || part.kind === 'LEFT_OUT') yield part
}
