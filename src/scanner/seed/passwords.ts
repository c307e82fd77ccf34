// Whether an operation would change somebody's password, by its fields; registering and signing in do not.

import { isList, isObject, leavesOf } from '../json-leaves.ts'
import type { Body, Field, Json, Operation, Schema } from '../types.ts'
import { xmlLeaves } from '../xml-leaves.ts'
import { signsInAbroad, signsUpAbroad } from './other-languages.ts'

const WORD =
  'passw(?:or)?[dt]|passphrase|pwd|contrase[nñ]i?a|(?<![a-z])clave|senha|mot[-_]?de[-_]?passe|mdp|kennwort|wachtwoord'
const PASSWORD = new RegExp(
  `(^pass|${WORD})([-_]?(confirm\\w{0,10}|repeat|repetir|repetida|wiederholen|again|hash|\\d))?$`,
  'i',
)
const CHANGE =
  'new|old|current|nuev[ao]|actual|anterior|nov[ao]|atual|antig[ao]|nouveau|ancien|neues?|altes?|aktuelles?|nuova'
/** Names of fields that only people with a password fill in. */
const CHANGED = new RegExp(`(${CHANGE})[-_]?(pass|${WORD})|(pass|${WORD})[-_]?(${CHANGE})`, 'i')

const OPENS = '(log-?_?in|sign-?_?in|sign-?_?up|register|registration|authenticate|tokens?|sessions?)'
/** At the end of a path: `/users/7/sessions` opens a session, but `/auth/me` changes a user. */
const OPENING_PATH = new RegExp(`/${OPENS}/?$`, 'i')
/** Names of mutations that open a session or register, such as `tokenCreate`. */
const OPENING_MUTATION = new RegExp(`(^|[^a-z])(create|add|invite|join|enrol|auth|${OPENS})(?![a-z])`, 'i')

/** Whether the path names signing in or up in another language. */
const opensAbroad = (path: string): boolean => {
  const last = path.split('/').findLast((part) => part !== '') ?? ''
  return signsInAbroad(last) || signsUpAbroad(last)
}

const REPEATED = /confirm|repeat|again|verify|retype|re-?enter|repet|repit|r[eé]p[eé]t|wiederhol|ripet/i
const USER = /user|mail|login|account|usuario|benutzer|utili[sz]a|utente|gebruiker|correo|courriel/i

/** Whether such fields set the password of a signed-in user: one is named as new, or is given twice without naming a user. */
export function choosesPassword(names: readonly string[]): boolean {
  if (names.some((name) => CHANGED.test(name))) return true
  const isTwice = names.some((name) => PASSWORD.test(name)) && names.some((name) => REPEATED.test(name))
  return isTwice && !names.some((name) => USER.test(name))
}

/** Fields to sign in with, besides the password. */
const SIGN_IN = /^(user[-_]?name|login|e-?mail([-_]?address)?)$/i

/**
 * A JSON body without its optional password and the name that belongs to it; null if the description requires the password, or nothing
 * is left.
 */
export function withoutPassword(body: Body | null): Body | null {
  if (body?.type !== 'json') return null
  const strip = (value: Json, schema: Schema | undefined): Json => {
    if (!isObject(value)) return value
    const members = Object.entries(value)
    const isSpared = members.some(([name]) => PASSWORD.test(name))
    const left = members.filter(([name]) => {
      const isRequired = schema?.required?.includes(name) ?? false
      return isRequired || !isSpared || !(PASSWORD.test(name) || SIGN_IN.test(name))
    })
    return Object.fromEntries(left.map(([name, inner]) => [name, strip(inner, schema?.properties?.[name])]))
  }
  const value = strip(body.value, body.schema)
  return leavesOf(value).some((leaf) => typeof leaf.value !== 'object') ? { ...body, value } : null
}

export type Sent = Pick<Operation, 'method' | 'path' | 'parameters' | 'body' | 'kind'>

/** Whether an operation changes a password. `mutation` is the name of the root field or SOAP operation; without it the method and path tell. */
export function changesPassword({ method, path, parameters, body, kind }: Sent, mutation?: string): boolean {
  const inQuery = parameters.filter(({ place }) => place === 'query').map(({ name }) => name)
  if (method === 'GET') return choosesPassword(inQuery)
  if (kind === 'read' || ['HEAD', 'OPTIONS'].includes(method)) return false
  const isOpening =
    mutation === undefined
      ? OPENING_PATH.test(path) || opensAbroad(path)
      : kind === 'create' && OPENING_MUTATION.test(mutation.replace(/([a-z])([A-Z])/g, '$1-$2'))
  if (isOpening) return false
  const names = [...inQuery, ...(body ? namesOf(body) : [])]
  if (choosesPassword(names) || namesPasswordsAlone(names)) return true
  // an id beside a password means that the user exists already
  if (body?.type === 'form' && body.fields.some(isFilledId) && names.some((name) => PASSWORD.test(name))) return true
  return (kind === 'update' || mutation !== undefined) && names.some((name) => PASSWORD.test(name))
}

/** Whether there are two passwords but no user: then they are the signed-in user's. */
const namesPasswordsAlone = (names: readonly string[]): boolean =>
  names.filter((name) => PASSWORD.test(name)).length > 1 &&
  names.every((name) => PASSWORD.test(name) || BESIDE.test(name))

/** Fields of forms that people do not fill in. */
const BESIDE = /csrf|xsrf|token|nonce|submit|button|action|save|change/i

const isFilledId = ({ name, value }: Field) =>
  /^(user|account|member|person)?[-_]?(id|uid|uuid)$/i.test(name) && value !== ''

/** The name of a field; one that hides its input is a password, in whatever language it is named. */
function nameOf({ name, schema }: Field): string {
  const last = name.split(/[^\p{L}\d_-]/u).findLast((word) => word !== '') ?? name
  if (schema?.format !== 'password' || PASSWORD.test(last) || CHANGED.test(last)) return last
  return REPEATED.test(last) ? 'password_repeat' : 'password'
}

function namesOf(body: Body): string[] {
  switch (body.type) {
    case 'json':
      return membersOf(body.value)
    case 'graphql':
      // literal input objects are in the document
      return [
        ...membersOf(body.variables),
        ...[...body.query.matchAll(/\b(\w{1,100})\s{0,20}:/g)].map(([, name = '']) => name),
      ]
    case 'form':
    case 'multipart':
      return body.fields.map(nameOf)
    case 'xml':
      return xmlLeaves(body.text).map(({ name }) => name.replace(/\.\d+$/, '').replace(/^.*@/, ''))
    case 'raw':
      return []
  }
}

/** The names of members at every depth; without recursion, because a value may be very deep. */
function membersOf(value: Json): string[] {
  const names: string[] = []
  const left: Json[] = [value]
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    if (isList(one)) for (const inner of one) left.push(inner)
    else if (isObject(one)) {
      for (const [name, inner] of Object.entries(one)) {
        names.push(name)
        left.push(inner)
      }
    }
  }
  return names
}
