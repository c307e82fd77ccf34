// The process in which a scan runs: it receives its options, reports its findings, and has no access to the service.

import { scan } from './engine.ts'
import type { FromProcess, ToProcess } from './processed.ts'

const controller = new AbortController()

const tell = (message: FromProcess): void => {
  process.send?.(message)
}

// a terminal tells all its processes that it was interrupted: whoever began the scan says what becomes of it
process.on('SIGINT', () => {})

// whoever began it is gone: nobody would stop it
process.on('disconnect', () => process.exit(1))

process.on('message', (message: ToProcess) => {
  if (message.kind === 'STOP') controller.abort()
  else void run(message)
})

async function run({ options }: Extract<ToProcess, { kind: 'SCAN' }>): Promise<void> {
  const outcome = await scan({
    ...options,
    signal: controller.signal,
    events: {
      onFinding: (finding) => tell({ kind: 'FOUND', finding }),
      onProgress: (progress) => tell({ kind: 'PROGRESS', progress }),
    },
  })
  const { findings, ...rest } = outcome
  const sightings = findings.map(({ count, others }) => ({ count, others }))
  process.send?.({ kind: 'DONE', rest, sightings } satisfies FromProcess, () => process.disconnect?.())
}
