// The first start works for an ordinary user too, again and after a crash; a port or directory in use is reported in one sentence.

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { run as ask } from './client.ts'
import { embeddedPlace, newPlace, type Place, runCommand, somePort, startServer } from './server.ts'

const USER = 'merlon-operations'

type Account = { name: string; uid: number; gid: number }

type Rights = { uid?: number; gid?: number }

/** An unprivileged account: the current one, or one created for this by root. */
function ordinaryAccount(): Account {
  if (process.getuid?.() !== 0) return { name: '', uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
  const id = (flag: string) => Number(execFileSync('id', [flag, USER], { stdio: ['ignore', 'pipe', 'ignore'] }))
  try {
    id('-u')
  } catch {
    execFileSync('useradd', ['--no-create-home', '--shell', '/bin/sh', USER])
  }
  return { name: USER, uid: id('-u'), gid: id('-g') }
}

/** Runs `npm start` as the account in its own directory: a first start, a second one, and one after a crash. */
async function startAsUser(): Promise<string[]> {
  const account = ordinaryAccount()
  const home = await mkdtemp(join(tmpdir(), 'merlon-user-'))
  await chown(home, account.uid, account.gid)
  await chmod(home, 0o700)
  const place = embeddedPlace(join(home, 'data'))
  const faults: string[] = []
  try {
    for (const signal of ['SIGTERM', 'SIGKILL', 'SIGTERM'] as const)
      await npmStart(place, home, account, signal).catch((error: Error) => faults.push(error.message))
  } finally {
    await rm(home, { recursive: true, force: true })
  }
  return faults
}

async function npmStart({ data }: Place, home: string, account: Account, signal: NodeJS.Signals): Promise<void> {
  const rights = account.name ? { uid: account.uid, gid: account.gid } : {}
  const { ended, url } = await startThrough(['npm', 'start'], data, home, rights)
  const key = (await readFile(join(data, 'admin-key'), 'utf8')).trim()
  await ask({ url, key }, '{ companies { collection { id } } }')
  process.kill(await servingProcess(data), signal)
  await ended
}

/** Starts a command that serves, with the embedded database in `data`; resolves once it serves or has ended. */
async function startThrough(command: readonly string[], data: string, home: string, rights: Rights = {}) {
  const port = await somePort()
  const { DATABASE_URL: _, NODE_OPTIONS: __, ...inherited } = process.env
  const environment = { ...inherited, HOME: home, MERLON_DATA: data, PORT: String(port), LOG_LEVEL: 'warn' }
  const [program = '', ...words] = command
  const child = spawn(program, words, { env: environment, ...rights, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      printed += chunk
    })
  }
  const ended = once(child, 'exit').then(([code, name]) => code ?? name)
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  while (!printed.includes('Next:') && !hasEnded()) await delay(50)
  if (hasEnded()) throw new Error(`${command.join(' ')} ended with ${await ended}: ${printed}`)
  return { child, ended, url: `http://127.0.0.1:${port}` }
}

const servingProcess = async (data: string): Promise<number> =>
  JSON.parse(await readFile(join(data, 'serve.lock'), 'utf8')).pid

/**
 * Starts the service with a command, and signals only the process of that command: with which options for Node and which
 * last flag the service ran, how the command ended, and whether the service was still there then.
 */
export async function serveThrough(command: readonly string[], signal: NodeJS.Signals) {
  const home = await mkdtemp(join(tmpdir(), 'merlon-through-'))
  const data = join(home, 'data')
  try {
    const { child, ended } = await startThrough(command, data, home)
    const serving = `/proc/${await servingProcess(data)}`
    const environment = await readFile(`${serving}/environ`, 'utf8')
    const words = (await readFile(`${serving}/cmdline`, 'utf8')).split('\0').filter((word) => word !== '')
    child.kill(signal)
    const code: number | string = await ended
    const [, options] = /(?:^|\0)NODE_OPTIONS=([^\0]*)/.exec(environment) ?? []
    return { options, flag: words.at(-1), code, isLeft: existsSync(join(data, 'serve.lock')) }
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

/** A port or an address that is unavailable: one sentence, exit code 1, and no database left running. */
export async function startWithoutAddress(): Promise<string[]> {
  const place = await newPlace()
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  const address = holder.address()
  const port = address !== null && typeof address === 'object' ? String(address.port) : ''
  const faults: string[] = []
  try {
    for (const [environment, words] of [
      [{ PORT: port }, 'EADDRINUSE'],
      [{ PORT: '0', HOST: '203.0.113.1' }, 'EADDRNOTAVAIL'],
    ] as const) {
      const { code, err } = await runCommand(['serve'], { LOG_LEVEL: 'warn', ...place.environment, ...environment })
      if (code !== 1 || !err.includes(words) || err.trim().includes('\n'))
        faults.push(`${words} ended with ${code}: ${err}`)
    }
    const isLeft =
      place.isEmbedded &&
      (await place.connect().then(
        (client) => client.end().then(() => true),
        () => false,
      ))
    if (isLeft) faults.push('A database was left running')
    await (await startServer(place)).end('SIGTERM')
  } finally {
    holder.close()
    await place.remove()
  }
  return faults
}

export async function run(): Promise<string[]> {
  const asUser = await startAsUser()
  console.log(`npm start of an ordinary user, first, again and after a crash: ${asUser.length} faults`)
  const withoutAddress = await startWithoutAddress()
  console.log(`a port in use and an address of somebody else: ${withoutAddress.length} faults`)
  return [...asUser, ...withoutAddress]
}
