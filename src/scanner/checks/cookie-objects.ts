// Tests cookies that hold serialised objects: what happens with another object in their place.

import { percentDecoded } from '../../core/percent.ts'
import type { Context, TargetCheck } from '../check.ts'
import { isSafe } from '../seed/names.ts'
import type { Change, Operation, Point } from '../types.ts'
import { deserialisation } from './deserialisation.ts'
import { deserialisationErrors } from './deserialisation-errors.ts'
import { isFine } from './ownership.ts'

const MOST_PAGES = 4
const ENCODED = /^[A-Za-z0-9+/_-]{16,}={0,2}$/
/** Pickles, objects of Java and PHP, and those of JSON, which node-serialize reads back with their functions; in hexadecimal digits. */
const OBJECT = /^(800[2-5]|28?(64|6c)|63(.{2}){0,40}?0a|aced|(4f|61)3a3\d|7b)/

export const cookieObjects: TargetCheck = {
  kind: 'target',
  id: 'cookie-objects',
  title: deserialisation.title,
  cwes: deserialisation.cwes,
  severity: deserialisation.severity,
  solution: deserialisation.solution,
  profile: 'BALANCED',
  usesListener: true,
  // a call is reported by the check that waits for it
  async *probe(context) {
    for (const [name, value] of context.cookies()) {
      const plain = unquoted(percentDecoded(value))
      if (!ENCODED.test(plain) || !OBJECT.test(Buffer.from(plain, 'base64').toString('hex'))) continue
      const point: Point = { place: 'cookie', name, value: plain }
      const asVisitor = withCookies(context, name)
      for (const operation of pagesOf(context)) {
        await deserialisation.probe(point, operation, asVisitor)
        const sighting = await deserialisationErrors.probe(point, operation, asVisitor)
        if (sighting) yield { operation, point, title: deserialisationErrors.title, ...sighting }
      }
    }
  },
}

const unquoted = (value: string): string => value.replace(/^"(.*)"$/s, '$1')

/** Pages that are closed to visitors come first, because they read the cookie. */
function pagesOf(context: Context): Operation[] {
  const read = context.operations.filter((one) => isSafe(one) && isFine(context.seen(one)))
  const isClosed = (one: Operation) => !isFine(context.seen(one, null) ?? null)
  return [...read.filter(isClosed), ...read.filter((one) => !isClosed(one))].slice(0, MOST_PAGES)
}

/**
 * Sends the other cookies along as they are, and nobody's session: one that the probe ends is opened by nobody again. Cookies go as they
 * stand, since many a target takes them without decoding.
 */
function withCookies(context: Context, name: string): Context {
  const others = context.cookies().filter(([each]) => each !== name)
  const kept = others.map(
    ([each, value]): Change => ({ point: { place: 'cookie', name: each, value }, value, isRaw: true }),
  )
  const attempt: Context['attempt'] = (operation, changes = [], options = {}) =>
    context.attempt(operation, [...changes.map((change) => ({ ...change, isRaw: true })), ...kept], {
      ...options,
      identity: null,
    })
  return { ...context, attempt }
}
