// Whether answers tell names that have an account from names that have none.

import { steadyText, textLikeness } from '../compare.ts'
import type { Change, Context, Exchange, Operation, OperationCheck, Point } from '../types.ts'
import { guessedPoint, isUser } from './guessing.ts'
import { holdingsOf, namesOf } from './ownership.ts'

const ROUNDS = 3
/** Names that may have an account, tried in turn. */
const MOST_NAMES = 3

const RECOVERY =
  /(forgot|forgotten|reset-?password|password-?reset|password\/reset|recover|recovery|resend|send-?(otp|code|link))/i
const SIGN_UP = /(sign-?up|register|registration)/i

function userPoint(operation: Operation, context: Context): Point | undefined {
  if (operation.kind === 'delete' || SIGN_UP.test(operation.key)) return undefined
  const isSignIn = guessedPoint(operation, context) !== undefined
  const isRecovery = RECOVERY.test(operation.key) && operation.kind !== 'read'
  return isSignIn || isRecovery ? context.pointsOf(operation).find(isUser) : undefined
}

export const userEnumeration: OperationCheck = {
  kind: 'operation',
  id: 'user-enumeration',
  title: 'Answers tell which users exist',
  cwes: [204],
  severity: 'LOW',
  solution: 'Answer in the same words, status and time whether or not there is such a user.',
  profile: 'BALANCED',
  accepts: ({ isDestructive }) => !isDestructive,
  async *probe(operation, context) {
    const user = userPoint(operation, context)
    if (user === undefined) return
    const secret = guessedPoint(operation, context)
    const wrong = context.word()
    const changesFor = (name: string): Change[] => [
      { point: user, value: name },
      ...(secret ? [{ point: secret, value: wrong }] : []),
    ]
    const ask = async (name: string): Promise<Asked | null> => {
      const exchange = await context.attempt(operation, changesFor(name), { identity: null, isAlone: true })
      if (exchange === null || exchange.answer.status === 429 || exchange.answer.status >= 500) return null
      return { exchange, shape: steadyText(exchange.text, [name, wrong]) }
    }

    for (const known of await knownNames(user, context)) {
      const pairs: { there: Asked; gone: Asked }[] = []
      for (let round = 0; round < ROUNDS; round += 1) {
        const [there, gone] = [await ask(known), await ask(unknownLike(known, context))]
        if (there === null || gone === null || !differ(there, gone)) break
        pairs.push({ there, gone })
      }
      const [first] = pairs
      if (first === undefined || pairs.length < ROUNDS) continue
      if (!pairs.every(({ there, gone }) => !differ(there, first.there) && !differ(gone, first.gone))) continue
      yield {
        detail: `A name with an account is answered with ${sample(first.there)}, one without with ${sample(first.gone)}; ${ROUNDS} times in turn.`,
        proof: [first.gone.exchange.text.slice(0, 100)],
        exchange: first.gone.exchange,
        operation,
        point: user,
      }
      return
    }
  },
}

type Asked = { exchange: Exchange; shape: string }

const differ = (one: Asked, other: Asked): boolean =>
  one.exchange.answer.status !== other.exchange.answer.status || textLikeness(one.shape, other.shape) < 0.985

const sample = ({ exchange: { answer, text } }: Asked): string =>
  `${answer.status} ${JSON.stringify(
    text
      .replace(/<[^<>]{0,300}>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 60),
  )}`

/** Names of the identities of the kind that the field takes, and the one that the description has as an example. */
async function knownNames(user: Point, context: Context): Promise<string[]> {
  const isAddress = /mail/i.test(user.name) || (typeof user.value === 'string' && user.value.includes('@'))
  const found: string[] = []
  for (const identity of context.identities.slice(0, 2)) {
    found.push(...namesOf(identity), ...(await holdingsOf(context, identity)).marks)
  }
  if (typeof user.value === 'string' && user.value !== '') found.unshift(user.value)
  const fitting = found.filter(
    (name) => name.includes('@') === isAddress && name !== '' && name.length < 100 && !/^[0-9a-f-]{32,36}$/.test(name),
  )
  return [...new Set(fitting)].slice(0, MOST_NAMES)
}

/** A name of the same form that nobody has. */
function unknownLike(known: string, context: Context): string {
  const at = known.indexOf('@')
  return at < 0 ? context.word() : `${context.word()}${known.slice(at)}`
}
