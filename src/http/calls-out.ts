// Finds operations that call other hosts, by the mark callsOut on their fields.

import { BREAK, type DocumentNode, type GraphQLSchema, TypeInfo, visit, visitWithTypeInfo } from 'graphql'

/** Whether any field of a valid document is marked callsOut. */
export function callsOutAnywhere(schema: GraphQLSchema, document: DocumentNode): boolean {
  const types = new TypeInfo(schema)
  let isMarked = false
  const Field = () => {
    isMarked = types.getFieldDef()?.extensions.callsOut === true
    return isMarked ? BREAK : undefined
  }
  visit(document, visitWithTypeInfo(types, { Field }))
  return isMarked
}
