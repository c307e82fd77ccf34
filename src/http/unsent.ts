// Counts the answers that their callers have not taken yet, so that callers who do not read cannot fill the memory.

import type { ServerResponse } from 'node:http'
import { ApplicationError } from '../core/errors.ts'
import type { Viewer } from '../modules/context.ts'
import { companyOf } from './idempotency.ts'

/** Characters of the answers of one company: four of the largest. From half of them on, no further request is carried out. */
const MOST_UNSENT = 128 * 1024 * 1024
/** An answer of at most this many characters is always sent. */
const SMALL = 1024 * 1024

type Unsent = {
  /** RATE_LIMITED if answers for the viewer's company, or for a viewer of several, are waiting to be taken. */
  requireTaken(viewer: Viewer): void
  /** Counts an answer until its connection has taken it, or is closed; RATE_LIMITED for one for which there is no room. */
  hold(viewer: Viewer, characters: number, reply: ServerResponse): void
}

export function openUnsent(): Unsent {
  const unsent = new Map<string, number>()
  return {
    requireTaken(viewer) {
      if ((unsent.get(companyOf(viewer)) ?? 0) >= MOST_UNSENT / 2) throw tooMany()
    },
    hold(viewer, characters, reply) {
      // whoever left while the answer was made has closed it already, and it is not closed again
      if (reply.closed) return
      const whose = companyOf(viewer)
      const all = (unsent.get(whose) ?? 0) + characters
      if (all > MOST_UNSENT && characters > SMALL) throw tooMany()
      unsent.set(whose, all)
      reply.once('close', () => {
        const left = (unsent.get(whose) ?? 0) - characters
        if (left > 0) unsent.set(whose, left)
        else unsent.delete(whose)
      })
    },
  }
}

const tooMany = () =>
  new ApplicationError('RATE_LIMITED', 'Too many large answers have not been read yet; read them, and ask again', {
    retryAfterSeconds: 5,
  })
