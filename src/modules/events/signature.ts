// Standard Webhooks 1.0.0 (github.com/standard-webhooks/standard-webhooks): secrets, and the headers that authenticate a delivery.

import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

export const newSecret = (): string => `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`

/** The value of webhook-signature: one signature per secret, the newest first. `at` is in whole seconds since 1970. */
function signatureOf(secrets: readonly string[], id: string, at: number, body: string): string {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`
  })
  return signatures.join(' ')
}

export const headersOf = (secrets: readonly string[], id: string, at: number, body: string) => ({
  'content-type': 'application/json',
  'webhook-id': id,
  'webhook-timestamp': String(at),
  'webhook-signature': signatureOf(secrets, id, at, body),
})
