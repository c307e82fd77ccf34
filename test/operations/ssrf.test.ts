// Whether any hostile address is reached by what calls out, where a network namespace can be made.

import { expect, test } from 'vitest'
import { type Found, tryHostileAddresses, whyNot } from './ssrf.ts'

test('no hostile address is reached through anything that calls out, and public ones are', async () => {
  const reason = await whyNot()
  if (reason !== null) process.stderr.write(`The hostile addresses were not tried: ${reason}\n`)

  const nothing: Pick<Found, 'reachedInside' | 'missedPublic'> = { reachedInside: [], missedPublic: [] }
  const { reachedInside, missedPublic } = reason === null ? await tryHostileAddresses() : nothing

  expect({ reachedInside, missedPublic }).toEqual({ reachedInside: [], missedPublic: [] })
})
