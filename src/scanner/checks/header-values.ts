// Tests headers that every request has and no description mentions: whether their values reach pages or SQL statements.

import type { Context, OperationCheck, Sighting } from '../check.ts'
import type { Point } from '../types.ts'
import { reflectedScript } from './scripting.ts'
import { sqlErrors } from './sql-errors.ts'
import { sqlErrorIn } from './sql-messages.ts'

const NAMES = ['User-Agent', 'Referer', 'X-Forwarded-For'] as const

/** What a scan has proved of a header: whatever logs or shows it does so for all pages. */
const proved = new WeakMap<Context, Set<string>>()

export const headerValues: OperationCheck = {
  kind: 'operation',
  id: 'header-values',
  title: 'Injection through a request header',
  cwes: [79, 89],
  severity: 'MEDIUM',
  solution: 'Treat headers as untrusted input: escape them in pages, and pass them to statements as parameters.',
  profile: 'BALANCED',
  accepts: ({ method, source }) => method === 'GET' && source !== 'graphql',
  async *probe(operation, context): AsyncIterable<Sighting> {
    const known = proved.get(context) ?? new Set<string>()
    proved.set(context, known)
    for (const name of NAMES) {
      if (operation.parameters.some((parameter) => parameter.place === 'header' && parameter.name === name)) continue
      const value = name === 'Referer' ? `${operation.origin}/` : name === 'User-Agent' ? 'Mozilla/5.0' : '127.0.0.1'
      const point: Point = { place: 'header', name, value }
      const word = context.word()
      const looked = await context.attempt(operation, [{ point, value: `${value}${word}'"` }])
      if (!looked) continue
      const shows = [
        { check: sqlErrors, isThere: sqlErrorIn(looked.text) !== null },
        { check: reflectedScript, isThere: looked.text.includes(word) },
      ]
      for (const { check, isThere } of shows) {
        const mark = `${check.id} ${name}`
        const shown = isThere && !known.has(mark) ? await check.probe(point, operation, context) : null
        if (!shown) continue
        known.add(mark)
        yield {
          ...shown,
          title: check.title,
          cwes: check.cwes,
          severity: check === sqlErrors ? check.severity : 'MEDIUM',
          operation,
          point,
          cause: `${operation.origin} ${mark}`,
        }
      }
    }
  },
}
