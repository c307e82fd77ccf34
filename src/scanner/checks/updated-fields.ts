// Checks for mass assignment in updates without text fields: extra fields show in the response, and are still there without them.

import type { Context, Sighting } from '../check.ts'
import { isObject, readJson } from '../json-leaves.ts'
import type { Exchange, Json, Operation, Point } from '../types.ts'
import { leafName, plainName } from '../values.ts'
import { isFine } from './ownership.ts'
import { candidatesAmong, nameBeside, PRIVILEGED, valuesFor } from './settable.ts'

type Updated = { readonly [name: string]: Json }

const DEEPEST = 10

export async function probeAnswered(
  operation: Operation,
  points: readonly Point[],
  context: Context,
): Promise<Sighting | null> {
  const [beside] = points
  const before = updatedIn(await context.attempt(operation), points)
  if (beside === undefined || before === null) return null
  const sent = new Set(points.map(({ name }) => leafName(name)))
  const fields = Object.entries(before).map(([name, value]) => ({ name, before: value }))
  for (const field of candidatesAmong(fields, operation, beside.name, sent)) {
    const sighting = await probeField(field, { operation, points, beside, context })
    if (sighting !== null) return sighting
  }
  return null
}

type Probed = { operation: Operation; points: readonly Point[]; beside: Point; context: Context }

async function probeField(
  { name, before }: { name: string; before: Json },
  { operation, points, beside, context }: Probed,
): Promise<Sighting | null> {
  const point: Point = { place: beside.place, name: nameBeside(beside.name, name), value: before }
  const { inTurn, refused } = valuesFor(name, before, context)
  for (const value of inTurn) {
    const exchange = await context.attempt(operation, [{ point, value }])
    if (exchange !== null && isRefusal(exchange)) {
      refused(exchange.text)
      continue
    }
    // an update may answer with what it was sent and has not kept, or with what was there before it
    const again = await context.attempt(operation)
    const isKept = again !== null && updatedIn(again, points)?.[name] === value
    await context.attempt(operation, [{ point, value: before }])
    if (!isKept) continue
    return {
      detail: `${name} was added to the request: it was ${JSON.stringify(before)} before, and stays ${JSON.stringify(value)} afterwards.`,
      proof: [`"${name}"`, String(value)],
      exchange: again,
      operation,
      point,
      severity: PRIVILEGED.test(plainName(name)) ? 'HIGH' : 'MEDIUM',
    }
  }
  return null
}

/** What fails otherwise may have kept what it was sent all the same. */
const isRefusal = ({ answer }: Exchange): boolean => answer.status >= 400 && answer.status < 500

const lastOf = (name: string): string => name.split('.').at(-1) ?? name

/** The outermost object of an answer that has a value of those that were sent, under its name. */
function updatedIn(exchange: Exchange | null, points: readonly Point[]): Updated | null {
  const wanted = new Map(points.map(({ name, value }) => [lastOf(name), value]))
  const find = (json: Json | undefined, depth: number): Updated | null => {
    if (depth > DEEPEST || !isObject(json)) return null
    const isUpdated = Object.entries(json).some(([name, value]) => wanted.has(name) && wanted.get(name) === value)
    if (isUpdated) return json
    for (const inner of Object.values(json)) {
      const found = find(inner, depth + 1)
      if (found !== null) return found
    }
    return null
  }
  return isFine(exchange) ? find(readJson(exchange.text), 0) : null
}
