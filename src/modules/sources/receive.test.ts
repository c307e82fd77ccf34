// Calls to webhook addresses that do not exist: answered before anything of their body is read.

import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { serviceUrl } from '../../../test/testkit/service.ts'
import { newWorld } from '../../../test/testkit/world.ts'

/** What comes back to the head of a call that announces so many bytes, of which none is sent. */
async function answerTo(path: string, bytes: number): Promise<string> {
  const { hostname, port } = new URL(await serviceUrl())
  return new Promise((resolve, reject) => {
    let said = ''
    const socket = connect(Number(port), hostname, () => {
      const head = [`POST ${path} HTTP/1.1`, 'host: here', 'content-type: application/json', `content-length: ${bytes}`]
      socket.write(`${head.join('\r\n')}\r\n\r\n`)
    })
    socket.setTimeout(60_000, () => socket.destroy(new Error('Nothing was answered')))
    socket.on('data', (chunk) => {
      said += chunk.toString()
    })
    socket.on('end', () => resolve(said))
    socket.on('error', reject)
  })
}

test.each([5, 7 * 1024 * 1024])(
  'an address that nobody was given is answered with 404 without waiting for its body of %i bytes',
  async (bytes) => {
    const { companyId } = await newWorld()

    const answers = [
      await answerTo(`/hooks/${companyId}-${'A'.repeat(43)}`, bytes),
      await answerTo('/hooks/nothing', bytes),
    ]

    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 404 [\s\S]*There is nothing at this address/)
  },
)
