// Asks everything once with normal values: reads, then creates, then updates; what answers give is used by what comes after.

import type { Seen } from './seen.ts'
import { isTurnedAway, type Session } from './session.ts'
import type { Context, Operation, OperationKind, Parameter } from './types.ts'
import type { ValueBank } from './values.ts'

type Work = {
  operations: readonly Operation[]
  sessions: readonly Session[]
  main: Session
  context: Context
  bank: ValueBank
  seen: Seen
}

const order: readonly OperationKind[] = ['read', 'create', 'update', 'delete']

/** The operations with the values that answers gave, in the order in which they are scanned. */
export async function firstPass({ operations, main, sessions, context, bank, seen }: Work): Promise<Operation[]> {
  const others = sessions.filter((session) => session !== main)
  const settled: Operation[] = []
  for (const kind of order) {
    const group = operations.filter((operation) => operation.kind === kind)
    // what takes an id from another's answer comes after what gives it
    group.sort((a, b) => needs(a) - needs(b))
    for (const given of group) {
      const operation = withKnownValues(given, bank)
      settled.push(operation)
      const exchange = await context.attempt(operation)
      if (!exchange) continue
      bank.learn(operation, exchange)
      seen.keep(operation, main.identity.name, exchange)
      if (kind === 'read' && others.length > 0) {
        for (const other of others) {
          const theirs = await context.attempt(operation, [], { identity: other.identity })
          if (theirs) seen.keep(operation, other.identity.name, theirs)
        }
      }
      if (kind === 'read' && !main.canary && main.identity.login && exchange.answer.status < 300) {
        const nobody = await context.attempt(operation, [], { identity: null })
        if (nobody) seen.keep(operation, null, nobody)
        if (nobody && isTurnedAway(nobody)) {
          main.canary = exchange
          for (const other of others) {
            const theirs = seen.find(operation, other.identity)
            if (theirs && theirs.answer.status < 300) other.canary = theirs
          }
        }
      }
    }
  }
  // lists that were empty before creates have something now
  return settled.map((operation) => withKnownValues(operation, bank))
}

const needs = (operation: Operation) => operation.parameters.filter(({ place }) => place === 'path').length

/** The operation with values from answers in place of made-up ones; what the description gives as an example stays. */
export function withKnownValues(operation: Operation, bank: ValueBank): Operation {
  const parameters = operation.parameters.map((parameter): Parameter => {
    if (parameter.place === 'header' || parameter.place === 'cookie' || !isMadeUp(parameter)) return parameter
    const value = bank.find(operation, parameter.name)
    return value === undefined ? parameter : { ...parameter, value }
  })
  return { ...operation, parameters }
}

const isMadeUp = ({ schema, place, name }: Parameter) =>
  schema !== undefined &&
  schema.example === undefined &&
  schema.default === undefined &&
  schema.enum === undefined &&
  (place === 'path' || /id$|uuid|guid/i.test(name))
