// The checks that look for values which a target takes for something else than values, and the test that each finds its own flaw alone.

import { expect, test } from 'vitest'
import type { Profile } from '../../src/scanner/types.ts'
import { type Described, findingsOf, type Handler } from './tiny.ts'

export const injections = [
  'sql-injection-error',
  'sql-injection-boolean',
  'sql-injection-time',
  'nosql-injection',
  'command-injection',
  'template-injection',
  'code-injection',
  'path-traversal',
  'cross-site-scripting',
  'stored-cross-site-scripting',
  'reread',
  'open-redirect',
  'header-injection',
  'host-header-injection',
  'request-forgery',
  'xml-external-entity',
  'ldap-injection',
  'xpath-injection-error',
  'unsafe-deserialisation',
  'unsafe-deserialisation-error',
  'header-values',
  'cookie-values',
]

/** A flaw with a small service that has it, or not, and nothing else. */
type Case = {
  flaw: string
  checks: string[]
  operations: Described
  service: (isFlawed: boolean) => Handler
  profile?: Profile
}

/** A page's text as it is shown. */
export const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

export const testEach = (cases: readonly Case[]): void =>
  test.each(cases)(
    '$flaw is found by its own check alone, and the mended service has nothing',
    async ({ checks, operations, service, profile = 'BALANCED' }) => {
      const flawed = await findingsOf(service(true), injections, operations, { identities: [], profile })
      const mended = await findingsOf(service(false), injections, operations, { identities: [], profile })

      expect([...new Set(flawed.map(({ check }) => check))]).toEqual(checks)
      expect(mended).toEqual([])
    },
  )
