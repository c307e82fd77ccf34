// What a module gives to the application: resolvers, plain HTTP routes, and tasks of the worker.

import type { Readable } from 'node:stream'
import type { GraphQLResolveInfo } from 'graphql'
import type { Reading } from '../core/uploads.ts'
import type { Context, Viewer, WorkParts } from './context.ts'

/** A resolver translates: arguments in, one service call, payload out. Lists read from `info` which fields are selected. */
export type Resolver = (parent: never, args: never, context: Context, info: GraphQLResolveInfo) => unknown

/** Marks a resolver that is skipped if the record already has a value under the field's name, as rows of a list may. */
type UnlessGiven = { isReadWhenGiven: true }

export const unlessGiven = <R extends Resolver>(resolver: R): R & UnlessGiven =>
  Object.assign(resolver, { isReadWhenGiven: true } as const)

/**
 * Marks the resolver of a mutation, or of a field below one, that waits for other hosts. Under an Idempotency-Key it runs outside of any
 * transaction; resolvers without the mark may call no host then.
 */
type CallsOut = { callsOut: true }

export const callsOut = <R extends Resolver>(resolver: R): R & CallsOut =>
  Object.assign(resolver, { callsOut: true } as const)

/** A field of Subscription: `source` returns the stream of events, and the resolver turns each into the field's value. */
type Following = Resolver & { source: Resolver }

export const following = (source: Resolver, show: Resolver): Following =>
  Object.assign((...args: Parameters<Resolver>) => show(...args), { source })

/** Type → field → resolver; `__resolveType` of an interface names the type of a value. */
export type Resolvers = Record<string, Record<string, Resolver>>

/** A plain HTTP answer; the body is text, bytes, or a stream of bytes. */
export type Answer = { status: number; headers: Record<string, string>; body: string | Buffer | Readable | null }

/** `isHead`: a HEAD request, which only asks for headers. */
export type RouteRequest = {
  isHead: boolean
  params: Record<string, string>
  query: Record<string, string>
  headers: Record<string, string>
}

/** A GET route beside the endpoint, which requires a key or is public. */
export type Route =
  | { path: string; access: 'key'; answer: (context: Context, request: RouteRequest) => Promise<Answer> }
  | { path: string; access: 'public'; answer: (parts: WorkParts, request: RouteRequest) => Promise<Answer> }

/** A call from outside, with its raw body. */
export type Delivery = RouteRequest & { body: Buffer }

/** A POST route for webhook calls, which are authenticated by their content; `largest` is the largest body in bytes. */
export type Receiver = {
  path: string
  largest: number
  /** Called before the body is read: an answer ends the call, null lets it continue. */
  admit: (parts: WorkParts, request: RouteRequest) => Promise<Answer | null>
  receive: (parts: WorkParts, delivery: Delivery) => Promise<Answer>
}

/** A task of the worker, safe to run twice; `cron` starts it by itself (minute hour day month weekday). */
export type Task = {
  name: string
  cron?: string
  /** The task waits for outside hosts, so it runs in a queue of its own and does not hold up the others. */
  callsOut?: true
  /** The task runs for minutes to hours, so it does not take one of the slots of the others. */
  lastsLong?: true
  /** `leaving` is aborted when the process is about to end, some seconds after it was told to. */
  run: (parts: WorkParts, payload: unknown, leaving?: AbortSignal) => Promise<void>
}

/**
 * Starts reading a file while it is being uploaded. `place` is its position in the operations, such as `variables.input.diffContent`.
 * Null if the module has no use for the file, or the viewer lacks the permission for it.
 */
export type OpenReading = (place: string, viewer: Viewer) => Reading | null

export type Module = {
  name: string
  resolvers: Resolvers
  routes?: readonly Route[]
  receivers?: readonly Receiver[]
  tasks?: readonly Task[]
  openReading?: OpenReading
}
