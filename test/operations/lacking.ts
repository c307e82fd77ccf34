// A backup of an installation that has lost stored files saves all the others, and names those that it lacks.

import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { objectPath } from '../../src/core/objects/disk.ts'
import { withAttachments } from './attachments.ts'
import { type Ended, newPlace, runCommand } from './server.ts'

type Seen = { ended: Ended; files: string[] }

type Story = {
  keys: Awaited<ReturnType<typeof withAttachments>>
  backup: Seen
  restore: Seen
  /** backups once no file is left: as usual, and with --without-files */
  bare: Seen
  rowsAlone: Seen
}

export async function backUpWithoutSome(): Promise<Story> {
  const work = await mkdtemp(join(tmpdir(), 'merlon-lacking-'))
  const [source, target] = [await newPlace(), await newPlace()]
  const backUp = async (name: string, ...options: string[]): Promise<Seen> => {
    const ended = await runCommand(['backup', join(work, name), ...options], source.environment)
    return { ended, files: await readdir(join(work, name, 'objects')).catch(() => []) }
  }
  try {
    const keys = await withAttachments(source)
    const objects = join(source.data, 'objects')
    await rm(objectPath(objects, keys['lost.txt']))
    await writeFile(objectPath(objects, keys['altered.txt']), 'Other bytes')
    const backup = await backUp('some')
    const ended = await runCommand(['restore', join(work, 'some')], target.environment)
    const restore = { ended, files: await storedIn(join(target.data, 'objects')) }
    await rm(objects, { recursive: true })
    return { keys, backup, restore, bare: await backUp('bare'), rowsAlone: await backUp('rows', '--without-files') }
  } finally {
    await source.remove()
    await target.remove()
    await rm(work, { recursive: true, force: true })
  }
}

const storedIn = async (objects: string): Promise<string[]> =>
  (await readdir(objects, { recursive: true }))
    .filter((name) => /[0-9a-f]{40}$/.test(name))
    .map((name) => name.slice(3))
