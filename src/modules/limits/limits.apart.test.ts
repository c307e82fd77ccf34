// The limits, through the endpoint.

import { expect, test } from 'vitest'
import { send } from '../../../test/http/send.ts'
import { run } from '../../../test/testkit/client.ts'
import { services, startService } from '../../../test/testkit/service.ts'
import { newPerson, newWorld } from '../../../test/testkit/world.ts'

const LIMITS = `{ limits { documentBytes documentTokens documentDepth documentAliases documentCost pageSize requestsPerMinute jsonBytes
  inlineUploadBytes filesPerRequest attachmentBytes diffBytes reportBytes requestMilliseconds statementMilliseconds } }`

test('every key may ask for every limit as it is configured', async () => {
  const { companyId } = await newWorld()
  const { key } = await newPerson(companyId, 'READER', [])

  const { limits } = await run(key, LIMITS)

  const [service] = await services()
  expect(limits).toEqual({
    ...service?.app.parts.config.limits,
    requestMilliseconds: 30_000,
    statementMilliseconds: 10_000,
  })
})

test('a limit on the size of files may be larger than an Int', async () => {
  const { url, app } = await startService({ MERLON_ATTACHMENT_BYTES: '5368709120' })

  const { data } = await send({ url, body: '{"query":"{ limits { attachmentBytes } }"}' })
  await app.stop(0)

  expect(data).toEqual({ limits: { attachmentBytes: 5_368_709_120 } })
})
