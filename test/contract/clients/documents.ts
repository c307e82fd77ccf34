// The documents that existing clients send, by name.

import { readFileSync } from 'node:fs'
import { type DocumentNode, Kind, type OperationDefinitionNode, parse, print } from 'graphql'

const read = (name: string): DocumentNode => parse(readFileSync(new URL(name, import.meta.url), 'utf8'))

/** Every operation, named by its root field. If several clients send the same field, an underscore and the client follow. */
export const clientOperations: readonly OperationDefinitionNode[] = [
  'queries.graphql',
  'mutations.graphql',
  'pipeline.graphql',
].flatMap((name) =>
  read(name).definitions.flatMap((definition) => (definition.kind === Kind.OPERATION_DEFINITION ? [definition] : [])),
)

export const nameOf = (operation: OperationDefinitionNode): string => operation.name?.value ?? ''

const byName = new Map(clientOperations.map((operation) => [nameOf(operation), print(operation)]))

/** The document with that name, as text. */
export const documentOf = (name: string): string | undefined => byName.get(name)

/** The inputs and enums that the clients use. */
export const clientTypes: DocumentNode = read('types.graphql')
