// Runs inside the network namespace of ssrf.ts: sets up its addresses, names and listeners, and makes the calls.

import { execFileSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answerOf, hostile, insideAddresses, publicHosts, zone } from './ssrf-corpus.ts'
import { features } from './ssrf-features.ts'

const RESOLVER = '127.0.0.53'
const PUBLIC = new Set(['93.184.216.34', '2606:2800:220:1::1'])

const ip = (...words: string[]) => execFileSync('ip', words)
ip('link', 'set', 'lo', 'up')
for (const address of [...insideAddresses, ...PUBLIC]) {
  const family = address.includes(':') ? '-6' : '-4'
  ip(family, 'address', 'add', `${address}/${family === '-6' ? 128 : 32}`, 'dev', 'lo')
}

const place = mkdtempSync(join(tmpdir(), 'merlon-ssrf-'))
writeFileSync(join(place, 'resolv.conf'), `nameserver ${RESOLVER}\noptions timeout:1 attempts:1\n`)
writeFileSync(join(place, 'hosts'), '')
execFileSync('mount', ['--make-rprivate', '/'])
for (const name of ['resolv.conf', 'hosts']) execFileSync('mount', ['--bind', join(place, name), `/etc/${name}`])

/** Answers queries for names of the zone: copies the question, and adds the addresses of the type that was asked for. */
const resolver = createSocket('udp4')
resolver.on('message', (message, sender) => {
  const labels: string[] = []
  let end = 12
  for (let length = message[end] ?? 0; length > 0; length = message[end] ?? 0) {
    labels.push(message.toString('latin1', end + 1, end + 1 + length))
    end += length + 1
  }
  const isSix = message.readUInt16BE(end + 1) === 28
  const name = labels.join('.').toLowerCase()
  const found = zone[name]
  // both queries of one look-up, A and AAAA, get the answer of the same turn of a name that changes
  const addresses = found && (isSix && Array.isArray(found[0]) ? [] : answerOf(name, found))
  const records = (addresses ?? [])
    .filter((address) => address.includes(':') === isSix)
    .map((address) => {
      const bytes = isSix ? sixteen(address) : Buffer.from(address.split('.').map(Number))
      const head = Buffer.from([0xc0, 12, 0, isSix ? 28 : 1, 0, 1, 0, 0, 0, 0, 0, bytes.length])
      return Buffer.concat([head, bytes])
    })
  const header = Buffer.from(message.subarray(0, 12))
  header.writeUInt16BE(found ? 0x8180 : 0x8183, 2)
  header.writeUInt16BE(records.length, 6)
  header.fill(0, 8)
  resolver.send(Buffer.concat([header, message.subarray(12, end + 5), ...records]), sender.port, sender.address)
})
const sixteen = (address: string) => {
  const url = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [before = '', after = ''] = url.split('::')
  const groups = (part: string) => part.split(':').filter(Boolean)
  const zeros = Array(8 - groups(before).length - groups(after).length).fill('0')
  const all = [...groups(before), ...zeros, ...groups(after)]
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex')
}
await new Promise<void>((done) => void resolver.bind(53, RESOLVER, done))

/** Any connection counts as reaching the address, whatever it is for. */
const reached: { address: string; during: string }[] = []
let during = ''
let next: { status?: number; headers?: Record<string, string>; body?: string } | null = null

const serve = (socket: Socket) => {
  const address = (socket.localAddress ?? '').replace(/^::ffff:(?=\d+\.)/, '')
  reached.push({ address, during })
  socket.on('error', () => {})
  socket.on('data', () => {
    const { status = 200, headers = {}, body = '{}' } = next ?? {}
    next = null
    const lines = Object.entries({
      'content-type': 'application/json',
      ...headers,
      'content-length': String(body.length),
    })
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    socket.end(`HTTP/1.1 ${status} Said\r\nconnection: close\r\n${head}\r\n${body}`)
  })
}
for (const port of [80, 443, 8080]) {
  await new Promise<void>((done) => void createServer(serve).listen({ port, host: '::', ipv6Only: false }, done))
}

const controls = publicHosts.map((host) => `https://${host}/control`)
const all = features((said) => {
  next = said
}, controls)
const missedPublic: string[] = []
let calls = 0

// without the guard, every address and name must be reachable; otherwise the trial would prove nothing
const names = Object.keys(zone).filter((name) => !['rebinding.example.test', 'unspecified.example.test'].includes(name))
for (const host of [...insideAddresses, ...names]) {
  during = `without the guard: ${host}`
  await new Promise<void>((done) => {
    const socket = connect({ host, port: 443 }, () => socket.destroy())
    socket.on('error', () => {}).on('close', () => done())
  })
  await new Promise((done) => setTimeout(done, 5))
  if (!reached.some((one) => one.during === during)) missedPublic.push(during)
}
reached.length = 0

for (const { name, call, controls: own } of all) {
  for (const { kind, address } of hostile) {
    during = `${name}, ${kind}: ${address}`
    calls += 1
    await call(address).catch(() => {})
  }
  for (const control of own) {
    during = `control of ${name}: ${control}`
    calls += 1
    await call(control).catch(() => {})
    const hit = reached.some((one) => one.during === during && PUBLIC.has(one.address))
    if (!hit) missedPublic.push(during)
  }
}

const reachedInside = reached
  .filter(({ address }) => !PUBLIC.has(address))
  .map((one) => `${one.address} by ${one.during}`)
const found = { features: all.length, addresses: hostile.length, calls, reachedInside, missedPublic }
process.stdout.write(`\n${JSON.stringify(found)}\n`, () => process.exit(0))
