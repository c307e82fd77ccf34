// Password resets: without permission they are sent only with names and codes that nobody can have.

import { randomUUID } from 'node:crypto'
import type { Context } from './check.ts'
import { isList, isObject } from './json-leaves.ts'
import { textOf } from './points.ts'
import { number, word } from './random-values.ts'
import { asksForReset } from './seed/names.ts'
import type { Body, Field, Json, Operation, Parameter, Point, Schema } from './types.ts'
import { changeXml, xmlLeaves } from './xml-leaves.ts'

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
  /mail|user|login|account|member|customer|client|person|people|owner|recipient|employee|student|patient|handle|nick|alias|contact|phone|mobile|msisdn|name$|(^|[^a-z])(u?id|uuid|guid|sub|to|tel)$|Ids?$|identi(ty|fier)|number$|token|code|otp|pin$|key$|hash/i
/** What a path has beside accounts, and a key that says which program asks. */
const NOBODYS = /^((api[-_]?)?(v|version|key)|lang(uage)?|locale|realm|tenant|region|format)$/i
const PHONE = /phone|mobile|msisdn|contact|(^|[^a-z])tel$/i
/** Elements of a list that are sent. */
const MOST_ELEMENTS = 2

/** A value with the name that it stands under. */
type Named = Pick<Point, 'place' | 'name' | 'value' | 'schema'>
type MakeUp = (one: Named) => Json

/** The operation with names, numbers and codes that nobody has, whatever its description or its page has in their place. */
export function withNobody(operation: Operation): Operation {
  if (!isReset(operation)) return operation
  const kept = new Set(operation.tokens)
  const made = new Map<string, Json>()
  // an address that is asked for twice is the same one twice
  const makeUp: MakeUp = (one) => {
    if (kept.has(one.name) || !namesAccount(one)) return one.value
    const key = JSON.stringify([one.value, /mail/i.test(one.name)])
    const value = made.get(key) ?? madeUpLike(one)
    made.set(key, value)
    return value
  }
  const parameters = operation.parameters.map((one): Parameter => ({ ...one, value: textOf(makeUp(one)) }))
  const asked = { ...operation, parameters, body: bodyOfNobody(operation.body, makeUp) }
  // where nothing says whose password it is, it is that of whoever asks
  return made.size === 0 && operation.kind !== 'read' ? { ...asked, isSignIn: true } : asked
}

function bodyOfNobody(body: Body | null, makeUp: MakeUp): Body | null {
  const fieldsOf = (fields: readonly Field[], place: Point['place']) =>
    fields.map((field) =>
      field.fileName === undefined ? { ...field, value: textOf(makeUp({ ...field, place })) } : field,
    )
  switch (body?.type) {
    case 'json':
      return { ...body, value: jsonOfNobody(body.value, 'account', makeUp, body.schema) }
    case 'graphql': {
      const variables = jsonOfNobody(body.variables, '', makeUp)
      return isObject(variables) ? { ...body, variables } : body
    }
    case 'form':
      return { ...body, fields: fieldsOf(body.fields, 'form') }
    case 'multipart':
      return { ...body, fields: fieldsOf(body.fields, 'multipart') }
    case 'xml': {
      const points = xmlLeaves(body.text).map((leaf): Point => ({ place: 'xml', ...leaf }))
      const changes = points.map((point) => ({ point, value: makeUp(point) }))
      return { ...body, text: changeXml(body.text, changes) }
    }
    case 'raw':
      return { ...body, text: textOfNobody(body.text, makeUp) }
    default:
      return body
  }
}

/** All of it, since nothing of it may name somebody; what stands in a list has the name of the list. */
function jsonOfNobody(value: Json, name: string, makeUp: MakeUp, schema?: Schema): Json {
  if (isList(value)) return value.slice(0, MOST_ELEMENTS).map((one) => jsonOfNobody(one, name, makeUp, schema?.items))
  if (!isObject(value)) return makeUp({ place: 'json', name, value, schema })
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, jsonOfNobody(inner, key, makeUp, schema?.properties?.[key])]),
  )
}

/** A body of text is a name as a whole, or has addresses in it. */
function textOfNobody(text: string, makeUp: MakeUp): string {
  const other = (value: string) => textOf(makeUp({ place: 'body', name: 'account', value }))
  if (/^\s{0,100}[\w.@+-]{1,100}\s{0,100}$/.test(text)) return other(text.trim())
  return text.replace(/[\w.+-]{1,64}@[\w.-]{1,190}/g, other)
}

function namesAccount({ place, name, value, schema }: Named): boolean {
  if (place === 'file' || schema?.enum !== undefined) return false
  if (typeof value !== 'string' && typeof value !== 'number') return false
  if (String(value).includes('@')) return true
  if (place === 'header' || place === 'cookie') return false
  // repeated elements are counted: `user.1`
  const last =
    name
      .replace(/\.\d{1,4}$/, '')
      .split('@')
      .at(-1) ?? name
  return !NOBODYS.test(last) && (place === 'path' || ACCOUNT.test(last))
}

function madeUpLike({ name, value, schema }: Named): Json {
  const text = String(value)
  if (text.includes('@') || schema?.format === 'email' || /mail/i.test(name)) return `${word()}@example.com`
  if (schema?.format === 'uuid' || /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(text)) return randomUUID()
  // of the numbers that are kept for fiction
  if (/^\+\d{7,15}$/.test(text)) return `+1555010${number(4)}`
  if (PHONE.test(name) && /^\d{6,15}$/.test(text))
    return typeof value === 'number' ? Number(`1555010${number(4)}`) : `1555010${number(4)}`
  if (typeof value === 'number') return number(9)
  return /^\d{1,20}$/.test(text) ? String(number(9)) : word()
}
