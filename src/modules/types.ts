// What a module gives to the application: resolvers, plain HTTP routes, and tasks of the worker.

import type { Readable } from 'node:stream'
import type { GraphQLResolveInfo } from 'graphql'
import type { Reading } from '../core/uploads.ts'
import type { Context, Viewer, WorkParts } from './context.ts'

/** A resolver translates: arguments in, one service call, payload out. `info` tells a list what is selected of it. */
export type Resolver = (parent: never, args: never, context: Context, info: GraphQLResolveInfo) => unknown

/** Marks a resolver that is skipped when the record already has a value under the field's name, as rows of a list do that select it. */
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

/** A field of Subscription: `source` gives what is followed, the resolver itself each of it as it is shown. */
type Following = Resolver & { source: Resolver }

export const following = (source: Resolver, show: Resolver): Following =>
  Object.assign((...args: Parameters<Resolver>) => show(...args), { source })

/** Type → field → resolver; `__resolveType` of an interface names the type of a value. */
export type Resolvers = Record<string, Record<string, Resolver>>

/** A plain HTTP answer; a string or a stream of bytes. */
export type Answer = { status: number; headers: Record<string, string>; body: string | Buffer | Readable | null }

/** `isHead`: the headers alone are asked for. */
export type RouteRequest = {
  isHead: boolean
  params: Record<string, string>
  query: Record<string, string>
  headers: Record<string, string>
}

/** A GET route beside the endpoint: behind a key, or open to everybody. */
export type Route =
  | { path: string; access: 'key'; answer: (context: Context, request: RouteRequest) => Promise<Answer> }
  | { path: string; access: 'public'; answer: (parts: WorkParts, request: RouteRequest) => Promise<Answer> }

/** A call of somebody outside, with its body as it came. */
export type Delivery = RouteRequest & { body: Buffer }

/** A POST route for calls of others, who prove themselves by what they send; `largest` in bytes. */
export type Receiver = {
  path: string
  largest: number
  /** Asked before the body is read: an answer ends the call, null lets it on. */
  admit: (parts: WorkParts, request: RouteRequest) => Promise<Answer | null>
  receive: (parts: WorkParts, delivery: Delivery) => Promise<Answer>
}

/** A task of the worker, safe to run twice; `cron` starts it by itself (minute hour day month weekday). */
export type Task = {
  name: string
  cron?: string
  /** It waits for hosts outside, and so runs beside the others, where it keeps none of them waiting. */
  callsOut?: true
  /** It runs for minutes to hours, and so beside all others, of which it takes no slot. */
  lastsLong?: true
  /** With `leaving` the process is about to end, some seconds after it was told to. */
  run: (parts: WorkParts, payload: unknown, leaving?: AbortSignal) => Promise<void>
}

/**
 * Opens the reading of a file while it arrives; `place` is where the operations name it, such as `variables.input.diffContent`.
 * Null where the module has no use for it, or the viewer may not do what it is for.
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
