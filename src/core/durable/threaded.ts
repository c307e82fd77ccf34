// Hands large files to a thread that hashes and reads them, which is started with the first of them and kept.

import { Worker } from 'node:worker_threads'
import { ApplicationError } from '../errors.ts'
import { laneMemory } from './lanes.ts'

export type ToThread =
  | { kind: 'OPEN'; file: number; module: string | null }
  | { kind: 'BLOCK'; file: number; at: number; length: number; isRead: boolean }
  | { kind: 'END' | 'DROP'; file: number }

export type FromThread = { file: number; told: unknown; digest: Uint8Array | null }

/**
 * What the `openReader()` of a module gives in the thread. What it answers with is told outside, so it is plain data; `memory` is that of
 * its last answer which is given away rather than copied.
 */
export type BlockReader = { push(block: Buffer): unknown; end(): unknown; memory?(): ArrayBuffer[] }

/** Which module reads a file, and who is told what it says of each block and at the end; false where it need not go on. */
export type InThread = { module: URL; told(what: never): boolean }

/** One file: its blocks in their order, by where they lie in the memory of lanes. Each may be used again once it was answered. */
export type Threaded = {
  push(at: number, length: number): Promise<unknown>
  /** the SHA-256 of all blocks */
  end(): Promise<Buffer>
  close(): void
}

type Waiting = { resolve: (digest: Uint8Array | null) => void; reject: (error: unknown) => void }
type File = { reading: InThread | null; isRead: boolean; waiting: Waiting[] }
type Thread = { worker: Worker; files: Map<number, File> }

/** MiB of short-lived objects: what reading leaves behind is dead at once, and a small space stays in the caches. */
const YOUNG = 4

let thread: Thread | null = null
let opened = 0

export function openThreaded(reading: InThread | null): Threaded {
  thread ??= startThread()
  const { worker, files } = thread
  const number = ++opened
  const file: File = { reading, isRead: reading !== null, waiting: [] }
  const post = (message: ToThread) => worker.postMessage(message)
  const ask = (message: ToThread) =>
    new Promise<Uint8Array | null>((resolve, reject) => {
      if (!files.has(number)) return reject(ended())
      file.waiting.push({ resolve, reject })
      post(message)
    })
  files.set(number, file)
  worker.ref()
  post({ kind: 'OPEN', file: number, module: reading?.module.href ?? null })
  return {
    push: (at, length) => ask({ kind: 'BLOCK', file: number, at, length, isRead: file.isRead }),
    end: async () => Buffer.from((await ask({ kind: 'END', file: number })) ?? []),
    close() {
      if (files.delete(number)) post({ kind: 'DROP', file: number })
      if (files.size === 0) worker.unref()
    },
  }
}

const ended = (cause?: unknown) =>
  new ApplicationError('UNAVAILABLE', 'The file could not be read while it arrived: send it again', { cause })

function startThread(): Thread {
  const url = new URL(import.meta.url.endsWith('.ts') ? './thread.ts' : './thread.js', import.meta.url)
  const worker = new Worker(url, {
    workerData: { memory: laneMemory() },
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG, maxOldGenerationSizeMb: 64 },
    execArgv: [],
  })
  const files = new Map<number, File>()
  const started = { worker, files }
  worker.on('message', ({ file: number, told, digest }: FromThread) => {
    const file = files.get(number)
    if (!file) return
    if (file.isRead && file.reading) file.isRead = file.reading.told(told as never)
    file.waiting.shift()?.resolve(digest)
  })
  const fail = (cause?: unknown) => {
    if (thread === started) thread = null
    const error = ended(cause)
    for (const { waiting } of files.values()) for (const { reject } of waiting) reject(error)
    files.clear()
  }
  worker.on('error', fail)
  worker.on('exit', () => fail())
  return started
}
