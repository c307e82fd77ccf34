// How connections are opened.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { services } from '../../../test/testkit/service.ts'

test('connections compile no statements, whatever the server does by itself', async () => {
  const [service] = await services()
  if (!service) throw new Error('No service was started')

  const { rows } = await sql`show jit`.execute(service.app.parts.db)

  expect(rows).toEqual([{ jit: 'off' }])
})
