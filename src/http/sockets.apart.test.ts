// Connections that have not said who they are: few, with few words, so that they take nothing from those that have.

import { expect, test } from 'vitest'
import { connect, until } from '../../test/testkit/events.ts'
import { startService } from '../../test/testkit/service.ts'
import { newWorld } from '../../test/testkit/world.ts'

test('a connection of nobody known takes no room from others: an address has fifty of them, and who is let in counts no more', async () => {
  const crowded = await startService({ MERLON_TRUST_PROXY: 'true' })
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
  const { owner } = await newWorld()
  const known = await connect(crowded.url, owner.key, from('192.0.2.1'))

  const silent = await Promise.all(Array.from({ length: 50 }, () => connect(crowded.url, null, from('192.0.2.1'))))
  const open = silent.filter(({ socket }) => socket.readyState === 1)
  const oneMore = await connect(crowded.url, null, from('192.0.2.1'))
  const elsewhere = await connect(crowded.url, owner.key, from('192.0.2.2'))
  const states = [known, oneMore, elsewhere].map(({ socket }) => socket.readyState)
  await crowded.app.stop(0)

  expect(open).toHaveLength(50)
  expect(states).toEqual([1, 3, 1])
})

test('a connection of nobody known is refused where two hundred of all addresses are open', async () => {
  const crowded = await startService({ MERLON_TRUST_PROXY: 'true' })
  const { owner } = await newWorld()
  const from = (number: number) => ({ headers: { 'x-forwarded-for': `192.0.2.${Math.floor(number / 50)}` } })

  const silent = await Promise.all(Array.from({ length: 200 }, (_, number) => connect(crowded.url, null, from(number))))
  const oneMore = await connect(crowded.url, null, from(200))
  silent[0]?.end()
  const afterwards = await until(async () => {
    const { socket } = await connect(crowded.url, owner.key, from(200))
    return socket.readyState === 1
  })
  await crowded.app.stop(0)

  expect(oneMore.socket.readyState).toBe(3)
  expect(afterwards).toBe(true)
})

test.each([
  ['a long message', [{ type: 'ping', payload: { text: 'x'.repeat(4_096) } }]],
  ['more than ten messages', Array.from({ length: 11 }, () => ({ type: 'ping' }))],
])('a connection of nobody known is closed at %s', async (_, messages) => {
  const service = await startService({})

  const { send, closed } = await connect(service.url, null)
  for (const message of messages) send(message)
  const end = await closed
  await service.app.stop(0)

  expect(end).toEqual({ code: 4401, reason: 'Authenticate first' })
})

test('a ping is answered without what it carried', async () => {
  const service = await startService({})
  const { owner } = await newWorld()

  const { send, messages } = await connect(service.url, owner.key)
  send({ type: 'ping', payload: { text: 'x'.repeat(100_000) } })
  const pong = await until(() => messages.find(({ type }) => type === 'pong'))
  await service.app.stop(0)

  expect(pong).toEqual({ type: 'pong' })
})
