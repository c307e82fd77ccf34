// Writes files that only this account may read (mode 0600), atomically and durably.

import { randomBytes } from 'node:crypto'
import { link, mkdir, open, rename, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { hasCode } from './error-code.ts'

/** Creates the file, unless another process creates it first. */
export async function writeNewFile(file: string, content: string): Promise<void> {
  const draft = await writeDraft(file, content)
  try {
    await link(draft, file)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    await unlink(draft)
  }
}

/** Creates or replaces the file. */
export async function replaceFile(file: string, content: string): Promise<void> {
  await rename(await writeDraft(file, content), file)
}

async function writeDraft(file: string, content: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.chmod(0o600)
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
  return draft
}
