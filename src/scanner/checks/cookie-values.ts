// Tests cookies that the target set and no description mentions: whether their values reach SQL statements.

import type { OperationCheck } from '../check.ts'
import { SHORTEST_TOKEN } from '../set-cookie.ts'
import type { Change, Operation, Point } from '../types.ts'
import { sqlInjection } from './sql-injection.ts'
import { sqlErrorIn } from './sql-messages.ts'

const MOST_COOKIES = 8

export const cookieValues: OperationCheck = {
  kind: 'operation',
  id: 'cookie-values',
  ...sqlInjection,
  profile: 'BALANCED',
  accepts: ({ method, source }) => method === 'GET' && source !== 'graphql',
  async *probe(operation, context) {
    for (const [name, value] of context.cookies().slice(0, MOST_COOKIES)) {
      // a session's own value is looked up as a whole, and another one would be somebody else's
      if (value.length >= SHORTEST_TOKEN || isDescribed(operation, name)) continue
      const point: Point = { place: 'cookie', name, value }
      // it goes as it is: many a target takes what stands in a cookie without decoding it
      const ask = (text: string) => context.attempt(operation, [{ point, value: text, isRaw: true } satisfies Change])
      const broken = await ask(`${value}'`)
      const error = broken && sqlErrorIn(broken.text)
      if (!error) continue
      const [again, harmless, usual] = [await ask(`${value}'`), await ask(context.word()), await ask(value)]
      if (!again || !sqlErrorIn(again.text) || !usual || sqlErrorIn(usual.text)) continue
      if (!harmless || sqlErrorIn(harmless.text)?.text === error.text) continue
      yield {
        detail: `A quote in the cookie causes a syntax error in ${error.engine}.`,
        proof: [error.text],
        exchange: broken,
        operation,
        point,
      }
    }
  },
}

const isDescribed = ({ parameters }: Operation, cookie: string): boolean =>
  parameters.some(({ place, name }) => place === 'cookie' && name === cookie)
