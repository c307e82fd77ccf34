// The body of a call that a vendor makes, before its form is known.

import { readJson } from './http-answers.ts'

/** The JSON that it says, as readJson gives it; null where it says none. */
export function jsonOfHook(body: Uint8Array): unknown {
  try {
    return readJson(Buffer.from(body))
  } catch {
    return null
  }
}
