// The fields that a client may not be meant to set, and other values for them.

import type { Context } from '../check.ts'
import { wordsNamed } from '../named-words.ts'
import type { Json, Operation, Schema } from '../types.ts'
import { plainName } from '../values.ts'
import { otherRoles } from './roles.ts'

export const PRIVILEGED =
  /^(is)?(admin|administrator|superuser|staff|root|moderator|verified|emailverified|active|approved|premium|paid)$|^(user)?(role|roles|rolename|permissions?|privileges?|usertype|accounttype|group|groups|level|tier|plan|scopes?)$|balance|credit|discount|price|total|amount|quota|^(owner|ownerid|userid|customerid|tenantid|companyid|organi[sz]ationid)$/

const MOST_FIELDS = 6

/** Fields that the server sets and that are harmless if a client can set them too. */
const MINOR =
  /^(id|uuid|guid|pk|created|updated|createdat|updatedat|createdon|updatedon|timestamp|date|time|url|href|link|links|slug|version|etag|token|message|success|count)$/

/** The fields of the created or changed object that were not sent, rights and money first. */
export function candidatesAmong<One extends { name: string; before: Json }>(
  fields: readonly One[],
  operation: Operation,
  beside: string,
  sent: ReadonlySet<string>,
): One[] {
  return fields
    .filter(
      ({ name, before }) =>
        !sent.has(plainName(name)) &&
        isSettable(operation, beside, name) &&
        typeof before !== 'object' &&
        !MINOR.test(plainName(name)),
    )
    .filter(({ name }, index, all) => all.findIndex((other) => other.name === name) === index)
    .sort((one, other) => rank(one.name) - rank(other.name))
    .slice(0, MOST_FIELDS)
}

const rank = (name: string): number => (PRIVILEGED.test(plainName(name)) ? 0 : 1)

/** A field that the request's description has is meant to be set; without a description its name decides. */
function isSettable({ body, source }: Operation, beside: string, name: string): boolean {
  const way = beside.split('.').slice(0, -1)
  const object = way.reduce<Schema | undefined>(
    (schema, member) => schema?.properties?.[member] ?? schema?.items,
    body?.type === 'json' ? body.schema : undefined,
  )
  const described = object?.properties
  if (described !== undefined) return !Object.hasOwn(described, name)
  return source === 'openapi' || PRIVILEGED.test(plainName(name))
}

/** The name of a field of the object in which `beside` stands. */
export const nameBeside = (beside: string, name: string): string => [...beside.split('.').slice(0, -1), name].join('.')

/** Other values of the same kind; for a role several, since a target may know only roles of its own. */
function othersFor(name: string, before: Json, context: Context): Json[] {
  if (typeof before === 'boolean') return [!before]
  if (typeof before === 'number') return [before + context.number(3)]
  if (typeof before === 'string' && before !== '' && Number.isFinite(Number(before)))
    return [String(Number(before) + context.number(3))]
  if (typeof before === 'string')
    return /role|type|group|level|tier|plan/i.test(name) ? otherRoles(before) : [context.word()]
  return before === null && PRIVILEGED.test(plainName(name)) ? [true] : []
}

/** Values that a refusal names as allowed. */
const othersNamed = (before: Json, refusal: string): Json[] =>
  typeof before === 'string' ? wordsNamed(refusal).filter((word) => word !== before) : []

/** Values to try for a field, in order; `refused` receives the text of each refusal. */
type Values = { inTurn: Iterable<Json>; refused: (text: string) => void }

/**
 * Other values of the same kind, and behind them what the first refusal that names some says: a target may name others each time,
 * and is not followed without an end.
 */
export function valuesFor(name: string, before: Json, context: Context): Values {
  const others = othersFor(name, before, context)
  let named: readonly Json[] = []
  function* inTurn(): Generator<Json> {
    yield* others
    yield* named.filter((word) => !others.includes(word))
  }
  return {
    inTurn: inTurn(),
    refused: (text) => {
      if (named.length === 0) named = othersNamed(before, text)
    },
  }
}
