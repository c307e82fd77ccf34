// Safe retries: an answer is kept under the caller's Idempotency-Key, if possible in the transaction of its effect.

import { sha256 } from '../core/crypto.ts'
import { type Trx, transaction } from '../core/db/open.ts'
import { ApplicationError } from '../core/errors.ts'
import { UploadedFile } from '../core/uploads.ts'
import type { Viewer, WorkParts } from '../modules/context.ts'
import { openKeptAnswers } from './kept-answers.ts'
import { openTurns } from './turns.ts'

const LONGEST_KEY = 255

/**
 * What an operation answers; `isTransient`: it failed for a reason that may pass; `isDone`: one of its mutations, at least, did not
 * fail.
 */
export type Outcome = { response: string; isTransient: boolean; isDone: boolean }

type Asked = { viewer: Viewer; key: string; hash: Buffer; signal: AbortSignal }

/** Both run `work` once for a key: the same again gets the stored answer, another request under the key is CONFLICT. */
export type Once = {
  /**
   * In the transaction that stores the answer, so that after a crash either both are there or neither; what failed for a reason that
   * may pass is undone. CONFLICT, retryable, while it is in progress. The works of one company hold half of the connections at most.
   */
  inTransaction(asked: Asked, work: (trx: Trx) => Promise<Outcome>): Promise<string>
  /**
   * Between a transaction that reserves the key and one that stores the answer, and so in none. What failed for a reason that may pass
   * and did nothing gives the key back. What was cut short leaves it reserved: CONFLICT says so.
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
 * Where a key counts: for its user, the companies that the API key sees and the scopes that it has. So a rotated key may retry, and
 * a lesser key of the same user neither reads the answer of a greater one nor leaves its refusal to it.
 */
function scopeOf({ memberships, heldTo, scopes, userId }: Viewer): string {
  const companies = memberships?.size === 1 ? [...memberships.keys()] : heldTo
  const reach = JSON.stringify([companies?.toSorted() ?? null, scopes.toSorted()])
  return `user ${userId} reach ${sha256(reach).toString('base64url', 0, 16)}`
}

/** A hash of the operation and its variables; a file counts by its content. BAD_REQUEST for variables nested without end. */
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
  // What calls other hosts is ended by the request's deadline.
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

/** Whose turn it is: the company's, or the user's where the key sees several. */
const companyOf = ({ memberships, userId }: Viewer): string =>
  memberships?.size === 1 ? `company ${[...memberships.keys()]}` : `user ${userId}`
