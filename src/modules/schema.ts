// The schema: every module's SDL and resolvers, put together once at startup.

import { readdirSync, readFileSync } from 'node:fs'
import {
  buildASTSchema,
  concatAST,
  type DocumentNode,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isUnionType,
  parse,
} from 'graphql'
import { transaction } from '../core/db/open.ts'
import type { Context } from './context.ts'
import { modules } from './index.ts'
import { scalars } from './scalars.ts'
import type { Resolver } from './types.ts'

type FieldResolver = GraphQLFieldResolver<unknown, Context>

const readSdl = (path: string): DocumentNode =>
  parse(readFileSync(new URL(path, import.meta.url), 'utf8'), { noLocation: true })

/** A module's SDL is in its directory, in one or more files. */
const sdlOf = (module: string): string[] =>
  readdirSync(new URL(`${module}/`, import.meta.url))
    .filter((name) => name.endsWith('.graphql'))
    .map((name) => `${module}/${name}`)

const MiB = 1024 * 1024

/**
 * `inlineUploadBytes`: the largest file inside a JSON body. Throws if a resolver has no field, or a root field no resolver.
 */
export function buildSchema({ inlineUploadBytes } = { inlineUploadBytes: MiB }): GraphQLSchema {
  const documents = ['root.graphql', ...modules.flatMap(({ name }) => sdlOf(name))].map(readSdl)
  const schema = buildASTSchema(concatAST(documents))
  giveScalars(schema, inlineUploadBytes)
  for (const { name, resolvers } of modules) {
    for (const [type, fields] of Object.entries(resolvers)) {
      for (const [field, resolver] of Object.entries(fields)) giveResolver(schema, name, type, field, resolver)
    }
  }
  requireRootResolvers(schema)
  return schema
}

function giveScalars(schema: GraphQLSchema, inlineUploadBytes: number): void {
  for (const scalar of scalars(inlineUploadBytes)) {
    const declared = schema.getType(scalar.name)
    if (!isScalarType(declared)) continue
    Object.assign(declared, {
      description: scalar.description,
      specifiedByURL: scalar.specifiedByURL,
      serialize: scalar.serialize,
      parseValue: scalar.parseValue,
      parseLiteral: scalar.parseLiteral,
    })
  }
}

function giveResolver(
  schema: GraphQLSchema,
  module: string,
  typeName: string,
  fieldName: string,
  resolver: Resolver,
): void {
  const type = schema.getType(typeName)
  if (fieldName === '__resolveType' && (isInterfaceType(type) || isUnionType(type))) {
    type.resolveType = (value, context, info) => resolver(value as never, {} as never, context, info) as string
    return
  }
  const field = isObjectType(type) ? type.getFields()[fieldName] : undefined
  if (!field) throw new Error(`The module ${module} resolves ${typeName}.${fieldName}, which its schema lacks`)
  const resolve: FieldResolver = (parent, args, context, info) =>
    resolver(parent as never, args as never, context, info)
  field.resolve = typeName === 'Mutation' ? echoClientMutationId(alone(named(resolve))) : resolve
  if ('source' in resolver) {
    const source = resolver.source as Resolver
    field.subscribe = (parent, args, context, info) => source(parent as never, args as never, context, info)
    field.resolve = (event, args, context, info) => resolver(event as never, args as never, context, info)
  }
  if ('isReadWhenGiven' in resolver) {
    field.resolve = givenOr(fieldName, resolve)
    field.extensions = { isReadWhenGiven: true }
  }
  if ('callsOut' in resolver) field.extensions = { ...field.extensions, callsOut: true }
}

const givenOr =
  (fieldName: string, resolve: FieldResolver): FieldResolver =>
  (parent, args, context, info) =>
    (parent as Record<string, unknown>)[fieldName] ?? resolve(parent, args, context, info)

/** Changes are audited under the name of their own mutation, even if the request has several. */
const named =
  (resolve: FieldResolver): FieldResolver =>
  (parent, args, context, info) =>
    resolve(parent, args, { ...context, request: { ...context.request, operation: info.fieldName } }, info)

/** A mutation that fails does not roll back earlier mutations in the same transaction. */
const alone =
  (resolve: FieldResolver): FieldResolver =>
  (parent, args, context, info) =>
    context.db.isTransaction
      ? transaction(context.db, async () => resolve(parent, args, context, info))
      : resolve(parent, args, context, info)

/** Every payload returns the clientMutationId of its input. Loads cached before the mutation are cleared. */
const echoClientMutationId =
  (resolve: FieldResolver): FieldResolver =>
  async (parent, args, context, info) => {
    const payload = await resolve(parent, args, context, info)
    context.loaders.clear()
    return { clientMutationId: args.input?.clientMutationId ?? null, ...(payload as object) }
  }

function requireRootResolvers(schema: GraphQLSchema): void {
  for (const type of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
    for (const field of Object.values(type?.getFields() ?? {})) {
      if (!field.resolve) throw new Error(`${type?.name}.${field.name} has no resolver`)
    }
  }
}
