// Checks for broken function level authorisation: administrative functions requested by ordinary users.

import type { Context, OperationCheck } from '../check.ts'
import { likenessOf } from '../compare.ts'
import { asksPassword, type FormField, readPage } from '../html.ts'
import { textsOf } from '../page-texts.ts'
import type { Exchange } from '../types.ts'
import { isAdministrative } from './administrative.ts'
import { isOrdinary } from './ordinary.ts'
import { answerFor, hasErrors, isFine, names } from './ownership.ts'

export const functionAccess: OperationCheck = {
  kind: 'operation',
  id: 'function-access',
  title: 'Broken function-level authorization',
  cwes: [862],
  severity: 'HIGH',
  solution: 'Check the caller’s role at the start of every administrative operation, and deny by default.',
  profile: 'BASIC',
  accepts: isAdministrative,
  async *probe(operation, context) {
    const ordinary = context.identities.filter((identity) => isOrdinary(identity, context))
    const [first, second] = ordinary
    // With one identity nothing tells an ordinary user from an administrator who was given as the only one.
    if (first === undefined || (second === undefined && context.identities.length < 2)) return
    const exchange =
      operation.kind === 'read' || first === context.identities[0]
        ? await answerFor(context, operation, first)
        : await context.attempt(operation, [], { identity: first })
    if (!isFine(exchange) || hasErrors(exchange) || exchange.text.trim() === '' || isRefusalPage(exchange)) return
    if (second !== undefined && operation.kind === 'read') {
      const other = await answerFor(context, operation, second)
      if (!isFine(other)) return
    }
    const nobodys = await answerFor(context, operation, null)
    if (nobodys !== null && isFine(nobodys) && operation.kind === 'read') {
      const told = accountsIn(nobodys, context)
      if (told.length > 1) {
        const detail = 'An administrative operation returns account names without credentials.'
        yield { cwes: [306, 862], detail, proof: told, exchange: nobodys, operation }
        return
      }
    }
    if (nobodys === null || (isFine(nobodys) && !hasErrors(nobodys) && likenessOf(nobodys, exchange) > 0.9)) return
    yield {
      detail: `${first.name}, who is not an administrator, gets the response of an administrative operation; without credentials it is refused.`,
      proof: [exchange.text.slice(0, 80)],
      exchange,
      operation,
    }
  },
}

const REFUSES =
  /\b(not (allowed|authori[sz]ed|permitted)|access (is )?denied|forbidden|no permission|permission denied|(don['’]?t|doesn['’]?t|not) have (the )?(permissions?|rights?|access|privileges?)|not an? admin(istrator)?|insufficient (rights|permissions|privileges)|(admins?|administrators?) only|only (for )?(admins|administrators))\b/i
const LONGEST_REFUSAL = 400

/** A page that says with status 200 that it is not for who asks, and shows little else: nothing to read there or to fill in. */
export function isRefusalPage({ text }: Exchange): boolean {
  const said = textsOf(text).join(' ')
  if (said.length >= LONGEST_REFUSAL || !REFUSES.test(said)) return false
  if (/<table\b/i.test(text) || (said.match(/[\w.+-]@[\w-]/g)?.length ?? 0) > 1) return false
  const { forms } = readPage(text)
  return forms.length <= MOST_FORMS && forms.every(({ fields }) => !isFilledIn(fields))
}

/** Forms that every page may have: a search, and a sign-in or sign-out. */
const MOST_FORMS = 2

/** Whether a form has more fields than a search or a sign-in. */
function isFilledIn(fields: readonly FormField[]): boolean {
  const asked = fields.filter(({ type, isSubmitting }) => !isSubmitting && !/^(hidden|button|checkbox)$/.test(type))
  return asked.length > (asked.some(({ type }) => type === 'password') ? 2 : 1)
}

/** User names that are also common words on pages. */
const COMMON = /^(admin|administrator|user|test|guest|root|demo|name|login)$/i

/** User names of the scan's identities that the answer contains, unless it asks to sign in. */
function accountsIn({ text }: Exchange, { identities }: Context): string[] {
  if (asksPassword(text)) return []
  const given = identities.flatMap(({ login }) => (login && 'username' in login ? [login.username] : []))
  const telling = [...new Set(given)].filter((name) => name.length > 3 && !COMMON.test(name))
  return telling.filter((name) => names(text, new Set([name.toLowerCase()])) !== null)
}
