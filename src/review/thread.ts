// The thread in which a review runs: it requests the diff piece by piece, and reports findings file by file.

import { setPriority } from 'node:os'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { reviewDiff } from './run.ts'
import type { FromThread, ToThread } from './threaded.ts'
import type { Found } from './types.ts'

const port = requirePort()

/** The lower priority of the thread, on systems where threads have priorities of their own. */
const NICE = 10
if (process.platform === 'linux') setPriority(NICE)

function requirePort(): MessagePort {
  if (!parentPort) throw new Error('This is no thread')
  return parentPort
}

const tell = (message: FromThread) => port.postMessage(message)

/** Findings that are sent in one message. */
const BATCH = 200

async function* pieces(): AsyncGenerator<Uint8Array> {
  for (;;) {
    const arrived = new Promise<ToThread>((resolve) => port.once('message', resolve))
    tell({ kind: 'MORE' })
    const message = await arrived
    if (message.kind === 'END') return
    yield message.bytes
  }
}

const reading = reviewDiff(pieces(), { key: Buffer.from(workerData.key) })
let batch: Found[] = []
for (;;) {
  const next = await reading.next()
  if (!next.done) batch.push(next.value)
  if (batch.length >= BATCH || next.done) {
    tell({ kind: 'FOUND', found: batch })
    batch = []
  }
  if (!next.done) continue
  tell({ kind: 'DONE', result: next.value })
  break
}
port.close()
