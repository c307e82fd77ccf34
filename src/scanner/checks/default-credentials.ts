// Checks whether a well-known name and password, as products are installed with, sign somebody in.

import type { Context, OperationCheck } from '../check.ts'
import { asksPassword } from '../html.ts'
import { headersOf } from '../http.ts'
import { quietly } from '../probing.ts'
import { get, locationOf } from '../requests.ts'
import type { Exchange, Operation, Point } from '../types.ts'
import { guessedPoint, isLimit, isPassword, isUser } from './guessing.ts'
import { hasErrors } from './ownership.ts'
import { tokensOf } from './tokens.ts'

/** At most three guesses at each name: a target may lock an account, few after less than four. */
const PAIRS: readonly (readonly [name: string, passwords: readonly string[]])[] = [
  ['admin', ['admin', 'password', 'admin123']],
  ['root', ['root']],
  ['test', ['test']],
  ['user', ['user', 'password']],
  ['guest', ['guest']],
  ['demo', ['demo']],
  ['administrator', ['administrator']],
]

export const defaultCredentials: OperationCheck = {
  kind: 'operation',
  id: 'default-credentials',
  title: 'Default credentials',
  cwes: [1392, 1391, 521],
  severity: 'HIGH',
  solution: 'Ship no account with a known password: have one chosen at installation, and reject common passwords.',
  profile: 'BALANCED',
  accepts: (operation, context) => signInOf(operation, context) !== null,
  async *probe(operation, context) {
    const fields = signInOf(operation, context)
    if (fields === null) return
    const domain = domainOf(fields.user, context)
    if (domain === null) return
    const own = new Set(
      context.identities.flatMap(({ name, login }) => [name, login && 'username' in login ? login.username : name]),
    )
    const ask = (name: string, password: string) =>
      context.attempt(
        operation,
        [
          { point: fields.user, value: name },
          { point: fields.secret, value: password },
        ],
        { identity: null, isAlone: true, isSignIn: true },
      )
    const refused = await ask(context.word() + domain, context.word())
    if (refused === null || isLimit(refused)) return
    for (const [word, passwords] of PAIRS) {
      const name = word + domain
      // the scan's own accounts are not guessed at
      if (own.has(name) || own.has(word)) continue
      for (const password of passwords) {
        const first = await ask(name, password)
        if (first === null || isLimit(first)) return
        if (!(await isLetIn(first, refused, context))) continue
        const [still, again] = [await ask(name, context.word()), await ask(name, password)]
        if (still === null || again === null || (await isLetIn(still, refused, context))) return
        if (!(await isLetIn(again, still, context))) return
        yield {
          detail: `The username ${name} with the password ${password} signs in, twice; with another password it does not.`,
          proof: [name],
          exchange: again,
          operation,
          point: fields.secret,
          // the account is the cause, wherever it signs in
          cause: `${operation.origin} ${name}`,
        }
        return
      }
    }
  },
}

/** The user name and password fields of a sign-in; null for any other operation. */
function signInOf(operation: Operation, context: Context): { user: Point; secret: Point } | null {
  const secret = guessedPoint(operation, context)
  const user = context.pointsOf(operation).find(isUser)
  return secret && user && isPassword(secret) ? { user, secret } : null
}

/** The domain to append where the field takes e-mail addresses, taken from the scan's own accounts; null if none is known. */
function domainOf({ name, value }: Point, { identities }: Context): string | null {
  const texts = [value, ...identities.map(({ login }) => (login && 'username' in login ? login.username : ''))]
  const addresses = texts.flatMap((text) => /^[^@\s]+(@[\w.-]+)$/.exec(String(text))?.[1] ?? [])
  const isAddress = /mail/i.test(name) || String(value).includes('@')
  return isAddress ? (addresses.at(-1) ?? null) : ''
}

/** Whether the answer opens a session, compared with the answer to a wrong password. */
async function isLetIn(exchange: Exchange, refused: Exchange, context: Context): Promise<boolean> {
  const { status } = exchange.answer
  if (status >= 400 || hasErrors(exchange)) return false
  if (refused.answer.status >= 400) return status < 300 || !(await leadsToPassword(exchange, context))
  const [place, before] = [locationOf(exchange)?.href, locationOf(refused)?.href]
  const isGiven =
    cookiesOf(exchange) > cookiesOf(refused) || tokensOf(exchange.text).length > tokensOf(refused.text).length
  if (place === before && !isGiven) return false
  return !(await leadsToPassword(exchange, context))
}

const cookiesOf = ({ answer }: Exchange): number => headersOf(answer, 'set-cookie').length

/** Whether the page that is shown in the end asks for a password. */
async function leadsToPassword(exchange: Exchange, context: Context): Promise<boolean> {
  const place = locationOf(exchange)
  const cookies = headersOf(exchange.answer, 'set-cookie').flatMap((line) => line.split(';', 1))
  const next = place
    ? { ...get(place.href), headers: [...get(place.href).headers, ['Cookie', cookies.join('; ')] as const] }
    : null
  const shown = next === null ? exchange : await quietly(context.send(next, { identity: null, isSignIn: true }))
  return shown === null || asksPassword(shown.text)
}
