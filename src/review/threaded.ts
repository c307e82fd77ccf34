// Runs a review in a thread of its own, with bounds on memory, time and output.

import { Worker } from 'node:worker_threads'
import { noteGarbage } from '../core/durable/garbage.ts'
import type { ReviewResult } from './run.ts'
import type { Found } from './types.ts'

export type ToThread = { kind: 'PIECE'; bytes: Uint8Array } | { kind: 'END' }

export type FromThread =
  | { kind: 'MORE' }
  | { kind: 'FOUND'; found: readonly Found[] }
  | { kind: 'DONE'; result: ReviewResult }

type ThreadOptions = {
  key: Buffer
  /** milliseconds from the first byte to the last finding */
  timeout: number
  /** MiB of the thread's heap */
  memory?: number
  /** findings, packages and notes together; those beyond it are only counted */
  mostFound?: number
  signal?: AbortSignal
}

/** The review did not finish; the message is one sentence that may be shown to users. */
export class ReviewFault extends Error {
  override name = 'ReviewFault'
}

export type Reviewed = { found: Found[]; untold: number; result: ReviewResult }

const MOST_FOUND = 20_000
const MEMORY = 512
/** MiB of the heap for short-lived objects, which nearly all objects of a review are */
const YOUNG = 8

/** Reviews the diff. Throws ReviewFault past a bound, the signal's reason once it is aborted, and what reading the bytes throws. */
export async function reviewInThread(bytes: AsyncIterable<Uint8Array>, options: ThreadOptions): Promise<Reviewed> {
  const { key, timeout, memory = MEMORY, mostFound = MOST_FOUND, signal } = options
  const url = new URL(import.meta.url.endsWith('.ts') ? './thread.ts' : './thread.js', import.meta.url)
  const thread = new Worker(url, {
    workerData: { key },
    resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: YOUNG },
    execArgv: [],
  })
  const source = bytes[Symbol.asyncIterator]()
  const found: Found[] = []
  let untold = 0
  try {
    const result = await new Promise<ReviewResult>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new ReviewFault(`The review took longer than ${timeout / 1000} seconds`)),
        timeout,
      )
      timer.unref()
      const feed = async () => {
        const next = await source.next()
        if (next.done) return thread.postMessage({ kind: 'END' } satisfies ToThread)
        const bytes = copied(next.value)
        noteGarbage(bytes.length)
        thread.postMessage({ kind: 'PIECE', bytes } satisfies ToThread, [bytes.buffer])
      }
      thread.on('message', (message: FromThread) => {
        if (message.kind === 'MORE') feed().catch(reject)
        else if (message.kind === 'DONE') resolve(message.result)
        else {
          const told = message.found.slice(0, Math.max(0, mostFound - found.length))
          untold += message.found.length - told.length
          found.push(...told)
        }
      })
      thread.on('error', (error: Error & { code?: string }) =>
        reject(
          error.code === 'ERR_WORKER_OUT_OF_MEMORY'
            ? new ReviewFault(`The review took more than ${memory} MiB`)
            : error,
        ),
      )
      thread.on('exit', () => reject(new ReviewFault('The review ended before it was done')))
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
      if (signal?.aborted) reject(signal.reason)
    })
    return { found, untold, result }
  } finally {
    await thread.terminate()
    // not waited for: a source that never gives its next piece never ends either
    source.return?.().catch(() => {})
  }
}

/** A copy with memory of its own that can be transferred, because a chunk may be part of a pool. */
const copied = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => Uint8Array.from(bytes)
