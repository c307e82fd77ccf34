// The listener that targets call: which port it takes, what it knows a call by, and what it says where it cannot listen.

import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type Listener, openListener } from '../../src/scanner/out-of-band.ts'

const open: (Listener | Server)[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

/** Two ports in a row of which the first is taken. */
async function takenPort(): Promise<number> {
  const server = createServer().listen(0)
  open.push(server)
  await new Promise((done) => server.once('listening', done))
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

async function listener(ports: readonly [number, number], notes: string[] = []): Promise<Listener | null> {
  const opened = await openListener({ host: '127.0.0.1', ports }, (sentence) => void notes.push(sentence))
  if (opened) open.push(opened)
  return opened
}

test('a call is known by its token, which gives what is there, and by nothing else', async () => {
  const hits: string[] = []
  const own = await listener([0, 0])
  const expected = own?.expect(({ path }) => void hits.push(path), 'what is there')

  const answer = await fetch(expected?.url ?? '')
  const text = await answer.text()
  const guess = `http://${expected?.host}/z${'0'.repeat(24)}`
  await (await fetch(guess)).text()

  expect(text).toBe('what is there')
  expect(hits).toHaveLength(1)
  expect(hits[0]).toContain(expected?.token)
  expect(expected?.token).toMatch(/^z[0-9a-f]{24}$/)
})

test('the next port is taken where the first one is', async () => {
  const first = await takenPort()

  const own = await listener([first, first + 20])

  const port = Number(
    own
      ?.expect(() => {})
      .host.split(':')
      .at(-1),
  )
  expect(port).toBeGreaterThan(first)
  expect(port).toBeLessThanOrEqual(first + 20)
})

test('where no port is left there is no listener, and it is noted', async () => {
  const notes: string[] = []
  const port = await takenPort()

  const own = await listener([port, port], notes)

  expect(own).toBeNull()
  expect(notes).toEqual([expect.stringContaining('could not be opened (EADDRINUSE)')])
})

test('a directory query is recognised by the name that is looked up, once its client was let in', async () => {
  const hits: string[] = []
  const own = await listener([0, 0])
  const expected = own?.expect(({ path }) => void hits.push(path))
  const client = connect(Number(expected?.host.split(':').at(-1)), '127.0.0.1')

  client.write(Buffer.from('300c020107600702010304008000', 'hex'))
  const [letIn] = (await once(client, 'data')) as [Buffer]
  client.write(Buffer.concat([Buffer.from('302802010863230419', 'hex'), Buffer.from(expected?.token ?? '')]))
  await once(client, 'close')

  expect(letIn.toString('hex')).toBe('300c02010761070a010004000400')
  expect(hits).toEqual([expect.stringContaining(expected?.token ?? 'a token')])
})
