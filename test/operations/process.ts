// Reads a process's processor time, memory and descriptors on Linux.

import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'

/** Milliseconds of processor time so far, with a resolution of 10. */
export async function processorTime(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return (user + system) * 10
}

/** MiB of resident memory: the current value (VmRSS) or the peak (VmHWM). */
export async function memory(pid: number, of: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${of}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024
}

export const descriptors = async (pid: number): Promise<number> => (await readdir(`/proc/${pid}/fd`)).length

/** Milliseconds for which the main thread has run so far, and for which it was ready to run but had no processor. */
export function turnsOf(pid: number): { ran: number; waited: number } {
  const [ran = 0, waited = 0] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ').map(Number)
  return { ran: ran / 1e6, waited: waited / 1e6 }
}
