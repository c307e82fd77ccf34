// Limits a JSON value from a caller: its size, and its depth, which is measured without recursion.

import { badUserInput } from '../../core/errors.ts'

/** BAD_USER_INPUT, naming `argument`, if a value is deeper or, written as JSON, larger than the limits. */
export function requireJson(value: unknown, most: { bytes: number; depth: number }, argument: string): void {
  const name = argument.split('.').at(-1)
  let level = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > most.depth) throw badUserInput(`${name} has at most ${most.depth} levels`, argument)
    level = level.flatMap((inner) => (inner !== null && typeof inner === 'object' ? Object.values(inner) : []))
  }
  if (Buffer.byteLength(JSON.stringify(value) ?? '') > most.bytes) {
    throw badUserInput(`${name} has at most ${most.bytes} bytes of JSON`, argument)
  }
}
