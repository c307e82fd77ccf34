// The settings: defaults, and every fault told at once.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { configurationTable } from './settings.ts'
import { findUnknownSettings } from './unknown-settings.ts'

test('without settings there are the published defaults', () => {
  const config = readConfig({})

  expect(config.limits).toEqual({
    documentBytes: 65_536,
    documentTokens: 2000,
    documentDepth: 15,
    documentAliases: 30,
    documentCost: 10_000,
    pageSize: 1000,
    requestsPerMinute: 1200,
    jsonBytes: 2_097_152,
    inlineUploadBytes: 1_048_576,
    filesPerRequest: 20,
    attachmentBytes: 52_428_800,
    diffBytes: 268_435_456,
    reportBytes: 268_435_456,
  })
  expect(config).toMatchObject({ host: '127.0.0.1', port: 4000, requestTimeout: 30_000, statementTimeout: 10_000 })
})

test('an empty value counts as none', () => {
  expect(readConfig({ PORT: '', HOST: '' })).toMatchObject({ port: 4000, host: '127.0.0.1' })
})

test('every fault is reported at once, by the name of its variable', () => {
  const environment = {
    PORT: '70000',
    MERLON_DOCUMENT_COST: 'much',
    MERLON_DEVELOPMENT: 'yes',
    MERLON_ROOT_KEY: 'ab',
    MERLON_PUBLIC_URL: 'merlon.example.test',
    MERLON_METRICS_TOKEN: 'guess me',
    LOG_LEVEL: 'loud',
    MERLON_DATABASE_CONNECTIONS: '3',
    DATABASE_URL: 'my-database',
  }

  const names =
    /PORT: must be a whole number from 0 to 65535\n.*DATABASE_URL: must be postgres:.*MERLON_PUBLIC_URL: must be an http or https address\n.*MERLON_ROOT_KEY.*MERLON_DEVELOPMENT.*MERLON_METRICS_TOKEN.*LOG_LEVEL.*MERLON_DATABASE_CONNECTIONS: must be a whole number of at least 4\n.*MERLON_DOCUMENT_COST: must be a whole number above 0/s
  expect(() => readConfig(environment)).toThrow(names)
})

test('a setting that means nothing without another is refused alone, beside every other fault', () => {
  const environment = {
    LOG_LEVEL: 'loud',
    MERLON_REQUEST_TIMEOUT_MS: '3000000000',
    MERLON_HOST_A_CLIENT_SECRET: 'a secret',
    MERLON_OIDC_ISSUER: 'https://id.example.test',
  }

  expect(() => readConfig(environment)).toThrow(
    [
      'The configuration cannot be used:',
      'LOG_LEVEL: must be one of fatal, error, warn, info, debug, silent',
      'MERLON_REQUEST_TIMEOUT_MS: must be a whole number from 1 to 2147483647',
      'MERLON_HOST_A_CLIENT_ID: must be set where MERLON_HOST_A_CLIENT_SECRET is',
      'MERLON_OIDC_CLIENT_ID: must be set where MERLON_OIDC_ISSUER is',
    ].join('\n'),
  )
})

test('a variable that nothing reads is reported with the setting that was probably meant', () => {
  const environment = {
    MERLON_PUBLIC_URI: 'x',
    MERLON_REPORT_BYTE: '1',
    MERLON_API_KEY: 'x',
    MERLON_DATA: 'x',
    HOME: '/',
  }

  expect(findUnknownSettings(environment)).toEqual([
    'MERLON_PUBLIC_URI is not a setting and has no effect; did you mean MERLON_PUBLIC_URL?',
    'MERLON_REPORT_BYTE is not a setting and has no effect; did you mean MERLON_REPORT_BYTES?',
  ])
})

test.each(['0', '-1', '1.5', 'Infinity', 'NaN'])('a limit of %s is refused', (value) => {
  expect(() => readConfig({ MERLON_PAGE_SIZE: value })).toThrow('MERLON_PAGE_SIZE')
})

test('the page of settings has each of them', () => {
  const page = readFileSync('docs/configuration.md', 'utf8')
  const names = configurationTable().match(/[A-Z]+(_[A-Z]+)*(?=` \|)/g) ?? []

  expect(names.length).toBeGreaterThan(20)
  for (const name of names) expect(page).toContain(`\`${name}\``)
})
