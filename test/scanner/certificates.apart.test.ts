// Certificates of targets: taken whatever they are, and told of by what is wrong with them.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { readAllowed } from '../../src/core/outbound-address.ts'
import { scan } from '../../src/scanner/engine.ts'

const DAYS = 2

/** A key, and a certificate for it that nobody vouches for. */
function made(name: string): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const form = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', '/CN=target']
  try {
    execFileSync(
      'openssl',
      ['req', ...form, '-keyout', key, '-out', cert, '-days', String(DAYS), '-addext', `subjectAltName=${name}`],
      { stdio: 'ignore' },
    )
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function cwesOf(pair: { key: string; cert: string }): Promise<number[]> {
  const server = createServer(pair, (_, response) => void response.end('<html><p>Welcome</p></html>'))
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const address = server.address()
  try {
    const { findings } = await scan({
      target: `https://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`,
      profile: 'BASIC',
      identities: [],
      crawl: true,
      browser: false,
      checks: ['certificate'],
      allowed: readAllowed('127.0.0.1') ?? undefined,
    })
    return findings.flatMap(({ cwes }) => cwes).sort()
  } finally {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  }
}

afterEach(() => void vi.useRealTimers())

test('an untrusted certificate, one for another name, and an expired one are each reported as such', async () => {
  const good = made('IP:127.0.0.1')

  const own = await cwesOf(good)
  const others = await cwesOf(made('DNS:other.example'))
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + (DAYS + 1) * 86_400_000 })
  const ended = await cwesOf(good)

  expect(own).toEqual([295])
  expect(others).toEqual([295, 297])
  expect(ended).toEqual([295, 298])
})
