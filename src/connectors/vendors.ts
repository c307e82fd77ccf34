// What all clients of connectors in this process share: limiters and breakers, one for each credential and origin.

import type { Log } from '../core/log.ts'
import type { Outbound } from '../core/outbound.ts'
import { openAnnouncements } from './announcements.ts'
import { type Breaker, openBreaker } from './breaker.ts'
import type { ClientOptions, VendorClient } from './client.ts'
import type { Clock } from './clock.ts'
import { openClient, originOf } from './http.ts'
import { type Limiter, openLimiter } from './limiter.ts'

export type Vendors = {
  outbound: Outbound
  clock: Clock
  client(options: ClientOptions): VendorClient
}

/** Credentials that are remembered before idle ones are forgotten. */
const MOST_REMEMBERED = 5_000

type Remembered = { limiter: Limiter; breakers: Map<string, Breaker> }

/** What is counted by credential and origin in this process, and the clients that share it. */
export function openVendors(outbound: Outbound, log: Log, clock: Clock): Vendors {
  const remembered = new Map<string, Remembered>()
  const announced = openAnnouncements(log, clock)

  const rememberedOf = ({ connector, key }: ClientOptions): Remembered => {
    const name = `${connector.type} ${key}`
    const known = remembered.get(name)
    if (known) return known
    if (remembered.size >= MOST_REMEMBERED) {
      for (const [other, { limiter, breakers }] of remembered) {
        if (limiter.isIdle() && [...breakers.values()].every((breaker) => breaker.isClosed())) remembered.delete(other)
      }
    }
    const made = { limiter: openLimiter(connector.rates, clock), breakers: new Map<string, Breaker>() }
    remembered.set(name, made)
    return made
  }

  const client = (options: ClientOptions): VendorClient => {
    const { limiter, breakers } = rememberedOf(options)
    const origin = originOf(options)
    const breaker = breakers.get(origin) ?? openBreaker(clock)
    breakers.set(origin, breaker)
    return openClient(options, { outbound, log, clock, announced, limiter, breaker }, client)
  }
  return { outbound, clock, client }
}
