// Ends a run: records what was covered, closes what is fixed, and says why the run ended.

import { type Db, transaction } from '../../core/db/open.ts'
import type { Finding } from '../../scanner/finding.ts'
import { endings, type Outcome } from '../../scanner/outcome.ts'
import { closeAbsent } from '../issues/findings/service.ts'
import { endRun } from '../scans/service.ts'
import type { Running } from './running.ts'
import * as store from './store.ts'

type End = Pick<Outcome, 'state' | 'findings' | 'skipped' | 'covered' | 'notes' | 'requests'> & {
  operations: number
  /** the checks that had everything they need */
  looked: readonly string[]
  /** a sentence; null if the target was scanned as far as the budget allowed */
  failure: string | null
}

const good = new Set<Outcome['state']>(['COMPLETED', 'REQUESTS_SPENT', 'TIME_SPENT'])

const depths = { BASIC: 0, BALANCED: 1, DEEP: 2 } as const

/** What a later scan must reach to say that a finding of this one is gone. */
export const reachOf = ({ scanProfile, secretIds, secondSecretIds }: Running['configuration']) => ({
  depth: depths[scanProfile],
  identities: [secretIds, secondSecretIds].filter(({ length }) => length > 0).length,
})

/** Ends a run whose scan finished. */
export function endOf(outcome: Outcome): End {
  const { state, reason, findings, operations, skipped, accountPassword, requests, looked } = outcome
  // people who can see the run are those who remove the accounts that it created
  const notes = accountPassword === null ? outcome.notes : [...outcome.notes, `Their password is ${accountPassword}`]
  const covered = state === 'COMPLETED' ? outcome.covered : []
  const failure = good.has(state) ? null : sentenceOf(state, reason)
  return { state, failure, findings, operations: operations.length, covered, looked, skipped, notes, requests }
}

/** Ends a run whose process died: reported findings stay, and nothing counts as covered. */
export const endWithoutOutcome = (
  state: 'CANCELED' | 'FAILED',
  failure: string,
  findings: readonly Finding[],
  { operations, requests }: store.Progress,
): End => ({ state, failure, findings, operations, covered: [], looked: [], skipped: [], notes: [], requests })

export const countsOf = (findings: readonly Finding[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { severity } of findings) counts[severity] = (counts[severity] ?? 0) + 1
  return counts
}

export async function finish(db: Db, running: Running, end: End): Promise<void> {
  const { companyId, assetId, scanId, configuration, author } = running
  const { state, failure, findings, operations, covered, looked, skipped, notes, requests } = end
  await transaction(db, async (trx) => {
    const reach = reachOf(configuration)
    const gone = await store.noteSightings(trx, { companyId, assetId, ...reach, seen: findings, covered, looked })
    if (gone.length > 0 && author !== null) {
      const why = 'Two consecutive scans that fully tested its operation did not find it'
      const absence = { branch: '', issueIds: gone, reason: why, authorId: author.userId, scanId, deployId: null }
      await closeAbsent(trx, companyId, absence)
    }
    await store.endStanding(trx, running, {
      ending: state,
      requests,
      operations,
      skipped: skipped.slice(0, 200).map(({ operation, reason }) => ({ operation, reason })),
      notes: [...notes],
      findings: countsOf(findings),
    })
    const count = findings.length
    const status = failure === null ? 'SUCCEEDED' : 'FAILED'
    await endRun(trx, companyId, scanId, { status, external: count, success: count, failures: 0, reason: failure })
  })
}

function sentenceOf(state: Outcome['state'], reason: string | null): string {
  const ending = `${endings[state].charAt(0).toUpperCase()}${endings[state].slice(1)}`
  return reason === null || reason === endings[state] ? ending : `${ending} (${reason})`
}
