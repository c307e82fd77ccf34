// The memory of a scan, whatever it is answered, begun by the service or on the command line.

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { readAllowed } from '../../src/core/outbound-address.ts'
import { scanInProcess } from '../../src/scanner/processed.ts'
import { flood } from './flood.ts'
import { describe } from './tiny.ts'

async function serving<T>(listener: RequestListener, use: (url: string) => Promise<T>): Promise<T> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  try {
    return await use(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** Answers everything with a large page of its own that leads to more of them. */
const endless: RequestListener = (request, response) => {
  request.resume()
  const word = () => randomBytes(12).toString('hex')
  const links = Array.from({ length: 30 }, () => `<a href="/${word()}/${word()}?of=${word()}">more</a>`)
  const forms = Array.from(
    { length: 5 },
    () => `<form method="post" action="/${word()}"><input name="${word()}"></form>`,
  )
  const words = Array.from({ length: 4_000 }, () => `<p>${word()}</p>`)
  response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': `${word()}=${word()}` })
  response.end([...links, ...forms, ...words].join('\n'))
}

const childrenOf = (id: number | string): string[] =>
  readFileSync(`/proc/${id}/task/${id}/children`, 'utf8').split(' ').filter(Boolean)

/** The most that any process of the scan held until now, MiB. */
function peakOfScan(id: number | string = process.pid): number {
  const peaks = childrenOf(id).map((child) => {
    try {
      const isOfScan = /scanner\/process|cli\/main/.test(readFileSync(`/proc/${child}/cmdline`, 'utf8'))
      const status = isOfScan ? readFileSync(`/proc/${child}/status`, 'utf8') : ''
      return Math.max(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024, peakOfScan(child))
    } catch {
      return 0 // it ended meanwhile
    }
  })
  return Math.max(0, ...peaks)
}

/** How the scan ended, and the peak of its memory until then. */
async function watched<T>(scanning: Promise<T>): Promise<{ ended: T; peak: number }> {
  let isOver = false
  let peak = 0
  const ending = scanning.finally(() => {
    isOver = true
  })
  while (!isOver) {
    peak = Math.max(peak, peakOfScan())
    await sleep(50)
  }
  return { ended: await ending, peak }
}

const items = Array.from({ length: 12 }, (_, index) => [
  `GET /items${index}/{id}`,
  { path: { id: '7' }, query: { name: 'tea' } },
])
const text = describe(Object.fromEntries(items))

const hostile: [string, RequestListener][] = [
  ['a gibibyte of one word without an end', flood('a')],
  [
    'a gibibyte of pages of links and forms',
    flood('<p>some <a href="/x?y=1">words</a><form><input name="q"></form></p>\n'),
  ],
  ['a gibibyte of objects without an end', flood('{"id":17,"name":"tea","password":"x"},')],
  ['a large page that leads to others like it', endless],
]

test.each(hostile)('the process of the service stays under 300 MiB while every answer is %s', async (_, listener) => {
  const { ended, peak } = await serving(listener, (target) =>
    watched(
      scanInProcess(
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
      ),
    ),
  )

  expect(['COMPLETED', 'TIME_SPENT']).toContain(ended.state)
  expect(peak).toBeGreaterThan(50)
  expect(peak).toBeLessThan(300)
})

test.each(hostile)('no process of merlon scan is over 300 MiB while every answer is %s', async (_, listener) => {
  const folder = mkdtempSync(join(tmpdir(), 'merlon-memory-'))
  const schema = join(folder, 'openapi.json')
  writeFileSync(schema, text)

  const { ended, peak } = await serving(listener, (target) => watched(command(target, schema)))
  rmSync(folder, { recursive: true, force: true })

  expect(['COMPLETED', 'TIME_SPENT']).toContain(JSON.parse(ended).state)
  expect(peak).toBeGreaterThan(50)
  expect(peak).toBeLessThan(300)
})

/** What `merlon scan` prints as JSON. */
async function command(target: string, schema: string): Promise<string> {
  const words = ['scan', target, '--schema', schema, '--crawl', '--no-browser', '--max-minutes', '0.25']
  const child = spawn(process.execPath, [resolve('src/cli/main.ts'), ...words, '--output', 'json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const chunks: Buffer[] = []
  for await (const chunk of child.stdout) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
