// Finds objects below a user's own object: for `/users/{id}/orders/{order}`, an order that `/users/{id}/orders` lists for its owner.

import type { Context } from '../check.ts'
import { readJson } from '../json-leaves.ts'
import { mayNameAccounts } from '../resets.ts'
import type { Change, Identity, Operation, Point } from '../types.ts'
import { resourceOf } from '../values.ts'
import { collect, isFine, type Known, ownReferences } from './ownership.ts'

/** The parameters of a path, from left to right. */
const namesIn = (path: string): string[] => [...path.matchAll(/\{([^{}]{1,100})\}/g)].map(([, name = '']) => name)

/** The objects that the path names, from left to right. */
export const namedInPath = ({ path, parameters }: Operation): string[] =>
  namesIn(path).flatMap(
    (name) => parameters.find((parameter) => parameter.place === 'path' && parameter.name === name)?.value ?? [],
  )

/** The operation about the owner's thing of that value, and about what its owner has below it as far as lists say. */
export async function withOwnBelow(
  given: Operation,
  reference: Point,
  value: string,
  owner: Identity,
  context: Context,
): Promise<Operation> {
  if (reference.place !== 'path') return given
  let operation = withNamed(given, reference.name, value)
  const names = namesIn(given.path)
  for (const name of names.slice(names.indexOf(reference.name) + 1)) {
    const listed = await listedBelow(operation, name, owner, context)
    if (listed === null) break
    operation = withNamed(operation, name, listed)
  }
  return operation
}

/** The path values of one operation, applied to another with parameters of the same names. */
export const namedAlike = (operation: Operation, other: Operation, context: Context): Change[] =>
  context.pointsOf(other).flatMap((point) => {
    const same = operation.parameters.find(
      ({ place, name }) => place === 'path' && place === point.place && name === point.name,
    )
    return same ? [{ point, value: same.value }] : []
  })

/** A value for that name from what the path before it answers the owner with. */
async function listedBelow(
  operation: Operation,
  name: string,
  owner: Identity,
  context: Context,
): Promise<string | null> {
  const before = operation.path.split(`/{${name}}`)[0]
  const list = context.operations.find(
    ({ kind, origin, path }) => kind === 'read' && origin === operation.origin && path === before,
  )
  const point = context.pointsOf(operation).find((one) => one.place === 'path' && one.name === name)
  if (list === undefined || point === undefined || !mayNameAccounts(list, context)) return null
  const exchange = await context.attempt(list, namedAlike(operation, list, context), { identity: owner })
  const json = isFine(exchange) ? readJson(exchange.text) : undefined
  if (json === undefined) return null
  const leaves: Known[] = []
  collect(json, resourceOf(list), leaves)
  const none: ReadonlySet<string> = new Set()
  const listed = { leaves, values: none, rightful: none, accounts: none, marks: none }
  return ownReferences(point, operation, listed, []).find(({ isOwn }) => isOwn)?.value ?? null
}

const withNamed = (operation: Operation, name: string, value: string): Operation => ({
  ...operation,
  parameters: operation.parameters.map((parameter) =>
    parameter.place === 'path' && parameter.name === name ? { ...parameter, value } : parameter,
  ),
})
