/** Generates a stream of requests that no client would send, for any schema, and the same one for the same seed. */
import type { GraphQLSchema } from 'graphql'
import { aroundDocuments } from './around.ts'
import { wrongBodies } from './bodies.ts'
import { hostileInside, mutations } from './inside.ts'
import { type Make, someMaterial } from './material.ts'
import { randomOf } from './random.ts'
import { storms } from './storms.ts'
import { extremeValues } from './values.ts'

/** One request. `name` is its class, a space, and `#` with its index in the stream; `body` is sent as it is. */
export type HostileDocument = { name: string; body: string; headers?: Record<string, string> }

const makers: [string, Make][] = Object.entries<Make>({
  ...aroundDocuments,
  ...hostileInside,
  ...mutations,
  ...storms,
  ...extremeValues,
  ...wrongBodies,
})

/** The classes in the order of their turns. */
export const hostileClasses: readonly string[] = makers.map(([name]) => name)

/**
 * Yields `count` requests. The classes take turns, so that any `hostileClasses.length` consecutive requests include
 * each of them; the seed decides everything else. More than a third hold a document that parses and validates, and are
 * hostile in what surrounds it.
 */
export function* hostileDocuments(schema: GraphQLSchema, seed: number, count: number): Generator<HostileDocument> {
  for (let place = 0; place < count; place++) {
    const maker = makers[place % makers.length]
    if (maker === undefined) return
    const [name, make] = maker
    const made = make(someMaterial(schema, randomOf(seed, place)))
    yield { name: `${name} #${place}`, ...(typeof made === 'string' ? { body: made } : made) }
  }
}
