// Reads all pages again when everything was sent: what was stored shows there, to the passive checks.

import { quietly } from '../probing.ts'
import { isSafe } from '../seed/names.ts'
import type { TargetCheck } from '../types.ts'

const MOST = 300

export const reread: TargetCheck = {
  kind: 'target',
  id: 'reread',
  title: 'What was stored is read again',
  cwes: [79],
  severity: 'HIGH',
  solution: '',
  profile: 'BALANCED',
  isLast: true,
  // biome-ignore lint/correctness/useYield: the passive checks tell what these exchanges show
  async *probe(context) {
    const pages = new Set<string>()
    for (const operation of context.operations) {
      if (operation.kind === 'read' && isSafe(operation)) await context.attempt(operation)
      if (operation.foundOn) pages.add(operation.foundOn)
    }
    for (const url of [...pages].slice(0, MOST)) {
      const host = URL.parse(url)?.host ?? context.target.host
      await quietly(
        context.send({
          method: 'GET',
          url,
          headers: [
            ['Host', host],
            ['Accept', 'text/html,*/*'],
          ],
          body: null,
        }),
      )
    }
  },
}
