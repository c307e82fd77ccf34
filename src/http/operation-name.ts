// Names an operation, for the log and the audit records, by the root fields that it selects.

import { type DocumentNode, getOperationAST, Kind, type SelectionSetNode } from 'graphql'

/** The most fields that are named; of further ones only the number is given. */
const TOLD = 5

/** The distinct root fields of a valid operation, those in fragments included, such as `createSeal createTicket`. */
export function rootFields(document: DocumentNode, operationName: string | undefined): string {
  const operation = getOperationAST(document, operationName)
  if (!operation) return ''
  const names = [...new Set(fieldsOf(document, operation.selectionSet))]
  const told = names.slice(0, TOLD)
  return [...told, ...(names.length > TOLD ? [`+${names.length - TOLD}`] : [])].join(' ')
}

function* fieldsOf(document: DocumentNode, { selections }: SelectionSetNode): Iterable<string> {
  for (const selection of selections) {
    if (selection.kind === Kind.FIELD) yield selection.name.value
    else if (selection.kind === Kind.INLINE_FRAGMENT) yield* fieldsOf(document, selection.selectionSet)
    else {
      const fragment = document.definitions.find(
        (definition) => definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === selection.name.value,
      )
      if (fragment?.kind === Kind.FRAGMENT_DEFINITION) yield* fieldsOf(document, fragment.selectionSet)
    }
  }
}
