// The control of the scan benchmark: only sends the recorded requests over keep-alive connections, and reads each answer to its end.

import { Agent, request } from 'node:http'
import type { Measured, Sent } from './scan.ts'
import type { Recorded } from './scan-target.ts'

process.on('message', (work: Sent) => {
  void run(work)
    .then(() => run(work))
    .then((measured) => process.send?.(measured))
})
process.on('disconnect', () => process.exit(0))

async function run({ url, recorded, connections }: Sent): Promise<Measured> {
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
  const before = process.cpuUsage()
  const began = performance.now()
  await Promise.all(Array.from({ length: connections }, lane))
  agent.destroy()
  const { user, system } = process.cpuUsage(before)
  return { requests: recorded.length, ms: performance.now() - began, cpu: user + system }
}
