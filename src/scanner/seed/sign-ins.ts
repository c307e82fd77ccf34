// Sign-in and registration as operations, which are sent without credentials.

import { readPage } from '../html.ts'
import { readJson } from '../json-leaves.ts'
import { quietly } from '../probing.ts'
import { follow, get, type Send } from '../requests.ts'
import { isInScope } from '../scope.ts'
import type { Session } from '../session.ts'
import type { Exchange, Field, HttpRequest, Operation, Scope } from '../types.ts'
import { fromForm } from './forms.ts'
import { withNamedValues } from './named-values.ts'
import { mayOpen, valueByName } from './names.ts'
import { fromObserved } from './observed.ts'
import { forgotAbroad, signsInAbroad, signsUpAbroad } from './other-languages.ts'
import { fromScript } from './scripts.ts'

/** The forms and requests by which the sessions were opened, with a name and a password that nobody has. */
export async function signInsOf(sessions: readonly Session[], scope: Scope, send: Send): Promise<Operation[]> {
  const found: Operation[] = []
  const pages = new Set<string>()
  for (const { identity, openedBy } of sessions) {
    const { login } = identity
    if (!login) continue
    const request = login.type === 'TOKEN' ? login.request : openedBy
    if (request) found.push(...fromRequest(request))
    else if (login.type === 'FORM') pages.add(login.url)
  }
  for (const url of pages) {
    if (!isInScope(url, scope)) continue
    const page = await pageOf(url, send)
    if (page === null) continue
    found.push(...formsOf(page))
    for (const link of besideSignIn(page, scope).slice(0, MOST_BESIDE)) found.push(...(await fromPage(link, send)))
  }
  return distinctOf(found).map((operation) =>
    operation.source === 'form' || makesSomebody(operation) ? { ...operation, isSignIn: true } : operation,
  )
}

/** Pages for whoever has no account, or has forgotten a password: those who are signed in may not be shown the way to them. */
const MOST_BESIDE = 6
const BESIDE_SIGN_IN =
  /sign-?_?up|register|registration|join|enrol|create-?_?(account|user)|new-?_?(account|user)|forgot|recover/i

/** Whether what a script asks signs somebody in or up; scripts that all pages have ask for other things too. */
const makesSomebody = ({ method, path, body }: Operation): boolean =>
  method !== 'GET' && (isBesideSignIn(path) || isSignInPath(path) || OPEN_PASSWORD.test(JSON.stringify(body)))

/** Whether what is asked signs somebody in or up, or is for people who forgot their password: it is no business of a browser's. */
export const isOfSignIn = (operation: Operation): boolean =>
  operation.isForForgotten === true || makesSomebody(operation)

const isBesideSignIn = (path: string): boolean => BESIDE_SIGN_IN.test(path) || signsUpAbroad(path) || forgotAbroad(path)

function besideSignIn({ request, text }: Exchange, scope: Scope): string[] {
  const links = readPage(text).links.flatMap((link) => URL.parse(link, request.url) ?? [])
  const wanted = links.filter((url) => isBesideSignIn(url.pathname) && isInScope(url.href, scope) && mayOpen(url))
  return [...new Set(wanted.map(({ origin, pathname, search }) => origin + pathname + search))]
}

const distinctOf = (operations: readonly Operation[]): Operation[] => [
  ...new Map(operations.map((operation) => [operation.key, operation])).values(),
]

/**
 * Forms by which people sign up, or sign in elsewhere, make somebody else of whoever sends them. Those with a token stay as they are,
 * since it belongs to the session of whoever got the form. One that only people who are signed in are shown, with the account filled
 * in, gives that account another password.
 */
export async function withSignUps(operations: readonly Operation[], send: Send): Promise<Operation[]> {
  const pages = new Map<string, ReadonlySet<string>>()
  const settled: Operation[] = []
  for (const operation of operations) {
    const { foundOn, key } = operation
    const isOwn = isFilledIn(operation)
    if (foundOn === undefined || !(namesSomebody(operation) || isOwn)) {
      settled.push(operation)
      continue
    }
    const shown = pages.get(foundOn) ?? new Set((await fromPage(foundOn, send)).map((one) => one.key))
    pages.set(foundOn, shown)
    if (!shown.has(key)) settled.push(isOwn ? withPasswordKept(operation) : operation)
    else settled.push(namesSomebody(operation) ? { ...operation, isSignIn: true } : operation)
  }
  return settled
}

/** Whether the form has a password to be chosen, and says whose. */
const isFilledIn = ({ source, body, filled = [], isSignIn, isDestructive }: Operation): boolean =>
  source === 'form' &&
  (body?.type === 'form' || body?.type === 'multipart') &&
  !isSignIn &&
  !isDestructive &&
  body.fields.some(isPassword) &&
  body.fields.some((field) => !isPassword(field) && SOMEBODYS.test(field.name) && filled.includes(field.name))

/** A password that the page filled in is sent as it stands, with what repeats it; one that has to be chosen is another one. */
function withPasswordKept(operation: Operation): Operation {
  const { body, filled = [], fixed = [] } = operation
  if (body?.type !== 'form' && body?.type !== 'multipart') return operation
  const passwords = body.fields.filter(isPassword)
  if (!passwords.every(({ name }) => filled.includes(name))) return { ...operation, isDestructive: true }
  const kept = body.fields.filter((field) => passwords.some(({ value }) => value === field.value))
  return { ...operation, fixed: [...fixed, ...kept.map(({ name }) => name)] }
}

const isPassword = ({ schema }: Field): boolean => schema?.format === 'password'

const SIGN_IN = /\/(log|sign)[-_]?in\/?(\.\w{1,5})?$/i

const isSignInPath = (path: string): boolean =>
  SIGN_IN.test(path) || signsInAbroad(path.split('/').findLast((part) => part !== '') ?? '')

/** Where a session stands in cookies, what is sent to a sign-in makes somebody else of it, or nobody. */
export function withSignIns(operations: readonly Operation[], sessions: readonly Session[]): Operation[] {
  if (sessions.every((session) => session.credentials().cookies.length === 0)) return [...operations]
  return operations.map((operation) =>
    operation.method === 'POST' && isSignInPath(operation.path) ? { ...operation, isSignIn: true } : operation,
  )
}

const namesSomebody = ({ source, body, tokens, isSignIn, isDestructive }: Operation): boolean =>
  source === 'form' &&
  body?.type === 'form' &&
  !tokens &&
  !isSignIn &&
  !isDestructive &&
  body.fields.some(isAnyPassword) &&
  body.fields.some((field) => !isAnyPassword(field) && SOMEBODYS.test(field.name))

/** One that shows what is typed is told by its name alone. */
const OPEN_PASSWORD = /passw|pwd/i
const isAnyPassword = (field: Field): boolean => isPassword(field) || OPEN_PASSWORD.test(field.name)

const fromPage = async (url: string, send: Send): Promise<Operation[]> => {
  const page = await pageOf(url, send)
  return page === null ? [] : [...formsOf(page), ...askedBy(page)]
}

/** What nobody is shown there. */
const pageOf = (url: string, send: Send): Promise<Exchange | null> =>
  quietly(follow(get(url), send, { identity: null }))

/** What scripts of the page ask, such as whether a name is taken. */
function askedBy({ request, text }: Exchange): Operation[] {
  const base = request.url
  return readPage(text).scripts.flatMap((script) => fromScript(script, base).flatMap((one) => fromObserved(one) ?? []))
}

function formsOf({ request, text }: Exchange): Operation[] {
  const forms = readPage(text).forms.filter(({ fields }) =>
    fields.some(({ type, name }) => type === 'password' || (type === 'text' && OPEN_PASSWORD.test(name))),
  )
  return forms.flatMap((form) => fromForm(form, request.url))
}

const SOMEBODYS =
  /user|mail|log-?_?in|account|name|pass|pwd|usuario|benutzer|utili[sz]a|utente|gebruiker|correo|courriel|nom(br)?e|identifiant/i

function fromRequest({ method, url, headers, body }: HttpRequest): Operation[] {
  const mediaType = headers.find(([name]) => /^content-type$/i.test(name))?.[1]
  const operation = fromObserved({
    method,
    url,
    mediaType,
    body: body === null ? null : withoutAccount(body.toString()),
    source: 'form',
  })
  return operation ? [operation] : []
}

/** The scan's own accounts are not what is guessed at. */
function withoutAccount(text: string): string {
  const given = readJson(text)
  if (given === undefined) {
    const pairs = new URLSearchParams(text)
    for (const name of new Set(pairs.keys())) if (SOMEBODYS.test(name)) pairs.set(name, valueByName(name))
    return pairs.toString()
  }
  return JSON.stringify(withNamedValues(given, ({ value }, name) => typeof value === 'string' && SOMEBODYS.test(name)))
}
