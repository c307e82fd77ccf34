// Zips that are made to cost much: what follows a file's compressed data, and what is passed over.

import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { type Entry, entriesOf, unzipped } from './unzip.ts'

const MiB = 1024 * 1024

/** The header of a file in a zip: APPNOTE.TXT, 4.3.7. */
function headerOf(name: string, { compression, size }: { compression: number; size: number }): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(compression, 8)
  header.writeUInt32LE(size, 18)
  header.writeUInt32LE(size, 22)
  header.writeUInt16LE(name.length, 26)
  return Buffer.concat([header, Buffer.from(name)])
}

const pieces = async function* (...buffers: Uint8Array[]) {
  yield* buffers
}

async function contentOf(packed: AsyncIterable<Uint8Array>, wanted: Entry): Promise<string> {
  const chunks = await Array.fromAsync(unzipped(packed, wanted, () => () => {}))
  return Buffer.concat(chunks).toString()
}

/** The bytes of all buffers that something still refers to, and of those that another thread has yet to free after they were collected. */
async function heldBytes(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  for (let round = 0; round < 5; round += 1) {
    collect()
    await delay(20)
  }
  return process.memoryUsage().arrayBuffers
}

test('a file that goes on long after the end of its compressed data is refused', async () => {
  const deflated = deflateRawSync(Buffer.from('{}'))
  const size = deflated.length + 4 * MiB
  const zip = () => pieces(headerOf('a.json', { compression: 8, size }), deflated, Buffer.alloc(4 * MiB))

  const [wanted] = await entriesOf(zip())

  await expect(contentOf(zip(), wanted)).rejects.toThrow('The zip cannot be unpacked')
})

test.each([
  ['stored', 0],
  ['compressed in a way of its own', 14],
])('a file that is passed over is not held, %s', async (_, compression) => {
  const zip = async function* () {
    yield headerOf('.hidden', { compression, size: 64 * MiB })
    for (let sent = 0; sent < 64; sent += 1) yield Buffer.alloc(MiB)
    await expect.poll(heldBytes).toBeLessThan(before + 32 * MiB)
    yield Buffer.concat([headerOf('a.json', { compression: 0, size: 2 }), Buffer.from('{}')])
  }
  const before = await heldBytes()

  const [wanted] = await entriesOf(zip())
  const content = await contentOf(zip(), wanted)

  expect(content).toBe('{}')
})
