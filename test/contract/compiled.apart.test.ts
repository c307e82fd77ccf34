// Every sample gives the same answer whether its document was compiled or executed plainly.

import { isEnumType } from 'graphql'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildSchema } from '../../src/modules/schema.ts'
import { send } from '../http/send.ts'
import { type AllVendors, serveAllVendors } from '../testkit/all-vendors.ts'
import { administratorKey, type Variables } from '../testkit/client.ts'
import { type Service, startService } from '../testkit/service.ts'
import { type Call, calls, ownVariables, put } from './samples/index.ts'
import { newSubject } from './samples/subject.ts'
import type { Subject } from './samples/types.ts'

/** A service and a company that only this service is asked about, so that both sides reach the same state. */
type Side = { service: Service; subject: Subject }

let compiled: Side
let plain: Side
let vendors: AllVendors

beforeAll(async () => {
  vendors = await serveAllVendors('MAKER')
  compiled = { service: await startService({}, { compile: 'always' }), subject: await newSubject() }
  plain = { service: await startService({}, { compile: 'never' }), subject: await newSubject() }
})
afterAll(async () => {
  await vendors.end()
  await Promise.all([compiled, plain].map(({ service }) => service.app.stop(0)))
})

/** The values of all enums. Matching words in capitals would not do, because a key's id can be all capitals by chance. */
const words = new Set(
  Object.values(buildSchema().getTypeMap())
    .filter(isEnumType)
    .flatMap((type) => type.getValues().map(({ name }) => name)),
)

/** The shape of a value without ids, moments and the caller's words: its structure, its types, and the enum values. */
function formOf(value: unknown): unknown {
  if (value === null || typeof value === 'boolean') return value
  if (Array.isArray(value)) return value.map(formOf)
  if (typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, formOf(inner)]))
  }
  return typeof value === 'string' && words.has(value) ? value : typeof value
}

async function asked({ service, subject }: Side, call: Call, variables: Variables): Promise<unknown> {
  const { url, app } = service
  const key = call.administrator ? administratorKey() : subject.owner.key
  const body = JSON.stringify({ query: call.document, variables })
  const { data, errors, extensions } = await send({ url, headers: { 'x-api-key': key }, body })
  const { rows } = await sql<{ before: unknown; after: unknown }>`
    select before, after from audit_record where request_id = ${extensions.requestId} order by id`.execute(app.db)
  const failures = errors.map(({ message, path, extensions: { requestId: _, ...said } }) => ({
    message: message.replace(/\d+/g, '#'),
    path,
    said,
  }))
  return { form: formOf(data), failures, recorded: formOf(rows) }
}

describe.each(calls)('$name', (call) => {
  test('works alike', async () => {
    const ask = async (side: Side) => asked(side, call, await ownVariables(call, side.subject, { fresh: true }))

    const byCompiled = await ask(compiled)
    const byPlain = await ask(plain)

    expect(byCompiled).toEqual(byPlain)
  })

  if (!call.ids) return

  test('fails alike', async () => {
    const ask = async (side: Side) => {
      let variables = await ownVariables(call, side.subject)
      for (const path of Object.keys(call.ids ?? {})) variables = put(variables, call, path, '2147483646')
      return asked(side, call, variables)
    }

    const byCompiled = await ask(compiled)
    const byPlain = await ask(plain)

    expect(byCompiled).toEqual(byPlain)
  })
})
