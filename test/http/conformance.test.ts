// The published GraphQL-over-HTTP audits (npm graphql-http) against the running service.

import { auditServer } from 'graphql-http'
import { expect, test } from 'vitest'
import { administratorKey } from '../testkit/client.ts'
import { serviceUrl } from '../testkit/service.ts'

test('every MUST and every SHOULD of GraphQL over HTTP passes', async () => {
  const url = `${await serviceUrl()}/graphql`
  const fetchWithKey = (address: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers)
    headers.set('x-api-key', administratorKey())
    return fetch(address, { ...init, headers })
  }

  const results = await auditServer({ url, fetchFn: fetchWithKey })

  const failed = results.filter((result) => result.status !== 'ok').map(({ name }) => name)
  const count = (level: string) => results.filter(({ name }) => name.startsWith(`${level} `)).length
  expect({ MUST: count('MUST'), SHOULD: count('SHOULD') }).toEqual({ MUST: 13, SHOULD: 23 })
  expect(failed.filter((name) => !name.startsWith('MAY '))).toEqual([])
  expect(failed).toEqual([
    'MAY accept application/x-www-form-urlencoded formatted GET requests',
    'MAY allow URL-encoded JSON string {variables} parameter in GETs when accepting application/graphql-response+json',
    'MAY allow URL-encoded JSON string {variables} parameter in GETs when accepting application/json',
  ])
})
