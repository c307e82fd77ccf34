// Checks for SQL and XPath injection by responses that follow the truth of a condition in the value.

import type { Context, PointCheck } from '../check.ts'
import { isSettled, settle } from '../found.ts'
import { followsTruth, type Pair, textValue } from '../probing.ts'
import { mayNameAccounts } from '../resets.ts'
import type { Operation, Point } from '../types.ts'
import { sqlInjection } from './sql-injection.ts'

export const sqlBoolean: PointCheck = {
  kind: 'point',
  id: 'sql-injection-boolean',
  ...sqlInjection,
  async probe(point, operation, context) {
    if (isSettled(89, operation, point, context)) return null
    for (const pair of pairsFor(point, operation, context)) {
      const told = await followsTruth(pair, point, operation, context)
      if (!told) continue
      const xpath = xpathPair(pair)
      const isXpath = xpath !== null && (await followsTruth(xpath, point, operation, context))
      settle(89, operation, point, context)
      const proof = [told.whenTrue.text.slice(0, 200)]
      if (isXpath) {
        return {
          cwes: [643],
          title: 'XPath injection',
          detail: 'The response follows the truth of an XPath condition in the value (string-length).',
          proof,
          exchange: told.whenTrue,
        }
      }
      return {
        detail: `The response follows the truth of a condition in the value (${pair.of(7, 7)} and ${pair.of(7, 8)}), three times each.`,
        proof,
        exchange: told.whenTrue,
      }
    }
    return null
  },
}

/**
 * Conditions joined by OR reach other rows: only where the operation reads, or for a scan that may widen what a change reaches where
 * it does not say that it updates, and never where a password may be replaced without leave. Words are in lower case, since XPath knows no other.
 */
function pairsFor(point: Point, operation: Operation, context: Context): Pair[] {
  const text = textValue(point)
  const isNumber = /^-?\d{1,15}$/.test(text)
  const pairs: Pair[] = [
    ...(isNumber ? [{ name: 'number', of: (l: number, r: number) => `${text} and ${l}=${r}` }] : []),
    { name: "'", of: (l, r) => `${text}' and '${l}'='${r}` },
    { name: '"', of: (l, r) => `${text}" and "${l}"="${r}` },
    { name: "%'", of: (l, r) => `${text}%' and '${l}%'='${r}` },
    { name: "')", of: (l, r) => `${text}') and ('${l}'='${r}` },
    ...(isNumber ? [{ name: 'number)', of: (l: number, r: number) => `${text}) and (${l}=${r}` }] : []),
  ]
  // without what comes behind the value, a change may reach all rows
  if (operation.kind === 'read' || context.profile === 'DEEP')
    pairs.push(
      { name: "'--", of: (l, r) => `${text}' and ${l}=${r}-- -` },
      { name: "'))--", of: (l, r) => `${text}')) and ${l}=${r}-- -` },
    )
  // what is inserted has no condition, but a term that fails on a division by nothing; where || joins conditions, nought widens none
  if (operation.kind !== 'read') pairs.push({ name: "'||", of: (l, r) => `${text}${l}'||0/(${l}-${r})||'` })
  const mayWiden = operation.kind === 'read' || (context.profile === 'DEEP' && operation.kind === 'create')
  if (!mayWiden || !mayNameAccounts(operation, context)) return pairs
  return [
    ...pairs,
    { name: "' or", of: (l, r) => `zq' or '${l}'='${r}` },
    { name: "' or--", of: (l, r) => `zq' or ${l}=${r}-- -` },
    { name: '" or--', of: (l, r) => `zq" or ${l}=${r}-- -` },
    { name: "')) or--", of: (l, r) => `zq')) or ${l}=${r}-- -` },
    { name: "') or--", of: (l, r) => `zq') or ${l}=${r}-- -` },
    ...(isNumber ? [{ name: 'number or', of: (l: number, r: number) => `-1 or ${l}=${r}` }] : []),
  ]
}

/** The same with what is true where there is string-length, a function of XPath and of no SQL; null for what is no condition of XPath. */
function xpathPair(pair: Pair): Pair | null {
  const measured = (condition: string) =>
    condition.replace(/ (and|or) (?!.* (?:and|or) )/s, " $1 string-length('ab')=2 and ")
  const isCondition = pair.name.startsWith("'") && measured(pair.of(1, 2)) !== pair.of(1, 2)
  return isCondition ? { name: 'xpath', of: (left, right) => measured(pair.of(left, right)) } : null
}
