// Logs a warning when a vendor announces the end of an endpoint that we call: the headers Deprecation (RFC 9745) and Sunset (RFC 8594).

import type { Log } from '../core/log.ts'
import type { Clock } from './clock.ts'

type Told = { vendor: string; method: string; path: string }

export type Announcements = (told: Told, headers: Readonly<Record<string, string>>) => void

/** Milliseconds within which the same warning is logged once. */
const PACE = 86_400_000
const MOST_REMEMBERED = 1_000
const LONGEST = 100

/** Headers that are logged as well: the version that answered, which is not always the requested one. */
const NAMED = { deprecation: 'deprecation', sunset: 'sunset', served: 'snyk-version-served' } as const

export function openAnnouncements(log: Log, clock: Clock): Announcements {
  const said = new Map<string, number>()
  return (told, headers) => {
    if (headers.deprecation === undefined && headers.sunset === undefined) return
    const name = Object.values(told).join(' ')
    const now = clock.now()
    if (now - (said.get(name) ?? Number.NEGATIVE_INFINITY) < PACE) return
    if (said.size >= MOST_REMEMBERED) said.clear()
    said.set(name, now)
    const words = Object.entries(NAMED).flatMap(([word, header]) => {
      const value = headers[header]
      return value === undefined ? [] : [[word, value.slice(0, LONGEST)] as const]
    })
    log.warn({ ...told, ...Object.fromEntries(words) }, 'A vendor is going to take away what is called')
  }
}
