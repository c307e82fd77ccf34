// Compatibility rules: what a changed schema takes away from clients of an earlier one.

import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  isScalarType,
  isUnionType,
} from 'graphql'

/**
 * One sentence for each thing that `now` lacks or additionally requires compared with `then`. An answer may promise
 * more than before, and an input may require less; names, arguments, defaults and enum values must stay. Additions are
 * compatible.
 */
export function incompatibilities(then: GraphQLSchema, now: GraphQLSchema): string[] {
  return Object.values(then.getTypeMap())
    .filter(({ name }) => !name.startsWith('__'))
    .flatMap((type) => ofType(type, now.getType(type.name), now))
}

function ofType(then: GraphQLNamedType, now: GraphQLNamedType | undefined, schema: GraphQLSchema): string[] {
  if (!now) return [`${then.name} is gone`]
  if (isScalarType(then) && isScalarType(now)) return []
  if (isEnumType(then) && isEnumType(now)) {
    return then
      .getValues()
      .filter(({ name }) => !now.getValue(name))
      .map(({ name }) => `${then.name}.${name} is gone`)
  }
  if (isUnionType(then) && isUnionType(now)) {
    return then
      .getTypes()
      .filter((member) => !now.getTypes().some(({ name }) => name === member.name))
      .map(({ name }) => `${then.name} has no member ${name}`)
  }
  if (isInputObjectType(then) && isInputObjectType(now)) return ofInput(then.getFields(), now.getFields(), then.name)
  const bothObjects = isObjectType(then) && isObjectType(now)
  if (!bothObjects && !(isInterfaceType(then) && isInterfaceType(now))) return [`${then.name} is of another kind`]
  const left = then
    .getInterfaces()
    .filter((wanted) => !now.getInterfaces().some(({ name }) => name === wanted.name))
    .map(({ name }) => `${then.name} is no ${name}`)
  const fields = Object.values(then.getFields()).flatMap((field) =>
    ofField(then.name, field, now.getFields()[field.name], schema),
  )
  return [...left, ...fields]
}

type InputFields = ReturnType<Extract<GraphQLNamedType, { isOneOf: boolean }>['getFields']>

function ofInput(then: InputFields, now: InputFields, type: string): string[] {
  const kept = Object.values(then).flatMap((field) => {
    const present = now[field.name]
    const place = `${type}.${field.name}`
    if (!present) return [`${place} is gone`]
    return [...ofGiven(place, field.type, present.type), ...ofDefault(place, field, present)]
  })
  const asked = Object.values(now)
    .filter((field) => isRequiredInputField(field) && !then[field.name])
    .map(({ name }) => `${type}.${name} is asked for`)
  return [...kept, ...asked]
}

type Field = GraphQLField<unknown, unknown>

function ofField(type: string, then: Field, now: Field | undefined, schema: GraphQLSchema): string[] {
  const place = `${type}.${then.name}`
  if (!now) return [`${place} is gone`]
  const answer = answers(now.type, then.type, schema) ? [] : [`${place} is ${now.type} where it was ${then.type}`]
  const kept = then.args.flatMap((argument) => {
    const present = now.args.find(({ name }) => name === argument.name)
    const at = `${place}(${argument.name})`
    if (!present) return [`${at} is gone`]
    return [...ofGiven(at, argument.type, present.type), ...ofDefault(at, argument, present)]
  })
  const asked = now.args
    .filter((argument) => isRequiredArgument(argument) && !then.args.some(({ name }) => name === argument.name))
    .map(({ name }) => `${place}(${name}) is asked for`)
  return [...answer, ...kept, ...asked]
}

const ofGiven = (place: string, then: GraphQLInputType, now: GraphQLInputType): string[] =>
  takes(now, then) ? [] : [`${place} is ${now} where it was ${then}`]

type Defaulted = Pick<GraphQLArgument, 'defaultValue'>

const ofDefault = (place: string, then: Defaulted, now: Defaulted): string[] =>
  then.defaultValue === undefined || JSON.stringify(then.defaultValue) === JSON.stringify(now.defaultValue)
    ? []
    : [`${place} has another default`]

/** Whether a client that was promised `then` can read `now`; a stronger promise is compatible. */
function answers(now: GraphQLOutputType, then: GraphQLOutputType, schema: GraphQLSchema): boolean {
  if (isNonNullType(then)) return isNonNullType(now) && answers(now.ofType, then.ofType, schema)
  if (isNonNullType(now)) return answers(now.ofType, then, schema)
  if (isListType(then)) return isListType(now) && answers(now.ofType, then.ofType, schema)
  if (isListType(now)) return false
  if (now.name === then.name) return true
  const wanted = schema.getType(then.name)
  const isMore = isObjectType(now) || isInterfaceType(now)
  return isAbstractType(wanted) && isMore && schema.isSubType(wanted, now)
}

/** Whether `now` accepts everything that `then` accepted; requiring less is compatible. */
function takes(now: GraphQLInputType, then: GraphQLInputType): boolean {
  if (isNonNullType(now)) return isNonNullType(then) && takes(now.ofType, then.ofType)
  if (isNonNullType(then)) return takes(now, then.ofType)
  if (isListType(now)) return isListType(then) && takes(now.ofType, then.ofType)
  return !isListType(then) && now.name === then.name
}
