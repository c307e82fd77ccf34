// Checks whether an account can be created with a password of six characters; the password is kept for whoever removes the account.

import type { Context, OperationCheck } from '../check.ts'
import { likenessOf } from '../compare.ts'
import { ownPassword } from '../seed/own-password.ts'
import type { Change, Exchange, Point } from '../types.ts'
import { leafName } from '../values.ts'
import { isLabel } from './fresh-texts.ts'
import { hasErrors } from './ownership.ts'

/** Fewer than the eight that NIST SP 800-63B asks for at least; random ones, so that nobody guesses them meanwhile. */
const LENGTH = 6
const ALIKE = 0.9

const SIGN_UP = /sign-?up|register|registration|create-?(user|account)|(user|account|member|customer)s?\/?$/i
/** Identifies a sign-up by its address, whatever the method. */
const NAMED = /\/(sign-?up|register|registration)\/?$/i
const PASSWORD =
  /^(password|passwd|pass|pwd|userpassword|passwordconfirm(ation)?|confirmpassword|repeatpassword|password2)$/
const NAME = /^(e?mail|emailaddress|user|username|login|nick|nickname|handle|phone|phonenumber)$/

export const shortPasswords: OperationCheck = {
  kind: 'operation',
  id: 'short-password',
  title: 'Weak password policy',
  cwes: [521],
  severity: 'LOW',
  solution: 'Reject passwords of fewer than eight characters, and common ones.',
  profile: 'DEEP',
  accepts: ({ kind, key, isDestructive }) =>
    !isDestructive && (NAMED.test(key) || (kind === 'create' && SIGN_UP.test(key.replace(/([a-z])([A-Z])/g, '$1-$2')))),
  async *probe(operation, context) {
    const points = context.pointsOf(operation)
    const passwords = points.filter(({ name, value }) => PASSWORD.test(leafName(name)) && typeof value === 'string')
    const names = points.filter((point) => NAME.test(leafName(point.name)) && isLabel(point))
    if (passwords.length === 0 || names.length === 0) return
    const ask = (password: string, taken: readonly Change[]) =>
      context.attempt(operation, [...taken, ...passwords.map((point) => ({ point, value: password }))], {
        identity: null,
        isAlone: true,
      })
    const named = (): Change[] => names.map((point) => ({ point, value: nameLike(point, context) }))
    const once = named()
    const long = await ask(ownPassword, once)
    // who is there already is refused: otherwise answers do not tell what is taken
    const twice = isTaken(long) ? await ask(ownPassword, once) : null
    if (long === null || twice === null || isLike(twice, long, once)) return
    const fresh = named()
    const short = await ask(ownPassword.slice(0, LENGTH), fresh)
    if (!isTaken(short) || !isLike(short, long, [...once, ...fresh])) return
    const again = await ask(ownPassword.slice(0, LENGTH), fresh)
    if (again === null || isLike(again, short, fresh)) return
    yield {
      detail: `An account was created with a password of ${LENGTH} letters, as with one of ${ownPassword.length} characters.`,
      proof: [short.text.slice(0, 80)],
      exchange: short,
      operation,
      point: passwords[0],
    }
  },
}

/** A form that is accepted leads to another page. */
const isTaken = (exchange: Exchange | null): exchange is Exchange =>
  exchange !== null && exchange.answer.status < 400 && !hasErrors(exchange)

const isLike = (one: Exchange, other: Exchange, changes: readonly Change[]): boolean =>
  likenessOf(
    one,
    other,
    changes.map(({ value }) => String(value)),
  ) >= ALIKE

function nameLike({ name, value }: Point, context: Context): string {
  if (/phone/i.test(name)) return `+1555${context.number(7)}`
  const word = context.word()
  return String(value).includes('@') || /mail/i.test(name) ? `${word}@example.com` : word
}
