// The browser opens pages that may be hostile: what it runs as, and what it is given.

import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../../src/scanner/chromium.ts'

/** What the kernel says of the process, or null once it has ended. */
function processOf(pid: string) {
  const read = (file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8')
  try {
    const [, parent] = /^PPid:\s+(\d+)/m.exec(read('status')) ?? []
    const [, uid] = /^Uid:\s+(\d+)/m.exec(read('status')) ?? []
    return { pid, parent, uid: Number(uid), command: read('cmdline'), environment: read('environ') }
  } catch {
    return null
  }
}

/** The processes that this one has started, and those that they have. */
function descendants() {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (processOf(name) ?? []) : []))
  const found = new Set([String(process.pid)])
  for (let before = 0; before < found.size; ) {
    before = found.size
    for (const { pid, parent } of all) if (parent && found.has(parent)) found.add(pid)
  }
  return all.filter(({ pid }) => found.has(pid) && pid !== String(process.pid))
}

/** Whether the kernel gives ordinary accounts what Chromium's sandbox is made of. */
const hasSandboxes = () =>
  spawnSync('unshare', ['--user', 'true'], process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}).status === 0

test('it is never root, is in its sandbox wherever there is one, and gets none of the environment of the service', async () => {
  process.env.MERLON_CANARY = 'of the service alone'
  onTestFinished(() => void delete process.env.MERLON_CANARY)
  const browser = await launchChromium()
  onTestFinished(() => browser?.close())
  await browser?.newPage()

  const started = descendants().filter(({ command }) => /--(?:user-data-dir|type)=/.test(command))

  expect(started.length).toBeGreaterThan(1)
  expect(started.filter(({ uid }) => uid === 0)).toEqual([])
  expect(started.some(({ command }) => command.includes('--no-sandbox'))).toBe(!hasSandboxes())
  expect(started.filter(({ environment }) => environment.includes('of the service alone'))).toEqual([])
})
