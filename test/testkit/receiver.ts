// A host that receives webhooks.

import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

// biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that it knows
type Shown = any

export type Received = { headers: IncomingHttpHeaders; body: string; message: Shown }

type Given = number | { status: number; headers?: Record<string, string>; body?: string }

/** Answers each webhook as `answer` says, by default with 204. */
export async function openReceiver(
  answer: (received: Received, count: number) => Given | Promise<Given> = () => 204,
): Promise<{ url: string; received: Received[]; close: () => Promise<void> }> {
  const received: Received[] = []
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const body = Buffer.concat(chunks).toString('utf8')
      const one = { headers: request.headers, body, message: JSON.parse(body) }
      received.push(one)
      const given = await answer(one, received.length)
      const { status, headers = {}, body: said = '' } = typeof given === 'number' ? { status: given } : given
      response.writeHead(status, headers).end(said)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
