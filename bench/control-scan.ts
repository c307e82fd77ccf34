// The control of the scan benchmark: sends recorded requests over kept connections, reads each answer to its end, and nothing else.

import { Agent, request } from 'node:http'
import type { Recorded } from './scan-target.ts'

export type Work = { url: string; recorded: Recorded[]; connections: number }

process.on('message', (work: Work) => {
  void run(work).then((ms) => process.send?.({ ms }))
})
process.on('disconnect', () => process.exit(0))

async function run({ url, recorded, connections }: Work): Promise<number> {
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let next = 0
  const lane = async () => {
    for (let one = recorded[next++]; one !== undefined; one = recorded[next++]) await send(one)
  }
  const send = ({ method, url: path, headers, body }: Recorded) =>
    new Promise<void>((done, failed) => {
      const outgoing = request({ agent, host: hostname, port, method, path, headers: headers.flat(), setHost: false })
      outgoing.on('response', (answer) => {
        answer.resume()
        answer.on('end', done)
      })
      outgoing.on('error', failed)
      outgoing.end(Buffer.from(body, 'latin1'))
    })
  const began = performance.now()
  await Promise.all(Array.from({ length: connections }, lane))
  agent.destroy()
  return performance.now() - began
}
