// Scans that start by themselves, on schedule and again after a worker was killed; and how a host proves whose it is.

import { createSocket } from 'node:dgram'
import dns from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { run } from '../../../test/testkit/client.ts'
import {
  echo,
  type Home,
  listening,
  newTarget,
  SAVE,
  SCAN,
  started,
  work,
} from '../../../test/testkit/dynamic-scans.ts'
import { until } from '../../../test/testkit/events.ts'
import { inside } from '../../../test/testkit/inside.ts'
import { startService } from '../../../test/testkit/service.ts'
import { serveVendor } from '../../../test/testkit/vendor-fake.ts'
import { transaction } from '../../core/db/open.ts'
import { beginRun } from '../scans/service.ts'
import { claim } from './running.ts'
import { startScheduled } from './start.ts'

const HISTORY = `query ($companyId: ID!, $assetIds: [ID!]) { scanHistories(companyId: $companyId, assetIds: $assetIds, pagination: {}) {
  collection { id status } } }`

/** A grace that is longer than what a scan takes to give way, also on a busy machine. */
const A_MINUTE = 60_000

const runsOf = async ({ key, companyId, assetId }: Home): Promise<{ id: string; status: string }[]> =>
  (await run(key, HISTORY, { companyId, assetIds: [assetId] })).scanHistories.collection

const newEcho = async () => newTarget(await listening(echo(() => true)), { scanProfile: 'BASIC' })

describe('the clock', () => {
  test('starts a scan in the minute that its schedule names, once, and the worker runs it', async () => {
    const home = await newEcho()
    await run(home.key, SAVE, { input: { assetId: home.assetId, schedule: '* * * * *' } })
    const parts = await inside()

    await Promise.all([startScheduled(parts), startScheduled(parts)])
    const [first, ...others] = await runsOf(home)
    await run(home.key, SAVE, { input: { assetId: home.assetId, schedule: null } })
    await work(home, first?.id ?? '')

    expect([first?.status, others]).toEqual(['PENDING', []])
    expect((await runsOf(home)).map(({ status }) => status)).toEqual(['SUCCEEDED'])
  })

  test('starts nothing in another minute', async () => {
    const home = await newEcho()
    const elsewhen = (new Date().getUTCMinutes() + 30) % 60
    await run(home.key, SAVE, { input: { assetId: home.assetId, schedule: `${elsewhen} * * * *` } })

    await startScheduled(await inside())

    expect(await runsOf(home)).toEqual([])
  })
})

describe('a run whose worker was killed', () => {
  test('is begun anew by another one, and ends', async () => {
    const home = await newEcho()
    const scanId = await started(home)
    const { db } = await inside()
    const key = { companyId: home.companyId, scanId }
    // what a worker leaves that began it and is gone
    await claim(db, key)
    await transaction(db, (trx) => beginRun(trx, home.companyId, scanId))

    await work(home, scanId)

    const { controlSyncStatus } = await run(home.key, SCAN, { id: scanId })
    expect(controlSyncStatus).toMatchObject({ status: 'SUCCEEDED', dynamicScan: { ending: 'COMPLETED' } })
  })
})

describe('a run whose service is stopped', () => {
  test('is no fault, and is begun anew by the next worker, which brings it to its end', async () => {
    const asked: string[] = []
    let isSlow = true
    const quick = echo(() => false)
    const home = await newTarget(
      await listening((request, response) => {
        asked.push(request.url ?? '')
        setTimeout(() => quick(request, response), isSlow && asked.length > 40 ? 200 : 0)
      }),
      { scanProfile: 'BALANCED' },
    )
    const allowed = { MERLON_SCAN_ALLOW: '127.0.0.1:*', MERLON_OUTBOUND_ALLOW: 'http://127.0.0.1' }
    const scanId = await started(home)
    const shown = async () => (await run(home.key, SCAN, { id: scanId })).controlSyncStatus

    const first = await startService(allowed)
    await first.app.startWorker(['dynamic-scan'])
    await until(() => asked.length > 60)
    await first.app.stop(A_MINUTE)
    const [between, before] = [await shown(), asked.length]
    isSlow = false
    const second = await startService(allowed)
    onTestFinished(() => second.app.stop(0))
    await second.app.startWorker(['dynamic-scan'])
    await until(async () => (await shown()).status !== 'RUNNING')

    expect(between.status).toBe('RUNNING')
    expect(first.logged.filter((line) => JSON.parse(line).level >= 40)).toEqual([])
    expect(asked.length).toBeGreaterThan(before)
    expect(await shown()).toMatchObject({ status: 'SUCCEEDED', dynamicScan: { ending: 'COMPLETED' } })
  })
})

const VERIFY = `mutation ($input: VerifyScanTargetInput!) { verifyScanTarget(input: $input) {
  target { isAllowed verifiedBy verifiedAt } } }`

/** Answers every question for texts with one; the name servers are put back when the test has ended. */
async function nameServer(text: string): Promise<void> {
  const socket = createSocket('udp4')
  socket.on('message', (question, { port, address }) => {
    const end = question.indexOf(0, 12) + 5
    const isText = question.readUInt16BE(end - 4) === 16
    const head = Buffer.from(question.subarray(0, 12))
    head.writeUInt16BE(0x8180, 2)
    head.writeUInt16BE(isText ? 1 : 0, 6)
    head.writeUInt32BE(0, 8)
    const data = Buffer.concat([Buffer.from([text.length]), Buffer.from(text)])
    const record = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0, data.length])
    socket.send(Buffer.concat([head, question.subarray(12, end), ...(isText ? [record, data] : [])]), port, address)
  })
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done))
  const usual = dns.getServers()
  const ask = (servers: string[]) => {
    dns.setServers(servers)
    // what was imported by its name asks the new servers too
    syncBuiltinESMExports()
  }
  ask([`127.0.0.1:${(socket.address() as AddressInfo).port}`])
  onTestFinished(() => {
    ask(usual)
    socket.close()
  })
}

describe('verifyScanTarget', () => {
  test('takes the token in the file of the host', async () => {
    const home = await newTarget('https://file.shop.test/app')
    await serveVendor('https://file.shop.test', ({ path }) =>
      path === '/.well-known/merlon-scan.txt' ? { text: `ours\n${home.target.token}\n` } : null,
    )

    const { verifyScanTarget } = await run(home.key, VERIFY, { input: { assetId: home.assetId } })

    expect(verifyScanTarget.target).toEqual({ isAllowed: true, verifiedBy: 'FILE', verifiedAt: expect.any(String) })
  })

  test('takes the token in a TXT record of its name', async () => {
    const home = await newTarget('https://record.shop.test/')
    await serveVendor('https://record.shop.test', () => ({ status: 404, text: 'nothing here' }))
    await nameServer(home.target.token)

    const { verifyScanTarget } = await run(home.key, VERIFY, { input: { assetId: home.assetId } })

    expect(verifyScanTarget.target).toEqual({ isAllowed: true, verifiedBy: 'DNS', verifiedAt: expect.any(String) })
  })
})
