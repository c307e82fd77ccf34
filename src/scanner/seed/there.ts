// Whether something exists at an undescribed address: its response differs from that of a random address in the same folder.

import type { Context } from '../check.ts'
import { likenessOf } from '../compare.ts'
import { mediaTypeOf } from '../http.ts'
import { SendFailed } from '../outcome.ts'
import type { Exchange, Operation } from '../types.ts'
import { fromObserved } from './observed.ts'

/** Likeness from which two answers count as one. */
const ALIKE = 0.9

export type Looking = Pick<Context, 'send' | 'requestOf' | 'word' | 'signal' | 'target'>

/** As nobody's operation: what answers where nothing is says nothing of the target's operations. Null when no answer came. */
export async function askBeside({ send, requestOf }: Looking, operation: Operation): Promise<Exchange | null> {
  try {
    return await send(requestOf(operation))
  } catch (error) {
    if (error instanceof SendFailed) return null
    throw error
  }
}

/** Reading an address that only a guess, or a word of an answer, leads to; null for what is none, or does more than read. */
export function readingOf(url: string): Operation | null {
  const operation = fromObserved({ method: 'GET', url, source: 'guess' })
  return operation === null || operation.isDestructive || operation.isForForgotten === true ? null : operation
}

/** Tells of addresses whether something is there; what a folder answers for nothing is asked once. */
export function openThere(looking: Looking): (operation: Operation) => Promise<Exchange | null> {
  const nothings = new Map<string, Promise<Exchange | null>>()
  const nothingBeside = ({ origin, path }: Operation): Promise<Exchange | null> => {
    const folder = origin + path.replace(/[^/]*\/?$/, '')
    const known = nothings.get(folder)
    if (known) return known
    const random = readingOf(folder.replace(/\{[^{}]{0,100}\}/g, '0') + looking.word())
    const asked = random === null ? Promise.resolve(null) : askBeside(looking, random)
    nothings.set(folder, asked)
    return asked
  }
  return async (operation) => {
    const nothing = await nothingBeside(operation)
    const exchange = nothing && (await askBeside(looking, operation))
    return exchange && isThere(exchange) && !isSame(exchange, nothing) ? exchange : null
  }
}

/** A fault of the server's counts too: something went wrong that nothing would not. */
const isThere = ({ answer: { status } }: Exchange): boolean =>
  status < 300 || status === 401 || status === 403 || status === 400 || status === 422 || status === 500

/** Both may show the address that they were asked at. */
const isSame = (one: Exchange, other: Exchange): boolean => {
  const shown = [one, other].flatMap(({ request }) => URL.parse(request.url)?.pathname ?? [])
  const parts = shown.flatMap((path) => [path, path.split('/').findLast((part) => part !== '') ?? ''])
  return one.answer.status === other.answer.status && likenessOf(one, other, parts) >= ALIKE
}

/** An answer for programs, and not for people. */
export const isData = ({ answer }: Exchange): boolean => /json/.test(mediaTypeOf(answer))
