// Tries every hostile address with everything that makes outgoing calls, in a network where every inside address listens.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const INSIDE = join(import.meta.dirname, 'ssrf-inside.ts')

/** The results of the trial in the namespace. */
type Found = {
  features: number
  addresses: number
  calls: number
  reachedInside: string[]
  missedPublic: string[]
}

/** Why the trial cannot run here, or null if it can: it must create network and mount namespaces, as root on Linux can. */
export async function whyNot(): Promise<string | null> {
  if (process.platform !== 'linux') return 'network namespaces are of Linux'
  try {
    await promisify(execFile)('unshare', ['--net', '--mount', 'ip', 'link', 'set', 'lo', 'up'])
    return null
  } catch {
    return 'this user may not make a network namespace, or unshare and ip are not installed'
  }
}

export async function tryHostileAddresses(): Promise<Found> {
  const inside = ['--net', '--mount', process.execPath, INSIDE]
  const { stdout } = await promisify(execFile)('unshare', inside, { timeout: 600_000, maxBuffer: 16 * 1024 * 1024 })
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Found
}

export async function run(): Promise<string[]> {
  const reason = await whyNot()
  if (reason !== null) {
    console.log(`The hostile addresses were not tried: ${reason}`)
    return []
  }
  const { features, addresses, calls, reachedInside, missedPublic } = await tryHostileAddresses()
  console.log(`${addresses} hostile addresses through ${features} features, ${calls} calls`)
  return [
    ...reachedInside.map((what) => `reached inside: ${what}`),
    ...missedPublic.map((what) => `did not reach the public address: ${what}`),
  ]
}
