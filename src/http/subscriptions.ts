// Subscriptions at /graphql over graphql-transport-ws: each event is executed separately, with the subscriber's permissions at that moment.

import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  parse,
} from 'graphql'
import type { Server, SubscribePayload } from 'graphql-ws'
import { makeServer } from 'graphql-ws'
import { ApplicationError } from '../core/errors.ts'
import type { Context, Viewer } from '../modules/context.ts'
import type { Documents } from './documents.ts'
import { type ShownError, showDocumentError, showError, showFieldError } from './errors.ts'
import { documentLimitsOf, exceededLimit } from './limits.ts'
import { rootFields } from './operation-name.ts'
import type { RateLimit } from './rate.ts'
import type { ServerParts } from './server-parts.ts'

/** Milliseconds within which a connection must authenticate. */
const INIT_WAIT = 10_000
const MOST_SUBSCRIPTIONS = 20

/** The party behind a connection. `findViewer` looks the key or the session up again; null once it has ended. */
export type Subscriber = {
  address: string
  requestId: string
  findViewer: (params: Readonly<Record<string, unknown>>) => Promise<Viewer | null>
  close: (code: number, reason: string) => void
  viewer: Viewer | null
  params: Readonly<Record<string, unknown>>
}

type Shared = { schema: GraphQLSchema; documents: Documents; rates: RateLimit; parts: ServerParts }

/** The events of an accepted subscription, and what they are executed with. */
type Source = {
  events: AsyncIterator<unknown>
  document: DocumentNode
  operationName: string | undefined
  variables: Record<string, unknown>
  operation: string
}

/** The protocol's server; a connection is opened with its Subscriber as `extra`. */
export function openSubscriptions(shared: Shared): Server<Subscriber> {
  const { parts } = shared
  return makeServer<Record<string, unknown>, Subscriber>({
    connectionInitWaitTimeout: INIT_WAIT,
    async onConnect({ extra, connectionParams = {} }) {
      extra.params = connectionParams
      extra.viewer = await extra.findViewer(connectionParams)
      if (extra.viewer !== null) return true
      extra.close(4401, 'Unauthorized')
      return false
    },
    async onSubscribe({ extra, subscriptions }, _, payload) {
      const source = await openSource(shared, extra, Object.keys(subscriptions).length, payload).catch(
        (error: unknown) =>
          new Refusal([
            showFieldError(new GraphQLError('', { originalError: error as Error }), parts.log, extra.requestId),
          ]),
      )
      if (source instanceof Refusal) return { schema: shared.schema, document: NOTHING, rootValue: source }
      const { document, operationName } = source
      return { schema: shared.schema, document, operationName: operationName ?? null, rootValue: source }
    },
    subscribe: ({ rootValue, contextValue }) => {
      if (rootValue instanceof Refusal) return refused(rootValue)
      // what is shown differs from what graphql-js would send in the class of its errors alone
      return executed(shared, contextValue as unknown as Subscriber, rootValue as Source) as AsyncGenerator<never>
    },
    context: ({ extra }) => extra,
    // errors are shown as they are to be sent
    onNext: (_context, _id, _payload, _args, result) => result as never,
    onError: (_context, _id, _payload, errors) => shownOf(errors, parts, _context.extra.requestId) as never,
  })
}

/** A refused subscription; the protocol's server sends the errors and ends it. */
class Refusal extends Error {
  readonly shown: readonly ShownError[]
  constructor(shown: readonly ShownError[]) {
    super('refused')
    this.shown = shown
  }
}

/** Stands in for a document that may not be executed. */
const NOTHING = parse('subscription { __typename }')

// biome-ignore lint/correctness/useYield: it has nothing to give
async function* refused(refusal: Refusal): AsyncGenerator<never> {
  throw refusal
}

const refuse = ({ requestId }: Subscriber, error: ApplicationError): Refusal =>
  new Refusal([showError(error, requestId)])

const shownOf = (errors: readonly GraphQLError[], { log }: ServerParts, requestId: string): readonly ShownError[] => {
  const [first] = errors
  if (first?.originalError instanceof Refusal) return first.originalError.shown
  return errors.map((error) => showFieldError(error, log, requestId))
}

/** Applies the limits of all documents, and opens the source of events; returns GraphQL errors if it is refused. */
async function openSource(
  { schema, documents, rates, parts }: Shared,
  subscriber: Subscriber,
  open: number,
  { query, operationName, variables }: SubscribePayload,
): Promise<Source | Refusal> {
  const { requestId } = subscriber
  if (open > MOST_SUBSCRIPTIONS) {
    return refuse(
      subscriber,
      new ApplicationError('RATE_LIMITED', `A connection has ${MOST_SUBSCRIPTIONS} subscriptions at most`),
    )
  }
  const viewer = await requireViewer(subscriber)
  if (viewer === null) return new Refusal([])
  const seconds = rates.take(viewer.keyId)
  if (seconds !== null)
    return refuse(subscriber, new ApplicationError('RATE_LIMITED', `This key may ask again in ${seconds} seconds`))
  const prepared = documents.prepare(query)
  if ('code' in prepared)
    return new Refusal(prepared.errors.map((error) => showDocumentError(error, prepared.code, requestId)))
  const given = { ...variables }
  const name = operationName ?? undefined
  const cost = documents.measure(prepared, name, given)
  const exceeded = exceededLimit(cost, documentLimitsOf(parts.config.limits))
  if (exceeded) return refuse(subscriber, new ApplicationError('QUERY_TOO_COMPLEX', exceeded))
  const refusal = documents.validated(prepared)
  if (refusal) return new Refusal(refusal.errors.map((error) => showDocumentError(error, refusal.code, requestId)))
  const operation = getOperationAST(prepared.document, name)
  if (operation?.operation !== 'subscription') {
    return refuse(
      subscriber,
      new ApplicationError('BAD_REQUEST', 'Only subscriptions are taken here; send queries and mutations by POST'),
    )
  }
  const field = rootFields(prepared.document, name)
  const opened = await createSourceEventStream({
    schema,
    document: prepared.document,
    contextValue: contextOf(parts, subscriber, viewer, field),
    variableValues: given,
    operationName: name,
  })
  if (!(Symbol.asyncIterator in opened)) {
    return new Refusal((opened.errors ?? []).map((error) => showFieldError(error, parts.log, requestId)))
  }
  return {
    events: opened[Symbol.asyncIterator](),
    document: prepared.document,
    operationName: name,
    variables: given,
    operation: field,
  }
}

/** The viewer at this moment; closes the connection if its key or session has ended. */
async function requireViewer(subscriber: Subscriber): Promise<Viewer | null> {
  const viewer = await subscriber.findViewer(subscriber.params)
  if (viewer === null) subscriber.close(4403, 'Forbidden')
  subscriber.viewer = viewer
  return viewer
}

const contextOf = (
  parts: ServerParts,
  { requestId, address }: Subscriber,
  viewer: Viewer,
  operation: string,
): Context => ({
  ...parts,
  viewer,
  request: { id: requestId, address, operation },
  loaders: new Map(),
})

type Shown = { data: ExecutionResult['data']; errors?: ShownError[] }

/**
 * The answers to a subscription, one per event, each made once the previous one was sent. Ends after an answer without data, such as one that the
 * viewer may no longer see.
 */
function executed({ schema, parts }: Shared, subscriber: Subscriber, source: Source): AsyncGenerator<Shown> {
  const { events, document, operationName, variables, operation } = source
  let hasEnded = false
  const end = async (): Promise<IteratorReturnResult<undefined>> => {
    hasEnded = true
    await events.return?.()
    return { done: true, value: undefined }
  }
  const next = async (): Promise<IteratorResult<Shown>> => {
    if (hasEnded) return { done: true, value: undefined }
    const event = await events.next()
    if (event.done || hasEnded) return end()
    const viewer = await requireViewer(subscriber)
    if (viewer === null) return end()
    const result = await execute({
      schema,
      document,
      rootValue: event.value,
      contextValue: contextOf(parts, subscriber, viewer, operation),
      variableValues: variables,
      operationName,
    })
    if (result.data == null) await end()
    const errors = result.errors?.map((error) => showFieldError(error, parts.log, subscriber.requestId))
    return { done: false, value: { data: result.data ?? null, ...(errors ? { errors } : {}) } }
  }
  const generator: AsyncGenerator<Shown> = {
    next,
    return: end,
    throw: async (error: unknown) => {
      await end()
      throw error
    },
    [Symbol.asyncIterator]: () => generator,
    [Symbol.asyncDispose]: async () => void (await end()),
  }
  return generator
}
