// What can be asked of a target: from its description, from its pages, or from both.

import type { Exchange, HttpRequest, Operation, ScanOptions, Scope, SeedFormat, SendOptions } from '../types.ts'
import { readDocument } from './document.ts'
import { fromOpenApi } from './openapi.ts'

export type SeedInput = {
  options: ScanOptions
  target: URL
  scope: Scope
  send: (request: HttpRequest, options?: SendOptions) => Promise<Exchange>
  signal: AbortSignal
}

/** The description cannot be read: one sentence that may be shown. */
export class SeedFault extends Error {
  override readonly name = 'SeedFault'
}

export async function seedsOf({ options, target }: SeedInput): Promise<Operation[]> {
  const { schema } = options
  if (!schema) return []
  return readSchema(schema, options.format ?? null, target)
}

function readSchema({ text }: { name: string; text: string }, _format: SeedFormat | null, target: URL): Operation[] {
  const document = readDocument(text)
  if (document === null) throw new SeedFault('the description is neither JSON nor YAML')
  return fromOpenApi(document, target)
}
