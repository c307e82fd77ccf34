// What is for people who forgot their password: without leave it is asked with names and codes alone that nobody can have.

import { randomUUID } from 'node:crypto'
import { pointsOf } from './points.ts'
import { number, word } from './random-values.ts'
import { replaced } from './replaced.ts'
import { asksForReset } from './seed/names.ts'
import type { Context, Json, Operation, Point } from './types.ts'

/** Whether an operation may replace the password of whoever it is asked for. */
export const isReset = ({ key, isForForgotten }: Pick<Operation, 'key' | 'isForForgotten'>): boolean =>
  isForForgotten === true || asksForReset(key)

/** Whether an operation may be asked about accounts that exist, or with conditions that any account meets. */
export const mayNameAccounts = (
  operation: Operation,
  { allowsDestructive }: Pick<Context, 'allowsDestructive'>,
): boolean => allowsDestructive || !isReset(operation)

/** Names of people and accounts, and of what is sent to them to choose another password with. */
const ACCOUNT =
  /mail|user|login|account|member|customer|client|person|people|owner|recipient|contact|phone|mobile|msisdn|name$|(^|[^a-z])(u?id|uuid|guid|sub|to)$|Ids?$|identi(ty|fier)|number$|token|code|otp|pin$|key$|hash/i

/** The operation with names, numbers and codes that nobody has, whatever its description or its page has in their place. */
export function withNobody(operation: Operation): Operation {
  if (!isReset(operation)) return operation
  const changes = pointsOf(operation).flatMap((point) => {
    if (!namesAccount(point) || operation.tokens?.includes(point.name)) return []
    return [{ point, value: madeUpLike(point) }]
  })
  return replaced(operation, changes)
}

function namesAccount({ place, name, value, schema }: Point): boolean {
  if (place === 'header' || place === 'cookie' || place === 'file' || schema?.enum !== undefined) return false
  if (typeof value !== 'string' && typeof value !== 'number') return false
  return place === 'path' || String(value).includes('@') || ACCOUNT.test(name.split('.').at(-1) ?? name)
}

function madeUpLike({ name, value, schema }: Point): Json {
  const text = String(value)
  if (text.includes('@') || schema?.format === 'email' || /mail/i.test(name)) return `${word()}@example.com`
  if (schema?.format === 'uuid' || /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(text)) return randomUUID()
  // of the numbers that are kept for fiction
  if (/^\+\d{7,15}$/.test(text)) return `+1555010${number(4)}`
  if (typeof value === 'number') return number(9)
  return /^\d{1,20}$/.test(text) ? String(number(9)) : word()
}
