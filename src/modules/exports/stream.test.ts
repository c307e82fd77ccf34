// How an export is written into a stream, and when its reader is given up.

import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inside } from '../../../test/testkit/inside.ts'
import { openStream } from './stream.ts'

async function* endless() {
  for (;;) yield 'x'.repeat(64 * 1024)
}

test('a reader that stops reading is given up, and the transaction ends', async () => {
  const { db } = await inside()
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()

  const stream = await openStream(db, end, endless, { atOnce: 20, ofBlock: 0 })
  stream.once('readable', () => stream.read(1))
  const [error] = await once(stream, 'error')

  expect(error.message).toBe('An export took too long to be downloaded')
  await ended
})

test('a reader that takes too little at a time is given up as well', async () => {
  const { db } = await inside()
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()

  const stream = await openStream(db, end, endless, { atOnce: 200, ofBlock: 1 })
  const reading = (async () => {
    for await (const _ of stream) await delay(50)
  })()

  await expect(reading).rejects.toThrow('An export took too long to be downloaded')
  await ended
})
