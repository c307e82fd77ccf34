// A process that is stopped early leaves no database running, also not one that a killed process left to it.

import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findServers } from '../../src/core/db/embedded/processes.ts'
import { type Ended, newEmbeddedPlace, type Place, runCommand, startCommand, startServer } from './server.ts'

/** Makes the process signal itself when it loads this file, before any of that file's code runs. */
const signalledWhileLoading = (file: string) =>
  `import { registerHooks } from 'node:module'
   registerHooks({ load(url, context, next) {
     if (url.endsWith('${file}')) process.kill(process.pid, 'SIGTERM')
     return next(url, context)
   } })`

type Stopped = { ended: Pick<Ended, 'code' | 'signal'>; left: number }

const databasesOf = ({ data }: Place): number[] => findServers(join(data, 'postgres'))

/** Kills a service, and stops the next one while its command is being loaded. */
export async function stopBeforeAdopting(): Promise<Stopped & { adopted: number }> {
  const place = await newEmbeddedPlace()
  await (await startServer(place)).end('SIGKILL')
  const adopted = databasesOf(place).length
  const preload = `data:text/javascript,${encodeURIComponent(signalledWhileLoading('cli/commands/serve.ts'))}`
  const { code, signal } = await runCommand(['serve'], {
    ...place.environment,
    PORT: '0',
    NODE_OPTIONS: `--import "${preload}"`,
  })
  return { ended: { code, signal }, adopted, left: await endAll(place) }
}

/** Interrupts a backup once its database runs. */
export async function interruptBackup(): Promise<Stopped> {
  const place = await newEmbeddedPlace()
  await (await startServer(place)).end('SIGTERM')
  const running = startCommand(['backup', join(place.data, 'kept')], place.environment)
  while (databasesOf(place).length === 0 && running.child.exitCode === null) await delay(5)
  running.child.kill('SIGINT')
  const { code, signal } = await running.ended
  return { ended: { code, signal }, left: await endAll(place) }
}

/** Removes the place, and resolves to the number of processes that served it. */
async function endAll(place: Place): Promise<number> {
  const left = databasesOf(place)
  for (const pid of left) process.kill(pid, 'SIGKILL')
  await place.remove()
  return left.length
}
