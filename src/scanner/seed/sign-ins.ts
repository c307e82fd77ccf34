// Where people sign in and sign up as operations, which are sent with nobody's credentials.

import { readPage } from '../html.ts'
import { readJson } from '../json-leaves.ts'
import { SendFailed } from '../outcome.ts'
import { follow, get, type Send } from '../requests.ts'
import { isInScope } from '../scope.ts'
import type { Session } from '../session.ts'
import type { HttpRequest, Operation, Scope } from '../types.ts'
import { fromForm } from './forms.ts'
import { withNamedValues } from './named-values.ts'
import { valueByName } from './names.ts'
import { fromObserved } from './observed.ts'

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
  for (const url of pages) if (isInScope(url, scope)) found.push(...(await fromPage(url, send)))
  return found.map((operation) => ({ ...operation, isSignIn: true }))
}

/**
 * Forms by which people sign up, or sign in elsewhere, make somebody else of whoever sends them. Those with a token stay as they are,
 * since it belongs to the session of whoever got the form.
 */
export async function withSignUps(operations: readonly Operation[], send: Send): Promise<Operation[]> {
  const pages = new Map<string, ReadonlySet<string>>()
  const settled: Operation[] = []
  for (const operation of operations) {
    const { foundOn, key } = operation
    if (foundOn === undefined || !namesSomebody(operation)) {
      settled.push(operation)
      continue
    }
    const shown = pages.get(foundOn) ?? new Set((await fromPage(foundOn, send)).map((one) => one.key))
    pages.set(foundOn, shown)
    settled.push(shown.has(key) ? { ...operation, isSignIn: true } : operation)
  }
  return settled
}

const SIGN_IN = /\/(log|sign)[-_]?in\/?(\.\w{1,5})?$/i

/** Where a session stands in cookies, what is sent to a sign-in makes somebody else of it, or nobody. */
export function withSignIns(operations: readonly Operation[], sessions: readonly Session[]): Operation[] {
  if (sessions.every((session) => session.credentials().cookies.length === 0)) return [...operations]
  return operations.map((operation) =>
    operation.method === 'POST' && SIGN_IN.test(operation.path) ? { ...operation, isSignIn: true } : operation,
  )
}

const namesSomebody = ({ source, body, tokens, isSignIn, isDestructive }: Operation): boolean =>
  source === 'form' &&
  body?.type === 'form' &&
  !tokens &&
  !isSignIn &&
  !isDestructive &&
  body.fields.some(({ schema }) => schema?.format === 'password') &&
  body.fields.some(({ name, schema }) => schema?.format !== 'password' && SOMEBODYS.test(name))

async function fromPage(url: string, send: Send): Promise<Operation[]> {
  try {
    const page = await follow(get(url), send, { identity: null })
    const place = page.request.url
    const forms = readPage(page.text).forms.filter(({ fields }) => fields.some(({ type }) => type === 'password'))
    return forms.flatMap((form) => fromForm(form, place))
  } catch (error) {
    if (error instanceof SendFailed) return []
    throw error
  }
}

const SOMEBODYS = /user|mail|log-?_?in|account|name|pass|pwd/i

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
