// Every sample, sent by an owner about their own records: it works, and what it changes is audited.

import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AllVendors, serveAllVendors } from '../testkit/all-vendors.ts'
import { administratorKey, ask } from '../testkit/client.ts'
import { services } from '../testkit/service.ts'
import { type Call, calls, ownVariables, put } from './samples/index.ts'
import { newSubject } from './samples/subject.ts'
import type { Subject } from './samples/types.ts'
import { hashRows } from './untouched.ts'

let subject: Subject
let vendors: AllVendors

beforeAll(async () => {
  vendors = await serveAllVendors('MAKER')
  subject = await newSubject()
})

afterAll(() => vendors.end())

const keyFor = ({ administrator }: Call): string => (administrator ? administratorKey() : subject.owner.key)

async function recorded(requestId: string): Promise<string[]> {
  const [service] = await services()
  if (!service) throw new Error('No service was started')
  const { rows } = await sql<{ operation: string }>`
    select operation from audit_record where request_id = ${requestId}`.execute(service.app.db)
  return rows.map(({ operation }) => operation)
}

describe.each(calls)('$name', (call) => {
  test('answers its owner as it should', async () => {
    const variables = await ownVariables(call, subject, { fresh: true })

    const answer = await ask(keyFor(call), call.document, variables)

    if (call.refused) {
      expect(answer.errors).toMatchObject([{ message: expect.stringMatching(call.refused.message) }])
      expect(answer.errors[0]?.extensions.code).toBe(call.refused.code)
      return
    }
    expect(answer.errors).toEqual([])
    expect(answer.data[call.field]).toBeDefined()
    const failure = call.failureIn?.(answer.data[call.field])
    expect(failure).toBeUndefined()
    const operations = await recorded(answer.extensions.requestId)
    if (call.isMutation) expect(new Set(operations)).toEqual(new Set([call.field]))
    else expect(operations).toEqual([])
  })

  if (call.isMutation && !call.refused) {
    test('says the same when it is sent again under its Idempotency-Key, and does nothing', async () => {
      const variables = await ownVariables(call, subject, { fresh: true })
      const marked = /\$input\b/.test(call.document)
        ? put(variables, call, 'input.clientMutationId', 'a mark')
        : variables
      const again = () => ask(keyFor(call), call.document, marked, { 'idempotency-key': idempotencyKey })
      const idempotencyKey = randomBytes(12).toString('hex')

      const first = await again()
      const before = await hashRows([subject.companyId])
      const second = await again()

      expect(first.errors).toEqual([])
      expect({ data: second.data, extensions: second.extensions }).toEqual({
        data: first.data,
        extensions: first.extensions,
      })
      expect(await hashRows([subject.companyId])).toEqual(before)
      if (call.document.includes('clientMutationId')) expect(first.data[call.field].clientMutationId).toBe('a mark')
    })
  }

  const more = [...Object.keys(call.optional ?? {}), ...Object.keys(call.filters ?? {})]
  test.each(more)('answers its owner with %s too', async (path) => {
    const variables = await ownVariables(call, subject, { fresh: true, also: [path] })

    const { data, errors } = await ask(keyFor(call), call.document, variables)

    expect(errors).toEqual([])
    expect(call.failureIn?.(data[call.field])).toBeUndefined()
  })
})
