// Certificates that no authority vouches for: refused, unless the caller named this very one, or accepts any.

import { X509Certificate } from 'node:crypto'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Certificate, readCertificate } from './certificate.ts'
import { openOutbound } from './outbound.ts'
import { nothingAllowed, readAllowed } from './outbound-address.ts'

/** Of 127.0.0.1, signed by itself, for these tests alone. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgASmHqxi54Jzwt16M
WowxNMMo92sfnNMksSIZkhmBCuChRANCAATsgxFenVVCXKDLx8HTMM7dpJ1g31k7
LZZgoxkiPwEPWFfWocdT6dOhMfaOmz/39KK3uTK/0vQF2F09Up9rJV2r
-----END PRIVATE KEY-----`
const cert = `-----BEGIN CERTIFICATE-----
MIIBkDCCATagAwIBAgIUdza3BoYNxQKooEFdaJUw4b2kYsEwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMzIwNTk0NloYDzIxMjYxMDMw
MjA1OTQ2WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATsgxFenVVCXKDLx8HTMM7dpJ1g31k7LZZgoxkiPwEPWFfWocdT6dOh
MfaOmz/39KK3uTK/0vQF2F09Up9rJV2ro2QwYjAdBgNVHQ4EFgQU2UHURKib5993
dZa5EkCoBY98cmcwHwYDVR0jBBgwFoAU2UHURKib5993dZa5EkCoBY98cmcwDwYD
VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0gAMEUC
IFX+4+n2fkHXGMzFVVoIFRsVh+stX937WSHqWpqP6/aiAiEAuiMzupvFgq157OgI
GUr6lrx9b/2rJaZCgSUid5EryAQ=
-----END CERTIFICATE-----`

const server = createServer({ key, cert }, (_, response) => response.end('what is there'))
let home = ''
beforeAll(async () => {
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready))
  home = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
afterAll(() => new Promise((closed) => server.close(closed)))

async function called(certificate: Certificate | null): Promise<string> {
  const outbound = openOutbound({ allowed: readAllowed('127.0.0.1') ?? nothingAllowed, certificate })
  try {
    return (await outbound.call(home, { largest: 1_000, timeout: 10_000 })).body.toString()
  } catch (error) {
    return String(error)
  } finally {
    await outbound.close()
  }
}

const { fingerprint256 } = new X509Certificate(cert)

test('a host that vouches for itself is refused', async () => {
  expect(await called(null)).toContain('the certificate of the host is not trusted')
})

test('it is taken by its fingerprint, however that is written, and where any is', async () => {
  const spellings = [
    fingerprint256,
    fingerprint256.replaceAll(':', '').toLowerCase(),
    `SHA256:${fingerprint256}`,
    `sha256 Fingerprint=${fingerprint256}`,
    'any',
  ]
  for (const spelling of spellings) expect(await called(readCertificate(spelling))).toBe('what is there')
})

test('another certificate than the one that was named is refused, twice in a row too', async () => {
  const other = readCertificate('a'.repeat(64))

  expect(await called(other)).toContain('it is another than the one that was named')
  expect(await called(other)).toContain('it is another than the one that was named')
})

test.each(['', 'Any', 'all', 'a'.repeat(63), 'a'.repeat(65), `${'a'.repeat(63)}g`, 'a'.repeat(40)])(
  'what is no fingerprint, such as "%s", names no certificate',
  (given) => {
    expect(readCertificate(given)).toBeNull()
  },
)
