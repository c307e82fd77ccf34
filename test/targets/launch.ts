// Starts the vulnerable service as an account without rights, in a folder of its own, and takes it away again.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { flaws } from './service.ts'
import { accounts } from './state.ts'

export type Target = {
  url: string
  /** The service's data as it was at the start. */
  reset(): Promise<void>
  stop(): Promise<void>
}

/** Whose credentials a scan is given; the last is an administrator. */
export const credentials = accounts
  .filter(({ name }) => ['alice', 'bob', 'root'].includes(name))
  .map(({ name, password, role }) => ({ name, password, role }))

/**
 * Starts the service with these flaws (all of them when left out) in a process that listens on 127.0.0.1 alone. As root the
 * process becomes `nobody`; its environment is empty but for the search path.
 */
export async function launch(on: readonly string[] = flaws.map(({ id }) => id)): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), 'merlon-target-'))
  const account = unprivileged()
  if (account !== undefined) chownSync(folder, account.uid, account.gid)

  const child = fork(new URL('main.ts', import.meta.url), [folder, ...on], {
    ...account,
    cwd: folder,
    env: { PATH: '/usr/bin:/bin', HOME: folder },
    execArgv: ['--disable-warning=ExperimentalWarning', '--max-old-space-size=256'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  const message: unknown = await Promise.race([
    once(child, 'message').then(([first]) => first),
    ended.then(() => {
      throw new Error('The vulnerable service ended before it listened.')
    }),
  ])
  if (typeof message !== 'object' || message === null || !('url' in message)) throw new Error('It gave no address.')

  return {
    url: String(message.url),
    reset: async () => {
      const done = once(child, 'message')
      child.send('reset')
      await done
    },
    stop: async () => {
      if (child.connected) child.disconnect()
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** What a process is started with that must have no rights: as root the account of nobody. */
export const unprivileged = (): { uid: number; gid: number } | undefined =>
  process.getuid?.() === 0 ? nobody() : undefined

/** The account of that name, of which each Unix has one; without it the service is not started as root. */
function nobody(): { uid: number; gid: number } {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('nobody:'))
  const [, , uid, gid] = line?.split(':') ?? []
  if (uid === undefined || gid === undefined) throw new Error('This machine has no account "nobody" to run it as.')
  return { uid: Number(uid), gid: Number(gid) }
}
