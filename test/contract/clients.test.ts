// The API accepts what existing clients send: their operations, inputs and enums.

import { Kind, type OperationDefinitionNode, print, type TypeNode, typeFromAST } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/core/config.ts'
import { openDocuments } from '../../src/http/documents.ts'
import { type AllVendors, serveAllVendors } from '../testkit/all-vendors.ts'
import { administratorKey, ask } from '../testkit/client.ts'
import { clientOperations, clientTypes, nameOf } from './clients/documents.ts'
import { calls, ownVariables } from './samples/index.ts'
import { newSubject } from './samples/subject.ts'
import type { Subject } from './samples/types.ts'
import { rootFields, schema } from './schema.ts'

/** Operations that contradict another client or the rest of the contract, and so cannot be supported beside it. */
const contradictions = {
  assets_searchText: 'search is an input to other clients, String! to this one',
  createTicket: 'errors is a list of texts in every other payload, an object of unknown fields in this one',
  updateIssueAssignee: 'the input is UpdateIssueAssigneesInput to the catalogue, UpdateIssueAssigneeInput to this one',
}

const documents = openDocuments(schema, readConfig({}).limits)

function faults(operation: OperationDefinitionNode): string[] {
  const prepared = documents.prepare(print(operation))
  const refusal = 'code' in prepared ? prepared : documents.validated(prepared)
  return refusal?.errors.map(({ message }) => `${nameOf(operation)}: ${message}`) ?? []
}

describe('operations', () => {
  test('all are understood but those that are listed with the reason', () => {
    const listed = Object.keys(contradictions)

    const refused = clientOperations.filter((operation) => faults(operation).length > 0)

    console.info(`${clientOperations.length - refused.length} of ${clientOperations.length} client operations validate`)
    expect(refused.filter((operation) => !listed.includes(nameOf(operation))).flatMap(faults)).toEqual([])
    expect(listed.filter((name) => !refused.some((operation) => nameOf(operation) === name))).toEqual([])
  })

  test('no more than five in a hundred contradict others', () => {
    expect(Object.keys(contradictions).length / clientOperations.length).toBeLessThan(0.05)
  })
})

describe('answers', () => {
  let subject: Subject
  let vendors: AllVendors

  beforeAll(async () => {
    vendors = await serveAllVendors('MAKER')
    subject = await newSubject()
  })
  afterAll(() => vendors.end())

  const askable = clientOperations.flatMap((operation) => {
    const declared = operation.variableDefinitions?.map(({ variable }) => variable.name.value) ?? []
    const [field = ''] = nameOf(operation).split('_')
    const args = rootFields.find(({ name }) => name === field)?.args.map(({ name }) => name) ?? []
    const call = calls.find(({ name }) => name === field)
    const isPlain = call !== undefined && declared.every((name) => args.includes(name))
    return isPlain && faults(operation).length === 0 ? [{ name: nameOf(operation), operation, call }] : []
  })

  test.each(askable)('$name gives what its client selects', async ({ operation, call }) => {
    const variables = await ownVariables(call, subject, { fresh: true })
    const needed = { page: 1, limit: 10, params: {} }
    const key = call.administrator ? administratorKey() : subject.owner.key

    const { data, errors } = await ask(key, print(operation), { ...needed, ...variables })

    if (call.refused) expect(errors[0]?.extensions.code).toBe(call.refused.code)
    else expect(errors).toEqual([])
    if (!call.refused) expect(data[call.field]).not.toBeNull()
  })
})

/** Fields whose type differs from the catalogue's, with the reason; a client's values must be accepted all the same. */
const otherTypes: Readonly<Record<string, string>> = {}

/** Whether values of the catalogue's type are accepted: the types are equal, or ours is the nullable form. */
function isTaken(known: TypeNode, present: string): boolean {
  const wanted = print(known)
  return present === wanted || `${present}!` === wanted
}

const inputs = clientTypes.definitions.flatMap((definition) =>
  definition.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION
    ? [{ name: definition.name.value, fields: definition.fields ?? [] }]
    : [],
)

test.each(inputs)('the input $name has the fields that clients know, with their types', ({ name, fields }) => {
  const type = schema.getType(name)
  const present = type && 'getFields' in type ? type.getFields() : {}

  const differing = fields.flatMap((field) => {
    const place = `${name}.${field.name.value}`
    const now = present[field.name.value]
    if (!now) return [`${place} is missing`]
    return isTaken(field.type, String(now.type)) || otherTypes[place]
      ? []
      : [`${place} is ${now.type} where clients know ${print(field.type)}`]
  })

  expect(differing).toEqual([])
})

const enums = clientTypes.definitions.flatMap((definition) =>
  definition.kind === Kind.ENUM_TYPE_DEFINITION
    ? [{ name: definition.name.value, values: (definition.values ?? []).map((value) => value.name.value) }]
    : [],
)

const laterEnums = ['CalendarIntervalEnum']

test.each(enums.filter(({ name }) => !laterEnums.includes(name)))(
  'the enum $name has the values that clients know',
  ({ name, values }) => {
    const type = typeFromAST(schema, { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: name } })
    const present = type && 'getValues' in type ? type.getValues().map((value) => value.name) : []

    expect(values.filter((value) => !present.includes(value))).toEqual([])
  },
)
