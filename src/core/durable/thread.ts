// The thread that hashes large files as they arrive, and reads those for which a module provides a reader.

import { createHash, type Hash } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import type { BlockReader, FromThread, ToThread } from './threaded.ts'

const memory: SharedArrayBuffer = workerData.memory
const files = new Map<number, { hash: Hash; reader: BlockReader | null }>()

async function open(file: number, module: string | null): Promise<void> {
  const offered: { openReader(): BlockReader } | null = module === null ? null : await import(module)
  files.set(file, { hash: createHash('sha256'), reader: offered?.openReader() ?? null })
}

type Answer = { told: FromThread; memory: ArrayBuffer[] }

async function follow(message: ToThread): Promise<Answer | null> {
  if (message.kind === 'OPEN') await open(message.file, message.module)
  const file = files.get(message.file)
  if (!file || message.kind === 'OPEN') return null
  if (message.kind === 'BLOCK') {
    const block = Buffer.from(memory, message.at, message.length)
    file.hash.update(block)
    if (!message.isRead) file.reader = null
    return { told: { file: message.file, told: file.reader?.push(block), digest: null }, memory: [] }
  }
  files.delete(message.file)
  if (message.kind === 'DROP') return null
  const told = { file: message.file, told: file.reader?.end(), digest: file.hash.digest() }
  return { told, memory: file.reader?.memory?.() ?? [] }
}

// messages are handled in order, also while a module loads; a failure ends the thread and fails the files that it has
let last = Promise.resolve()
parentPort?.on('message', (message: ToThread) => {
  last = last.then(async () => {
    const answer = await follow(message)
    if (answer) parentPort?.postMessage(answer.told, answer.memory)
  })
})
