// The documents that existing clients send, by their names.

import { readFileSync } from 'node:fs'
import { type DocumentNode, Kind, type OperationDefinitionNode, parse, print } from 'graphql'

const read = (name: string): DocumentNode => parse(readFileSync(new URL(name, import.meta.url), 'utf8'))

/** Every operation, named by its root field and, behind an underscore, the client that sends it so. */
export const clientOperations: readonly OperationDefinitionNode[] = [
  'queries.graphql',
  'mutations.graphql',
  'pipeline.graphql',
].flatMap((name) =>
  read(name).definitions.flatMap((definition) => (definition.kind === Kind.OPERATION_DEFINITION ? [definition] : [])),
)

export const nameOf = (operation: OperationDefinitionNode): string => operation.name?.value ?? ''

const byName = new Map(clientOperations.map((operation) => [nameOf(operation), print(operation)]))

/** The document of that name, as text. */
export const documentOf = (name: string): string | undefined => byName.get(name)

/** The inputs and enums that the clients know. */
export const clientTypes: DocumentNode = read('types.graphql')
