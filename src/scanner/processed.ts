// Runs a scan in a process of its own, with limits on memory and time; if the process dies, nothing else is affected.

import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Finding } from './finding.ts'
import type { ScanOptions } from './options.ts'
import type { Outcome, Progress } from './outcome.ts'

/** The options that can be sent to another process. */
export type SentOptions = Omit<ScanOptions, 'signal' | 'events'>

export type ToProcess = { kind: 'SCAN'; options: SentOptions } | { kind: 'STOP' }

export type FromProcess =
  | { kind: 'FOUND'; finding: Finding }
  | { kind: 'PROGRESS'; progress: Progress }
  | { kind: 'DONE'; rest: Omit<Outcome, 'findings'>; sightings: readonly Sightings[] }

/** What findings gained after they were reported, in the order in which they were. */
type Sightings = Pick<Finding, 'count' | 'others'>

export type ProcessOptions = {
  onFinding: (finding: Finding) => void
  onProgress: (progress: Progress) => void
  /** cancels the scan; its findings so far stay */
  signal: AbortSignal
  /** the longest duration in milliseconds, as a safeguard: the scan's own budget ends it earlier */
  timeout: number
}

/** The process did not finish: a sentence that may be shown, and what it had reported. */
export class ScanFault extends Error {
  override name = 'ScanFault'
  readonly findings: readonly Finding[]
  constructor(message: string, findings: readonly Finding[] = []) {
    super(message)
    this.findings = findings
  }
}

/** MiB of the process's heap, and of each half of its young part: bodies of answers die young, and are let go of before they pile up. */
const MEMORY = 192
const YOUNG = 4
/** Milliseconds that a scan has to end after it was told to stop. */
const GRACE = 1_500
/** The most characters kept of the process's error output. */
const COMPLAINT = 2_000

/** Resolves to the outcome of the scan. Throws ScanFault if its process died or had to be killed. */
export async function scanInProcess(
  options: SentOptions,
  { onFinding, onProgress, signal, timeout }: ProcessOptions,
): Promise<Outcome> {
  const path = fileURLToPath(
    new URL(import.meta.url.endsWith('.ts') ? './process.ts' : './process.js', import.meta.url),
  )
  // its environment has only what it needs to find programs, temporary directories and compiled code, and no secret
  const { PATH, HOME, TMPDIR, CHROMIUM, NODE_EXTRA_CA_CERTS, NODE_COMPILE_CACHE } = process.env
  const child = fork(path, {
    serialization: 'advanced',
    execArgv: [`--max-old-space-size=${MEMORY}`, `--max-semi-space-size=${YOUNG}`],
    env: { PATH, HOME, TMPDIR, CHROMIUM, NODE_EXTRA_CA_CERTS, NODE_COMPILE_CACHE },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let complaint = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString('utf8')).slice(-COMPLAINT)
  })
  const killing = new AbortController()
  const killIn = (milliseconds: number) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), milliseconds)
    killing.signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  }
  const stop = () => {
    if (child.connected) child.send({ kind: 'STOP' } satisfies ToProcess)
    killIn(GRACE)
  }
  killIn(timeout)
  signal.addEventListener('abort', stop, { once: true })
  const findings: Finding[] = []
  try {
    return await new Promise<Outcome>((resolve, reject) => {
      child.on('message', (message: FromProcess) => {
        if (message.kind === 'FOUND') {
          findings.push(message.finding)
          onFinding(message.finding)
        } else if (message.kind === 'PROGRESS') onProgress(message.progress)
        else resolve({ ...message.rest, findings: findings.map((one, at) => ({ ...one, ...message.sightings[at] })) })
      })
      child.on('error', reject)
      child.on('exit', (code, killedBy) => {
        const die = () => reject(new ScanFault(deathOf(code, killedBy, complaint), findings))
        // messages sent before it died may still be arriving
        if (child.connected) child.once('disconnect', die)
        else die()
      })
      child.send({ kind: 'SCAN', options } satisfies ToProcess)
      if (signal.aborted) stop()
    })
  } finally {
    killing.abort()
    signal.removeEventListener('abort', stop)
    child.kill('SIGKILL')
  }
}

function deathOf(code: number | null, killedBy: string | null, complaint: string): string {
  if (/heap out of memory/i.test(complaint))
    return `The scan was stopped because it used more than ${MEMORY} MiB of memory`
  return killedBy === null
    ? `The scan's process ended with code ${code}`
    : `The scan's process was killed (${killedBy})`
}
