// Safe retries: stores an answer under the caller's Idempotency-Key, if possible in the transaction of its effect.

import { sha256 } from '../core/crypto.ts'
import { type Trx, transaction } from '../core/db/open.ts'
import { ApplicationError } from '../core/errors.ts'
import { UploadedFile } from '../core/uploads.ts'
import type { Viewer, WorkParts } from '../modules/context.ts'
import { openKeptAnswers } from './kept-answers.ts'
import { openTurns } from './turns.ts'

const LONGEST_KEY = 255

/**
 * The outcome of an operation. `isTransient`: it failed for a reason that may pass; `isDone`: at least one of its mutations succeeded.
 */
type Outcome = { response: string; isTransient: boolean; isDone: boolean }

type Asked = { viewer: Viewer; key: string; hash: Buffer; signal: AbortSignal }

/** Both run `work` once for a key: a repeated request gets the stored answer, a different one under the same key CONFLICT. */
type Once = {
  /**
   * Runs `work` in the transaction that stores the answer, so that after a crash both are there or neither. A transient failure rolls it
   * back. CONFLICT (retryable) while it is in progress. One company's requests use at most half of the database connections.
   */
  inTransaction(asked: Asked, work: (trx: Trx) => Promise<Outcome>): Promise<string>
  /**
   * Runs `work` outside of transactions, between one that reserves the key and one that stores the answer. A transient failure that changed
   * nothing frees the key. A request that was cut short leaves it reserved, and CONFLICT says so.
   */
  callingOut(asked: Asked, work: () => Promise<Outcome>): Promise<string>
}

class Undone extends Error {
  readonly response: string
  constructor(response: string) {
    super('undone')
    this.response = response
  }
}

/** Printable ASCII up to 255 characters; BAD_REQUEST otherwise. */
export function readIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null
  if (typeof header !== 'string' || header.length > LONGEST_KEY || !/^[\x21-\x7e]+$/.test(header)) {
    throw new ApplicationError('BAD_REQUEST', `Idempotency-Key has 1 to ${LONGEST_KEY} printable characters`)
  }
  return header
}

/**
 * The scope of an idempotency key: the user, the companies that the API key can see, and its scopes. So a rotated API key may retry, while a
 * less privileged key of the same user neither reads the answers of a more privileged one nor leaves refusals for it.
 */
function scopeOf({ memberships, heldTo, scopes, userId }: Viewer): string {
  const companies = memberships?.size === 1 ? [...memberships.keys()] : heldTo
  const reach = JSON.stringify([companies?.toSorted() ?? null, scopes.toSorted()])
  return `user ${userId} reach ${sha256(reach).toString('base64url', 0, 16)}`
}

/** A hash of the operation and its variables, with the content of files. BAD_REQUEST for variables that are nested too deeply. */
export function hashRequest(query: string, operationName: string | undefined, variables: unknown): Buffer {
  try {
    return sha256(JSON.stringify([query, operationName ?? null, variables], fileAsContent))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new ApplicationError('BAD_REQUEST', 'The variables are nested too deeply')
  }
}

const fileAsContent = (_: string, value: unknown) =>
  value instanceof UploadedFile ? { filename: value.filename, sha256: value.sha256.toString('hex') } : value

export function openOnce({ db, keyring, config }: WorkParts): Once {
  // The request's deadline ends what calls other hosts.
  const kept = openKeptAnswers(keyring.answersKey, 2 * config.requestTimeout)
  const inTurn = openTurns(Math.max(1, Math.floor(config.databaseConnections / 2)))
  return {
    inTransaction({ viewer, key, hash, signal }, work) {
      const place = { scope: scopeOf(viewer), key }
      const once = async (trx: Trx) => {
        const known = await kept.find(trx, place, hash)
        if (known !== null) return known
        const { response, isTransient } = await work(trx)
        if (isTransient) throw new Undone(response)
        await kept.keep(trx, place, hash, response)
        return response
      }
      return inTurn(companyOf(viewer), async () => {
        signal.throwIfAborted()
        return transaction(db, once).catch((error: unknown) => {
          if (error instanceof Undone) return error.response
          throw error
        })
      })
    },
    async callingOut({ viewer, key, hash }, work) {
      const place = { scope: scopeOf(viewer), key }
      const known = await transaction(db, async (trx) => {
        const answer = await kept.find(trx, place, hash)
        if (answer === null) await kept.keep(trx, place, hash, null)
        return answer
      })
      if (known !== null) return known
      const { response, isTransient, isDone } = await work()
      await transaction(db, (trx) =>
        isTransient && !isDone ? kept.giveBack(trx, place) : kept.keep(trx, place, hash, response),
      )
      return response
    },
  }
}

/** Who takes turns and shares bounds: the company, or the user if the key can see several companies. */
export const companyOf = ({ memberships, userId }: Viewer): string =>
  memberships?.size === 1 ? `company ${[...memberships.keys()]}` : `user ${userId}`
