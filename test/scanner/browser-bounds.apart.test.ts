// The browser opens pages that may be hostile: what it runs as, what it is given, and where it can connect to.

import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { nothingAllowed, readAllowed } from '../../src/core/outbound-address.ts'
import { withPage } from '../../src/scanner/browser.ts'
import { launchChromium } from '../../src/scanner/chromium.ts'
import { needChromium } from '../testkit/chromium.ts'

beforeAll(() => void needChromium())

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
  const browser = await launchChromium('socks5://127.0.0.1:9')
  onTestFinished(() => browser?.close())
  await browser?.newPage()

  const started = descendants().filter(({ command }) => /--(?:user-data-dir|type)=/.test(command))

  expect(started.length).toBeGreaterThan(1)
  expect(started.filter(({ uid }) => uid === 0)).toEqual([])
  expect(started.some(({ command }) => command.includes('--no-sandbox'))).toBe(!hasSandboxes())
  expect(started.filter(({ environment }) => environment.includes('of the service alone'))).toEqual([])
})

/** A host that answers each request with the page, and keeps what arrived, whatever it asked for. */
async function hosting(page = '') {
  const arrived: string[] = []
  const note = ({ method, url, headers: { upgrade } }: IncomingMessage) =>
    arrived.push(`${method} ${url}${upgrade === undefined ? '' : ` for ${upgrade}`}`)
  const server = createServer((request, response) => {
    note(request)
    response.setHeader('content-type', 'text/html').end(page)
  })
  server.on('upgrade', (request, socket) => {
    note(request)
    socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.closeAllConnections())
  onTestFinished(() => void server.close())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { origin, arrived }
}

/** Opens the origin's page, with `allowed` of the addresses that are not public, until its scripts have said that they are done. */
async function opened(origin: string, allowed = readAllowed('http://127.0.0.1') ?? nothingAllowed) {
  const browsing = {
    target: new URL(origin),
    scope: { origins: [origin], include: [], exclude: [] },
    allowed,
    credentials: { headers: {}, cookies: [] },
    signal: new AbortController().signal,
  }
  return withPage(browsing, async (page) => {
    const answer = await page.goto(origin).catch(() => null)
    if (answer !== null) await page.waitForFunction('window.isDone')
    return answer?.status() ?? null
  })
}

test('scripts of a page reach no host beside those in scope, over a web socket either', async () => {
  const other = await hosting()
  const page = await hosting(`<script>
    const ended = (address) => new Promise((end) => {
      const socket = new WebSocket(address)
      socket.onerror = end
      socket.onclose = end
    })
    const asked = fetch('${other.origin}/fetched', { mode: 'no-cors' }).catch(() => {})
    Promise.all([ended('${other.origin.replace('http', 'ws')}/joined'), ended(location.origin.replace('http', 'ws') + '/own'), asked])
      .then(() => { window.isDone = true })
  </script>`)

  const status = await opened(page.origin)

  expect(status).toBe(200)
  expect(page.arrived).toEqual(expect.arrayContaining(['GET /', 'GET /own for websocket']))
  expect(other.arrived).toEqual([])
})

test('a host in scope is not reached at an address that may not be called', async () => {
  const { origin, arrived } = await hosting('<script>window.isDone = true</script>')

  expect(await opened(origin, nothingAllowed)).toBeNull()
  expect(await opened(origin.replace('127.0.0.1', 'localhost'), nothingAllowed)).toBeNull()
  expect(arrived).toEqual([])
})
