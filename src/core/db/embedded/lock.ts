// Makes sure that a data directory is used by one process at a time.

import { createHash, randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../error-code.ts'
import { OperatorError } from '../../errors.ts'
import { startMark } from './processes.ts'

/** Another living process holds the data directory; nothing was touched. */
export class DataDirectoryHeld extends OperatorError {
  readonly holderPid: number

  constructor(dataDirectory: string, holderPid: number) {
    super(
      `The data directory ${dataDirectory} is in use by process ${holderPid}. Stop that process first, or give this one a data directory of its own.`,
    )
    this.name = 'DataDirectoryHeld'
    this.holderPid = holderPid
  }
}

/**
 * Takes `<dataDirectory>/serve.lock` for this process and gives the function that lets go of it. A lock whose process
 * no longer runs is taken over. Throws DataDirectoryHeld when its process is alive, be it this one.
 */
export async function lockDataDirectory(dataDirectory: string): Promise<() => Promise<void>> {
  const path = join(dataDirectory, 'serve.lock')
  const content = JSON.stringify({ pid: process.pid, startMark: startMark(process.pid), token: randomUUID() })
  const draft = `${path}.${randomUUID()}`

  await writeFile(draft, content, { flag: 'wx', mode: 0o600 })

  try {
    const holder = await take(path, draft)
    if (holder !== undefined) throw new DataDirectoryHeld(dataDirectory, holder)
  } finally {
    await rm(draft, { force: true })
  }

  return async () => {
    if ((await readIfThere(path)) === content) await rm(path, { force: true })
  }
}

/**
 * Gives `path` the content of `draft` in one step, or the id of the living process that holds it. A dead holder's file
 * may be replaced only by who holds the claim on exactly that content, which is a lock of the same kind: so two that
 * find the same dead holder never both replace it, and one that dies between can be succeeded in turn.
 */
async function take(path: string, draft: string): Promise<number | undefined> {
  for (;;) {
    try {
      await link(draft, path)
      return undefined
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error
    }

    const held = await readIfThere(path)
    if (held === undefined) continue

    const holder = livingHolder(held)
    if (holder !== undefined) return holder

    const claim = `${path}.${createHash('sha256').update(held).digest('hex').slice(0, 16)}`
    const claimant = await take(claim, draft)
    if (claimant !== undefined) return claimant

    try {
      // Who held the claim before may have replaced the file and gone on; only an unchanged file is still the dead one's.
      if ((await readIfThere(path)) === held) {
        const successor = `${path}.${randomUUID()}`
        await link(draft, successor)
        await rename(successor, path)
        return undefined
      }
    } finally {
      await rm(claim, { force: true })
    }
  }
}

/** The process that a lock's content names, when that very process still runs; unreadable content names none. */
function livingHolder(content: string): number | undefined {
  try {
    const parsed: unknown = JSON.parse(content)
    if (typeof parsed !== 'object' || parsed === null || !('pid' in parsed) || typeof parsed.pid !== 'number') return
    if (!('startMark' in parsed)) return

    return startMark(parsed.pid) === parsed.startMark ? parsed.pid : undefined
  } catch {
    return undefined
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}
