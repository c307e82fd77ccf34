// Checks whether responses reveal which accounts exist.

import type { Context, OperationCheck } from '../check.ts'
import { steadyText, wordsOf } from '../compare.ts'
import { isReset, mayNameAccounts } from '../resets.ts'
import type { Change, Exchange, Operation, Point } from '../types.ts'
import { guessedPoint, isUser } from './guessing.ts'
import { holdingsOf, namesOf } from './ownership.ts'

const ROUNDS = 3
/** How many names that may have an account are tried. */
const MOST_NAMES = 3

/** Statuses that refuse any request for now; a fault of the target itself counts as an answer. */
const REFUSED_FOR_NOW: ReadonlySet<number> = new Set([429, 502, 503, 504])

const RECOVERY = /resend|send-?(otp|code|link)/i
const SIGN_UP = /(sign-?up|register|registration)/i

function userPoint(operation: Operation, context: Context): Point | undefined {
  if (operation.kind === 'delete' || SIGN_UP.test(operation.key)) return undefined
  const isSignIn = guessedPoint(operation, context) !== undefined
  const isRecovery = (RECOVERY.test(operation.key) || isReset(operation)) && operation.kind !== 'read'
  return isSignIn || isRecovery ? context.pointsOf(operation).find(isUser) : undefined
}

export const userEnumeration: OperationCheck = {
  kind: 'operation',
  id: 'user-enumeration',
  title: 'User enumeration',
  cwes: [204],
  severity: 'LOW',
  solution: 'Answer with the same text, status and timing whether or not the user exists.',
  profile: 'BALANCED',
  // a target that replaces the password at once would lock out the accounts whose names are asked with
  accepts: (operation, context) => !operation.isDestructive && mayNameAccounts(operation, context),
  async *probe(operation, context) {
    const user = userPoint(operation, context)
    if (user === undefined) return
    const secret = guessedPoint(operation, context)
    const wrong = context.word()
    const changesFor = (name: string): Change[] => [
      { point: user, value: name },
      ...(secret ? [{ point: secret, value: wrong }] : []),
    ]
    const ask = async (name: string, known: string): Promise<Asked | null> => {
      const exchange = await context.attempt(operation, changesFor(name), { identity: null, isAlone: true })
      if (exchange === null || REFUSED_FOR_NOW.has(exchange.answer.status)) return null
      return { exchange, words: new Set(wordsOf(steadyText(exchange.text, [name, known, wrong])).keys()) }
    }

    for (const known of await knownNames(user, context)) {
      const there: Asked[] = []
      const gone: Asked[] = []
      for (let round = 0; round < ROUNDS; round += 1) {
        // what comes by turns whatever is asked comes to both of them in an order that changes
        const turns = [known, unknownLike(known, context)]
        for (const name of round % 2 === 0 ? turns : turns.reverse()) {
          const asked = await ask(name, known)
          if (asked !== null) (name === known ? there : gone).push(asked)
        }
        if (there.length <= round || gone.length <= round || !tells(there, gone)) break
      }
      const [withAccount, without] = [there[0], gone[0]]
      if (withAccount === undefined || without === undefined || gone.length < ROUNDS || !tells(there, gone)) continue
      const words = wordsOfAll(gone, there).slice(0, 3)
      const shown = words.length > 0 ? ` and the words ${words.join(', ')}` : ''
      yield {
        detail: `A name with an account gets ${sample(withAccount)}, one without gets ${sample(without)}${shown}; ${ROUNDS} times in alternation.`,
        proof: words.length > 0 ? words : [without.exchange.text.slice(0, 100)],
        exchange: without.exchange,
        operation,
        point: user,
      }
      return
    }
  },
}

type Asked = { exchange: Exchange; words: ReadonlySet<string> }

/** One status for each of the two, or words that always come with one and never with the other. */
function tells(there: readonly Asked[], gone: readonly Asked[]): boolean {
  const statuses = (asked: readonly Asked[]) => new Set(asked.map(({ exchange }) => exchange.answer.status))
  const [ofThere, ofGone] = [statuses(there), statuses(gone)]
  if (ofThere.size > 1 || ofGone.size > 1) return false
  if ([...ofThere].some((status) => !ofGone.has(status))) return true
  return wordsOfAll(there, gone).length + wordsOfAll(gone, there).length > 0
}

/** Words that all of the first have and none of the others. */
const wordsOfAll = ([first, ...rest]: readonly Asked[], others: readonly Asked[]): string[] =>
  [...(first?.words ?? [])].filter(
    (word) => rest.every(({ words }) => words.has(word)) && !others.some(({ words }) => words.has(word)),
  )

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

/** A name in the same format that nobody has. */
function unknownLike(known: string, context: Context): string {
  const at = known.indexOf('@')
  return at < 0 ? context.word() : `${context.word()}${known.slice(at)}`
}
