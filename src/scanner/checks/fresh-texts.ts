// Replaces texts of a request by new ones, so that what it creates can be recognised, or is not refused as a duplicate.

import type { Context } from '../check.ts'
import type { Change, Operation, Point } from '../types.ts'

export const isLabel = ({ value, name, schema }: Point): boolean =>
  typeof value === 'string' &&
  !schema?.enum &&
  /^[\w .@-]*$/.test(value) &&
  !/(password|passwd|token|captcha|date|phone|url|csrf)/i.test(name) &&
  (schema?.format === undefined || schema.format === 'email')

/** Gives a request new texts, so that what it creates can be told apart; e-mail addresses stay e-mail addresses. */
export function freshTexts(
  points: readonly Point[],
  label: Point,
  context: Context,
): { changes: Change[]; word: string } {
  const word = context.word()
  const changes = points.flatMap((point): Change[] => {
    if (point.name === label.name) return [{ point, value: freshText(point, word) }]
    const isNew = isAddress(point) || (isLabel(point) && /user|name|login|email/i.test(point.name))
    return isNew ? [{ point, value: freshText(point, context.word()) }] : []
  })
  return { changes, word }
}

/** New texts for the other fields if the operation refuses the same values a second time; none if it accepts them again. */
export async function freshBeside(point: Point, operation: Operation, context: Context): Promise<Change[]> {
  const first = context.seen(operation)?.answer.status ?? 0
  const second = (await context.baseline(operation))?.exchange.answer.status
  if (operation.kind !== 'create' || first < 200 || first >= 400 || second === undefined || second === first) return []
  const others = context.pointsOf(operation).filter((one) => one.name !== point.name && isLabel(one))
  return others.map((one) => ({ point: one, value: freshText(one, context.word()) }))
}

const freshText = (point: Point, word: string): string => (isAddress(point) ? `${word}@example.com` : word)

const isAddress = ({ value, schema, name }: Point): boolean =>
  schema?.format === 'email' ||
  /e?mail$/i.test(name) ||
  (typeof value === 'string' && /^\S{1,100}@\S{1,100}$/.test(value))
