// Runs the command line against the service under test, as a person or a pipeline would.

import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { serviceUrl } from '../testkit/service.ts'

type Ended = { code: number | null; out: string; err: string }

type Setting = {
  key?: string
  cwd?: string
  input?: string
  environment?: Record<string, string>
  /** whoever reads standard output leaves at once */
  isDeaf?: boolean
  /** is given the running command, such as to end it */
  onStart?: (child: ChildProcess) => void
}

/** `merlon <words>`; answers with how it ended, whatever that is. */
export async function merlon(words: readonly string[], setting: Setting = {}): Promise<Ended> {
  const { key, cwd, input, environment, isDeaf, onStart } = setting
  const { MERLON_API_KEY: _, DATABASE_URL: __, ...inherited } = process.env
  const child = spawn(process.execPath, [resolve('src/cli/main.ts'), ...words], {
    cwd,
    env: {
      ...inherited,
      XDG_CONFIG_HOME: '/nonexistent',
      // No worker runs beside the service under test.
      MERLON_GATE_WAIT: '0',
      MERLON_URL: await serviceUrl(),
      ...(key ? { MERLON_API_KEY: key } : {}),
      ...environment,
    },
  })
  onStart?.(child)
  child.stdin.end(input ?? '')
  if (isDeaf) child.stdout.destroy()
  const [out, err] = [isDeaf ? '' : collect(child.stdout), collect(child.stderr)]
  const code = await new Promise<number | null>((done) => child.once('close', done))
  return { code, out: await out, err: await err }
}

async function collect(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** As merlon, with --json, for a command that must not fail; answers with what it printed. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it asked for itself
export async function merlonJson(words: readonly string[], setting: Setting = {}): Promise<any> {
  const { code, out, err } = await merlon([...words, '--json'], setting)
  if (code !== 0) throw new Error(`merlon ${words.join(' ')} ended with ${code}: ${err}`)
  return JSON.parse(out)
}
