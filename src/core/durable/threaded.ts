// Passes large files to a thread that hashes and reads them; the thread starts with the first such file and keeps running.

import { Worker } from 'node:worker_threads'
import { ApplicationError } from '../errors.ts'
import { laneMemory } from './lanes.ts'

export type ToThread =
  | { kind: 'OPEN'; file: number; module: string | null }
  | { kind: 'BLOCK'; file: number; at: number; length: number; isRead: boolean }
  | { kind: 'END' | 'DROP'; file: number }

export type FromThread = { file: number; told: unknown; digest: Uint8Array | null }

/**
 * The reader that a module's `openReader()` returns in the thread. Its results are sent to the main thread, so they are plain data; `memory`
 * lists the buffers of the last result that are transferred instead of copied.
 */
export type BlockReader = { push(block: Buffer): unknown; end(): unknown; memory?(): ArrayBuffer[] }

/** The module that reads a file, and the callback for its result after each block and at the end; false stops reading. */
export type InThread = { module: URL; told(what: never): boolean }

/** One file: send its blocks in order, by their offset in the lanes' memory. A block may be reused once it has been acknowledged. */
export type Threaded = {
  push(at: number, length: number): Promise<unknown>
  /** the SHA-256 of all blocks */
  end(): Promise<Buffer>
  close(): void
}

type Waiting = { resolve: (digest: Uint8Array | null) => void; reject: (error: unknown) => void }
type File = { reading: InThread | null; isRead: boolean; waiting: Waiting[] }
type Thread = { worker: Worker; files: Map<number, File> }

/** The thread's young generation in MiB: objects die at once, and a small space stays in the processor's caches. */
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
