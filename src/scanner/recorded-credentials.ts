// Credentials in recorded requests, in headers of any name: identities replace them, and anonymous requests omit them.

import type { Identity, Operation } from './types.ts'

/** The operation without the headers that an identity brings, which were recorded with it since it asks for them. */
export function withoutRecorded(operation: Operation, identities: readonly Identity[]): Operation {
  if (operation.source !== 'postman' && operation.source !== 'har') return operation
  const brought = new Set(identities.flatMap(({ headers }) => headers.map(([name]) => name.toLowerCase())))
  const parameters = operation.parameters.filter(
    ({ place, name }) => place !== 'header' || !brought.has(name.toLowerCase()),
  )
  if (parameters.length === operation.parameters.length) return operation
  return { ...operation, parameters, requiresAuth: operation.requiresAuth ?? true }
}
