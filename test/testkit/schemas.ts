// The official schemas of the export formats, if their directory is beside the project or MERLON_SCHEMAS names it.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import draft7 from 'ajv/dist/refs/json-schema-draft-07.json' with { type: 'json' }
import formats from 'ajv-formats'

const folder = process.env.MERLON_SCHEMAS || '../shared/schemas'

export const hasSchemas = existsSync(join(folder, 'sarif-schema-2.1.0.json'))

const files = {
  SARIF: { schema: 'sarif-schema-2.1.0.json', others: [] },
  CYCLONEDX: { schema: 'bom-1.6.schema.json', others: ['spdx.schema.json', 'jsf-0.82.schema.json'] },
  CYCLONEDX_VEX: { schema: 'bom-1.6.schema.json', others: ['spdx.schema.json', 'jsf-0.82.schema.json'] },
  OPENVEX: { schema: 'openvex.json', others: [] },
  CSAF: { schema: 'csaf-2.0.json', others: ['cvss-v2.0.json', 'cvss-v3.0.json', 'cvss-v3.1.json'] },
} as const

export type SchemaFormat = keyof typeof files

const compiled = new Map<SchemaFormat, ValidateFunction>()

/** The violations of the official schema in a document; none if the schemas are not available. */
export function faultsOf(format: SchemaFormat, document: unknown): string[] {
  if (!hasSchemas) return []
  const validate = compiled.get(format) ?? compile(format)
  compiled.set(format, validate)
  validate(document)
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

function compile(format: SchemaFormat): ValidateFunction {
  const { schema, others } = files[format]
  const main = read(schema)
  const is2020 = String(main.$schema).includes('2020-12')
  const ajv = is2020 ? new Ajv2020({ strict: false, allErrors: true }) : new Ajv({ strict: false, allErrors: true })
  formats.default(ajv)
  if (is2020) ajv.addMetaSchema(draft7)
  const isAddress = (text: string) => URL.canParse(text) && !/[\s<>"{}|\\^`]/.test(text)
  ajv.addFormat('iri', isAddress)
  ajv.addFormat('iri-reference', (text: string) => URL.canParse(text, 'https://example.test') && !/\s/.test(text))
  ajv.addFormat('idn-email', /@/)
  for (const name of others) ajv.addSchema(read(name), idOf(name))
  return ajv.compile(main)
}

/** The id by which other schemas refer to this one. */
const idOf = (name: string): string | undefined => {
  if (name.startsWith('cvss')) return `https://www.first.org/cvss/${name}`
  return undefined
}

/** These draft 4 schemas use nothing that later drafts interpret differently, apart from the name of their id. */
function read(name: string): Record<string, unknown> {
  const { id: _, ...schema } = JSON.parse(readFileSync(join(folder, name), 'utf8'))
  if (String(schema.$schema).includes('draft-04')) delete schema.$schema
  return schema
}
