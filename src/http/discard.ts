// Reads and drops the rest of a body that was refused before it had arrived.

import type { IncomingMessage } from 'node:http'

/** Milliseconds for which it is read and dropped, so that the sender reads the answer. */
const DISCARD_TIME = 10_000

export function discardRest(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return
  const cut = setTimeout(() => request.destroy(), DISCARD_TIME).unref()
  request.on('close', () => clearTimeout(cut)).resume()
}
