// The object store on a local disk, or on a file system that nodes share: files written durably, in 256 directories.

import { close, createReadStream, open as openByCallback, read as readByCallback } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hasCode } from '../error-code.ts'
import { writeNewFile } from '../private-file.ts'
import { type Draft, openDrafts } from './drafts.ts'
import {
  HOLD,
  isHeld,
  isObjectKey,
  MissingObject,
  newObjectKey,
  type ObjectStore,
  OWNER,
  openHold,
  requireObjectKey,
} from './store.ts'

/** bytes per read */
const BLOCK = 256 * 1024

const PLACE = 'MERLON_DATA/objects'

/** The path of an object below the store's directory. */
export function objectPath(directory: string, objectKey: string): string {
  requireObjectKey(objectKey)
  return join(directory, objectKey.slice(0, 2), objectKey)
}

/** Opens the store below `directory`, creating it if necessary. */
export async function openDisk(directory: string): Promise<ObjectStore> {
  const drafts = await openDrafts(join(directory, 'incoming'))
  const place = (objectKey: string) => objectPath(directory, objectKey)
  const hold = join(directory, HOLD)
  const owned = join(directory, OWNER)
  const owner = async (): Promise<string | null> => {
    const text = await readFile(owned, 'utf8').catch((error: unknown) => {
      if (hasCode(error, 'ENOENT')) return null
      throw error
    })
    return text?.trim() ?? null
  }

  const keep = async ({ path, objectKey }: Draft): Promise<void> => {
    const final = place(objectKey)
    const made = await mkdir(dirname(final), { recursive: true, mode: 0o700 })
    await rename(path, final)
    await syncDirectory(dirname(final))
    if (made !== undefined) await syncDirectory(directory)
  }

  return {
    place: PLACE,
    put: (bytes, limit, reader = null) => drafts.receive({ objectKey: newObjectKey(), bytes, limit, reader }, keep),
    putBack(objectKey, bytes) {
      requireObjectKey(objectKey)
      return drafts.receive({ objectKey, bytes, limit: Number.POSITIVE_INFINITY, reader: null }, keep)
    },
    read(objectKey, range) {
      const stream = createReadStream(place(objectKey), { ...range, highWaterMark: BLOCK, fs: tellingMissing })
      // the file is opened at once, and an error without a listener would end the process; a later reader still receives it
      return stream.on('error', () => {})
    },
    async remove(objectKey) {
      const held = await stat(hold).catch(() => null)
      if (!isHeld(held?.mtimeMs ?? null)) await rm(place(objectKey), { force: true })
    },
    hold: () =>
      openHold(
        () => writeFile(hold, '', { mode: 0o600 }),
        () => rm(hold, { force: true }),
      ),
    async *list() {
      for (const prefix of await readdir(directory)) {
        if (!/^[0-9a-f]{2}$/.test(prefix)) continue
        for (const objectKey of await readdir(join(directory, prefix))) if (isObjectKey(objectKey)) yield objectKey
      }
    },
    async ageOf(objectKey) {
      const found = await stat(place(objectKey)).catch(() => null)
      return found ? Date.now() - found.mtimeMs : Number.NEGATIVE_INFINITY
    },
    removeDrafts: drafts.remove,
    owner,
    async claim(claimant) {
      await writeNewFile(owned, `${claimant}\n`)
      return (await owner()) ?? claimant
    },
    disown: () => rm(owned, { force: true }),
  }
}

type Opened = (error: NodeJS.ErrnoException | null, descriptor: number) => void

const tellingMissing = {
  open: (path: string, flags: string, mode: number, opened: Opened) =>
    openByCallback(path, flags, mode, (error, descriptor) =>
      opened(error?.code === 'ENOENT' ? new MissingObject(PLACE, error) : error, descriptor),
    ),
  read: readByCallback,
  close,
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
