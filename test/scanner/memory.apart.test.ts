// The memory of a scan's process, whatever it is answered.

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { readAllowed } from '../../src/core/outbound-address.ts'
import { scanInProcess } from '../../src/scanner/processed.ts'
import { flood } from './flood.ts'
import { describe } from './tiny.ts'

/** Answers everything with a gibibyte of the text. */
async function flooding(text: string, use: (url: string) => Promise<void>): Promise<void> {
  const server = createServer(flood(text)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  try {
    await use(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** The most that the process of the scan ever held, MiB. */
function peakOfScan(): number {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean)
  const peaks = children.map((child) => {
    try {
      if (!readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('scanner/process')) return 0
      return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child}/status`, 'utf8'))?.[1] ?? 0) / 1024
    } catch {
      return 0 // it ended meanwhile
    }
  })
  return Math.max(0, ...peaks)
}

const items = Array.from({ length: 12 }, (_, index) => [
  `GET /items${index}/{id}`,
  { path: { id: '7' }, query: { name: 'tea' } },
])
const text = describe(Object.fromEntries(items))

test.each([
  ['one word without an end', 'a'],
  ['pages of links and forms', '<p>some <a href="/x?y=1">words</a><form><input name="q"></form></p>\n'],
  ['objects without an end', '{"id":17,"name":"tea","password":"x"},'],
])('stays under 300 MiB while every answer is a gibibyte of %s', async (_, filler) => {
  await flooding(filler, async (target) => {
    const scanning = scanInProcess(
      {
        target,
        schema: { name: 'openapi.json', text },
        profile: 'BALANCED',
        identities: [],
        crawl: true,
        browser: false,
        budget: { time: 15_000 },
        allowed: readAllowed('127.0.0.0/8') ?? undefined,
      },
      { signal: new AbortController().signal, timeout: 60_000, onFinding: () => {}, onProgress: () => {} },
    )
    let isOver = false
    let peak = 0
    void scanning.finally(() => {
      isOver = true
    })
    while (!isOver) {
      peak = Math.max(peak, peakOfScan())
      await sleep(50)
    }

    expect(['COMPLETED', 'TIME_SPENT']).toContain((await scanning).state)
    expect(peak).toBeGreaterThan(50)
    expect(peak).toBeLessThan(300)
  })
})
