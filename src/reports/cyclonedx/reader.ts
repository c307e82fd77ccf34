// Reads CycloneDX, JSON and XML: the components of a bill of materials, and what it says about their vulnerabilities (VEX).

import { firstCharacter } from '../detect.ts'
import type { ReportReader, ReportSource, Row } from '../types.ts'
import { jsonParts } from './json.ts'
import { componentRow, vulnerabilityRows } from './rows.ts'
import type { CdxComponent, Known, Part } from './types.ts'
import { xmlParts } from './xml.ts'

export const cyclonedx: ReportReader = {
  format: 'cyclonedx',
  label: 'CycloneDX JSON or XML',
  withdrawsStatements: true,
  recognises: ({ text: head }) =>
    /"bomFormat"\s*:\s*"CycloneDX"/.test(head) || /<bom\s[^>]{0,4000}cyclonedx\.org/.test(head),
  read,
}

/** The tool of a document that names none. */
const USUAL_TOOL = 'CycloneDX'

/** Components kept for references from vulnerabilities. */
const MOST_KNOWN = 500_000

/** Vulnerabilities may refer to components that come later, so a first pass collects the components, and a second yields both. */
async function* read(source: ReportSource): AsyncGenerator<Row> {
  const parts = (await firstCharacter(source)) === '<' ? xmlParts : jsonParts
  const known: Known = { components: new Map(), tool: USUAL_TOOL, image: undefined }
  for await (const part of parts(source)) learn(known, part)
  if (known.tool !== USUAL_TOOL) yield { kind: 'TOOL', toolName: known.tool }
  for await (const part of parts(source)) yield* rowsOf(known, part)
}

function learn(known: Known, part: Part) {
  if (part.kind === 'TOOL') known.tool = part.name
  if (part.kind === 'SUBJECT') {
    if (part.component.type === 'container') known.image = part.component.name
    remember(known, part.component)
  }
  if (part.kind === 'COMPONENT') remember(known, part.component)
}

/** Stored as one text: half the memory of an object, and it does not retain the report's own text. */
function remember(known: Known, { ref, name, version, purl }: CdxComponent) {
  if (ref === undefined || known.components.size >= MOST_KNOWN) return
  const [key, told] = JSON.parse(JSON.stringify([ref, JSON.stringify({ name, version, purl })]))
  known.components.set(key, told)
}

function* rowsOf(known: Known, part: Part): Iterable<Row> {
  if (part.kind === 'COMPONENT') yield componentRow(part)
  else if (part.kind === 'VULNERABILITY') yield* vulnerabilityRows(part, known)
  else if (part.kind === 'TRUNCATED' || part.kind === 'LEFT_OUT') yield part
}
