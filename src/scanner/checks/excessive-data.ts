// Checks for passwords, their hashes and other secrets in API responses, and for fields that the description does not have.

import type { Context, PassiveCheck } from '../check.ts'
import { isList, isObject, readJson } from '../json-leaves.ts'
import { isMarked } from '../random-values.ts'
import type { Exchange, Json, Operation, Schema } from '../types.ts'
import { plainName } from '../values.ts'

const SECRET =
  /^(user)?(password|passwd|pwd|passwordhash|hashedpassword|passwdhash|pwdhash|encryptedpassword|passworddigest|passwordsalt|salt|totpsecret|otpsecret|mfasecret|twofactorsecret|secretanswer|securityanswer|ssn|socialsecuritynumber|cvv|cvc|cardnumber|creditcard|creditcardnumber|pin|privatekey|clientsecret|resettoken|passwordresettoken)$/

/** The service's own secrets, which no answer should contain. */
const OF_THE_SERVICE =
  /^(jwt|session|cookie|signing|encryption|master|hmac)(secret|key|secretkey)$|^(db|database|smtp|mail|admin|root|redis|postgres|mysql)(pass|passwd|password)$|^aws?secretaccesskey$|^secretaccesskey$/
/** Secrets that only their owner may be shown. */
const OF_SOMEBODY = /^(webhook|api|app|application|client|export|payment)secret$|^secretkey$/

const HASH =
  /^(\$2[abxy]?\$\d\d\$[./\w]{53}|\$argon2\w{0,2}\$.{20,200}|pbkdf2\w{0,20}\$.{20,300}|\$[156]\$.{20,200}|\{SSHA\}.{20,100})$/

/** Members that hold a password hash if their value looks like one. */
const HASHED = /^(hash|password|passhash|pass|digest|credentials?)$/

/** How many nested values of one answer are examined. */
const MOST_VALUES = 5_000

function* leavesWithNames(json: Json): Generator<[name: string, value: Json]> {
  const left: Json[] = [json]
  for (let seen = 0; left.length > 0 && seen < MOST_VALUES; seen += 1) {
    const value = left.pop() ?? null
    if (isList(value)) left.push(...value.slice(0, 200))
    else if (isObject(value)) {
      for (const [name, inner] of Object.entries(value)) {
        if (typeof inner === 'object') left.push(inner)
        else yield [name, inner]
      }
    }
  }
}

/** Looks like a secret value rather than a sentence about one or a masked value. */
const isShown = (value: Json): boolean => {
  if (typeof value === 'number') return value > 99
  return (
    typeof value === 'string' &&
    value.length > 2 &&
    value.length < 500 &&
    !/^[*•x.\s-]+$/i.test(value) &&
    !/\s.*\s/.test(value) &&
    !/^(string|required|null|redacted|\[.{0,30}\]|<.{0,30}>)$/i.test(value)
  )
}

/** The environment variable that holds a process's working directory. */
const isFolder = (name: string, value: Json): boolean =>
  name === 'PWD' && typeof value === 'string' && /^(\/|[A-Za-z]:\\)/.test(value)

/** A message from a translation file: its name is a constant and its value only letters. */
const isMessage = (name: string, value: Json): boolean =>
  /^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/.test(name) && typeof value === 'string' && /^[\p{L}\s.,:;?!'-]+$/u.test(value)

const isSecret = (plain: string, isNobodys: boolean): boolean =>
  SECRET.test(plain) || OF_THE_SERVICE.test(plain) || (isNobodys && OF_SOMEBODY.test(plain))

const isDescription = ({ request, text }: Exchange): boolean =>
  /openapi|swagger|api-?docs|schema/i.test(request.url) ||
  /"(openapi|swagger|\$schema|__schema)"\s*:/.test(text.slice(0, 2_000))

export const excessiveData: PassiveCheck = {
  kind: 'passive',
  id: 'excessive-data',
  title: 'Sensitive data in a response',
  cwes: [200],
  severity: 'HIGH',
  solution: 'Answer with an explicit list of fields, never with the stored record.',
  profile: 'BASIC',
  *look(exchange, context) {
    const { answer, text, request } = exchange
    const isNobodys = exchange.identity === null || context.identities.length === 0
    if (answer.status < 200 || answer.status >= 300 || !/^\s*[[{]/.test(text.slice(0, 100)) || isDescription(exchange))
      return
    const json = readJson(text)
    if (json === undefined) return
    const sent = typeof request.body === 'string' ? request.body : ''
    const told = new Set<string>()
    for (const [name, value] of leavesWithNames(json)) {
      const plain = plainName(name)
      const isHash = typeof value === 'string' && HASH.test(value) && HASHED.test(plain)
      if (
        told.has(plain) ||
        !isShown(value) ||
        isMessage(name, value) ||
        isFolder(name, value) ||
        !(isSecret(plain, isNobodys) || isHash)
      )
        continue
      // What a probe put there itself says nothing of what is kept.
      if (
        sent.includes(String(value)) ||
        sent.includes(JSON.stringify(String(value)).slice(1, -1)) ||
        request.url.includes(encodeURIComponent(String(value)))
      )
        continue
      told.add(plain)
      yield {
        detail: `The response has the field ${name}.`,
        proof: [String(value)],
        exchange,
        cause: `${exchange.operation || `${request.method} ${URL.parse(request.url)?.pathname}`} ${plain}`,
        severity: /pass|pwd|hash|secret|key/.test(plain) ? 'HIGH' : 'MEDIUM',
      }
    }
  },
}

const indexes = new WeakMap<readonly Operation[], Map<string, Operation>>()

function operationOf(context: Context, key: string): Operation | undefined {
  const { operations } = context
  const index = indexes.get(operations) ?? new Map(operations.map((operation) => [operation.key, operation]))
  indexes.set(operations, index)
  return index.get(key)
}

const isAdded = (name: string): boolean => isMarked(name) || name === '__proto__' || name === 'constructor'

/** Members of an answer that the description does not have, as paths such as `items.role`. */
function undescribed(json: Json, schema: Schema | undefined, way: string, found: string[], depth = 0): void {
  if (schema === undefined || depth > 8 || found.length >= 10) return
  if (isList(json)) {
    for (const one of json.slice(0, 20)) undescribed(one, schema.items, way, found, depth + 1)
    return
  }
  if (!isObject(json) || schema.properties === undefined || Object.keys(schema.properties).length === 0) return
  for (const [name, value] of Object.entries(json)) {
    const path = way === '' ? name : `${way}.${name}`
    if (!Object.hasOwn(schema.properties, name)) {
      // what checks added to a thing, which keeps it, was not told of it
      if (!found.includes(path) && !isAdded(name)) found.push(path)
    } else undescribed(value, schema.properties[name], path, found, depth + 1)
  }
}

export const undescribedData: PassiveCheck = {
  kind: 'passive',
  id: 'undescribed-data',
  title: 'Undocumented fields in a response',
  cwes: [213],
  severity: 'LOW',
  solution: 'Document the fields that are meant to be returned, and leave out the others.',
  profile: 'BASIC',
  *look(exchange, context) {
    const { answer, text, operation: key } = exchange
    if (key === '' || key.includes('#') || answer.status < 200 || answer.status >= 300) return
    const operation = operationOf(context, key)
    if (operation?.source !== 'openapi') return
    const { answers } = operation
    const schema = answers[String(answer.status)] ?? answers['2XX'] ?? answers.default
    const json = schema ? readJson(text) : undefined
    if (!schema || json === undefined) return
    const found: string[] = []
    undescribed(json, schema, '', found)
    if (found.length === 0) return
    yield {
      detail: `The API description of this response does not have ${found.join(', ')}.`,
      proof: found.map((path) => `"${path.split('.').at(-1) ?? path}"`),
      exchange,
      operation,
      cause: `${key} ${answer.status}`,
    }
  },
}
