// Reads all pages again after everything was sent, including new ones, so that passive checks see stored values.

import type { TargetCheck } from '../check.ts'
import { quietly } from '../probing.ts'
import { get } from '../requests.ts'
import { isSafe, mayOpen } from '../seed/names.ts'
import { isPage, linksOn } from './shown-pages.ts'

const MOST = 300
/** How many pages are read that nothing linked to at first. */
const MOST_NEW = 300

export const reread: TargetCheck = {
  kind: 'target',
  id: 'reread',
  title: 'Stored values read again',
  cwes: [79],
  severity: 'HIGH',
  solution: '',
  profile: 'BALANCED',
  isLast: true,
  // it tells nothing itself: passive checks tell what these exchanges show
  async *probe(context) {
    const pages = new Set<string>()
    const before = new Set<string>()
    const now = new Set<string>()
    for (const operation of context.operations) {
      if (operation.foundOn) pages.add(operation.foundOn)
      if (operation.kind !== 'read' || !isSafe(operation)) continue
      const first = context.seen(operation)
      const exchange = await context.attempt(operation)
      if (isPage(first)) for (const link of linksOn(first)) before.add(link)
      if (isPage(exchange)) for (const link of linksOn(exchange)) now.add(link)
    }
    const made = [...now].filter((link) => !before.has(link) && isToBeRead(link))
    for (const url of [...[...pages].slice(0, MOST), ...made.slice(0, MOST_NEW)]) await quietly(context.send(get(url)))
  },
}

const isToBeRead = (link: string): boolean => {
  const url = URL.parse(link)
  return url !== null && /^https?:$/.test(url.protocol) && mayOpen(url)
}
