// Maintains a single comment of ours in a thread: found by an invisible mark, and edited rather than posted again.

import { VendorRefused } from './errors.ts'
import type { CommitReport } from './source-host.ts'

type Thread = {
  /** the existing comments */
  walk: () => AsyncIterable<{ id: number; text: string }>
  create: (text: string) => Promise<unknown>
  update: (id: number, text: string) => Promise<unknown>
}

/** The most comments that are searched for ours. */
const MOST = 2_000

/** A link definition that nothing refers to, which Markdown does not show. */
const markOf = (key: string) => `[//]: # (merlon:${key})`

/** Writes a new comment if the marked one may not be edited by us, or was deleted meanwhile. */
export async function keepComment({ key, summary }: CommitReport, thread: Thread): Promise<void> {
  const mark = markOf(key)
  const wanted = `${summary}\n\n${mark}`
  let seen = 0
  for await (const { id, text } of thread.walk()) {
    seen += 1
    if (seen > MOST) break
    if (!text.includes(mark)) continue
    if (text.trim() === wanted.trim() || (await isDone(thread.update(id, wanted)))) return
  }
  await thread.create(wanted)
}

async function isDone(work: Promise<unknown>): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    if (error instanceof VendorRefused && (error.kind === 'PERMISSION' || error.kind === 'MISSING')) return false
    throw error
  }
}
