// One scan for the scan benchmark, in a process of its own as in the service, with the processor time that it took.

import { readAllowed } from '../src/core/outbound-address.ts'
import { scan } from '../src/scanner/engine.ts'
import type { Measured, Scanned } from './scan.ts'

const person = (name: string) => ({
  name,
  headers: [['Authorization', `Bearer ${name}-person`]] as const,
  cookies: [],
  query: [],
})

process.on('message', (work: Scanned) => {
  void run(work)
    .then(() => run(work))
    .then((measured) => process.send?.(measured))
})
process.on('disconnect', () => process.exit(0))

/** Without a limit of its own on requests a second. */
async function run({ url, description }: Scanned): Promise<Measured> {
  const allowed = readAllowed('127.0.0.0/8')
  const before = process.cpuUsage()
  const { state, requests, ms, operations, findings } = await scan({
    target: url,
    profile: 'BALANCED',
    schema: { name: 'openapi.json', text: description },
    identities: [person('first'), person('second')],
    crawl: false,
    browser: false,
    budget: { rate: 1_000_000, requests: 1_000_000 },
    ...(allowed ? { allowed } : {}),
  })
  if (state !== 'COMPLETED') throw new Error(`The scan ended ${state}`)
  const { user, system } = process.cpuUsage(before)
  return { requests, ms, cpu: user + system, what: `${operations.length} operations, ${findings.length} findings` }
}
