// Starts a service with a data directory of its own on the worker's database.

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { home } from '../testkit/home.ts'
import { type Service, services, startService } from '../testkit/service.ts'

export type Apart = { service: Service; data: string; stop(): Promise<void> }

export async function startApart(environment: Record<string, string> = {}): Promise<Apart> {
  await services()
  const rootKey = await readFile(join(home().dataDirectory, 'root-key'), 'utf8')
  const data = await mkdtemp(join(tmpdir(), 'merlon-apart-'))
  const service = await startService({ MERLON_DATA: data, MERLON_ROOT_KEY: rootKey.trim(), ...environment })
  const stop = async () => {
    await service.app.stop(0)
    await rm(data, { recursive: true, force: true })
  }
  return { service, data, stop }
}
