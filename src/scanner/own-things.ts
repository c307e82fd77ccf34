// Reads what belongs to the account where a made-up id is refused: with the id that the sign-in told, whatever an account is called there.

import type { Context } from './check.ts'
import { leavesOf, readJson } from './json-leaves.ts'
import type { Exchange, Operation } from './types.ts'
import { isMadeUpValue, leafName } from './values.ts'

/** An id of whoever signs in, and not of the token. */
const OWN_ID = /^(user|account|member|customer|client|profile|owner)(id|uuid|guid)$/
const REFUSED = [403, 404]

/** Null if the answer to the sign-in names none. */
export function ownIdTold(opened: Exchange | null): string | null {
  const json = readJson(opened?.text ?? '')
  const told = json === undefined ? undefined : leavesOf(json).find(({ name }) => OWN_ID.test(leafName(name)))
  return typeof told?.value === 'string' || typeof told?.value === 'number' ? String(told.value) : null
}

type Asked = { operation: Operation; exchange: Exchange | null }

/** The operation with the account's own id, if only that gets an answer; the given one otherwise. */
export async function askedAsOwn(
  asked: Asked,
  ownId: string | null,
  { attempt }: Pick<Context, 'attempt'>,
): Promise<Asked> {
  const { operation, exchange } = asked
  const [parameter, ...more] = operation.parameters.filter(({ place }) => place === 'path')
  if (ownId === null || operation.kind !== 'read' || parameter === undefined || more.length > 0) return asked
  if (!isMadeUpValue(parameter.schema) || !exchange || !REFUSED.includes(exchange.answer.status)) return asked
  const parameters = operation.parameters.map((one) => (one === parameter ? { ...one, value: ownId } : one))
  const own = { ...operation, parameters }
  const again = await attempt(own)
  return again && again.answer.status < 300 ? { operation: own, exchange: again } : asked
}
