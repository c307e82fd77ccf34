// No outgoing call reaches a hostile address; runs where a network namespace can be created.

import { expect, test } from 'vitest'
import { tryHostileAddresses, whyNot } from './ssrf.ts'

test('no hostile address is reached through anything that calls out, and public ones are', async ({ skip }) => {
  const reason = await whyNot()
  if (reason !== null) skip(`The hostile addresses were not tried: ${reason}`)

  const { features, addresses, calls, reachedInside, missedPublic } = await tryHostileAddresses()

  expect({ reachedInside, missedPublic }).toEqual({ reachedInside: [], missedPublic: [] })
  expect(calls).toBeGreaterThan(features * addresses)
})
