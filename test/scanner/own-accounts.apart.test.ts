// The password of accounts that a scan registers: its own, told to whoever removes them, and shown nowhere else.

import { expect, test } from 'vitest'
import { sarifOfScan } from '../../src/cli/scan-sarif.ts'
import { readAllowed } from '../../src/core/outbound-address.ts'
import { scan } from '../../src/scanner/engine.ts'
import { type Handler, serving } from './tiny.ts'

type Sent = { mediaType: string; longest?: number }

const described = ({ mediaType, longest }: Sent): string =>
  JSON.stringify({
    openapi: '3.0.3',
    info: { title: 't', version: '1' },
    paths: {
      '/register': {
        post: {
          requestBody: {
            content: {
              [mediaType]: {
                schema: {
                  type: 'object',
                  properties: {
                    username: { type: 'string' },
                    password: { type: 'string', format: 'password', maxLength: longest },
                  },
                },
              },
            },
          },
          responses: { default: { description: '' } },
        },
      },
    },
  })

const JSON_BODY: Sent = { mediaType: 'application/json' }

/** Keeps the passwords that it is sent; its answer has them, which is what a finding tells. */
const registering = (isTaken: boolean, passwords: string[]): Handler => {
  return ({ method, path, body }) => {
    if (path !== '/register' || method !== 'POST') return [404, {}]
    const account = typeof body === 'string' ? Object.fromEntries(new URLSearchParams(body)) : Object(body)
    passwords.push(String(account.password))
    return isTaken ? [201, { number: 7, ...account }] : [422, { message: 'closed' }]
  }
}

async function outcomeOf(isTaken: boolean, sent = JSON_BODY) {
  const passwords: string[] = []
  const outcome = await serving(registering(isTaken, passwords), (target) =>
    scan({
      target,
      schema: { name: 'openapi.json', text: described(sent) },
      profile: 'BALANCED',
      identities: [],
      crawl: false,
      browser: false,
      allowed: readAllowed('127.0.0.0/8') ?? undefined,
    }),
  )
  return { outcome, password: passwords[0] ?? '' }
}

test('a registered account is reported with its password, which no finding shows', async () => {
  const { outcome, password } = await outcomeOf(true)

  for (const kind of [/[A-Z]/, /[a-z]/, /\d/, /[^A-Za-z\d]/, /^.{16}$/]) expect(password).toMatch(kind)
  expect(outcome.notes).toContain('Remove the accounts that the scan may have registered with POST /register')
  expect(outcome.accountPassword).toBe(password)
  expect(JSON.stringify(outcome.notes)).not.toContain(password)
  expect(outcome.findings.length).toBeGreaterThan(0)
  expect(JSON.stringify(outcome.findings)).not.toContain(password)
})

test('a password that has to be shorter, or that a form sends, is reported as sent, and shown by no finding', async () => {
  const { outcome, password } = await outcomeOf(true, { mediaType: 'application/x-www-form-urlencoded', longest: 12 })

  expect(password).toHaveLength(12)
  expect(outcome.accountPassword).toBe(password)
  expect(outcome.findings.length).toBeGreaterThan(0)
  expect(JSON.stringify(outcome.findings)).not.toContain(password)
})

test('a report for programs names where accounts were made, and not their password', async () => {
  const { outcome, password } = await outcomeOf(true)

  const sarif = JSON.stringify(sarifOfScan(outcome, 'http://shop.example/', '1'))

  expect(sarif).toContain('may have registered with POST /register')
  expect(sarif).not.toContain(password)
})

test('without a registered account nothing is reported', async () => {
  const { outcome, password } = await outcomeOf(false)

  expect(JSON.stringify(outcome)).not.toContain(password)
})
