// What a scan has found so far, and how it is reported while it runs and at its end.

import { type Coverage, openCoverage } from './coverage.ts'
import { type Findings, openFindings } from './findings.ts'
import type { ScanOptions } from './options.ts'
import { type Ending, type Outcome, ScanStopped, SendFailed } from './outcome.ts'
import type { Pace } from './pace.ts'
import { SeedFault } from './seed/fault.ts'
import { openTelling, type Telling } from './telling.ts'
import type { Operation } from './types.ts'

export type ScanRecord = {
  findings: Findings
  coverage: Coverage
  telling: Telling
  operations: readonly Operation[]
  skipped: { operation: string; reason: string }[]
  notes: string[]
  accountPassword: string | null
  coveredCwes: Set<number>
  looked: string[]
  /** requests without a response */
  failures: () => number
  outcome: (state: Ending, reason: string | null) => Outcome
}

export function openRecord({ events }: ScanOptions, pace: Pace): ScanRecord {
  const began = performance.now()
  const findings = openFindings()
  const telling = openTelling((standing) => {
    const [operations, requests, found] = [record.operations.length, pace.requests(), findings.all().length]
    events?.onProgress?.({ ...standing, operations, requests, findings: found })
  })
  const record: ScanRecord = {
    findings,
    coverage: openCoverage(),
    telling,
    operations: [],
    skipped: [],
    notes: [],
    accountPassword: null,
    coveredCwes: new Set(),
    looked: [],
    failures: () => 0,
    outcome: (state, reason) => ({
      state,
      reason,
      findings: findings.all(),
      operations: record.operations.map(({ key }) => key),
      skipped: record.skipped,
      covered: record.coverage.of(record.operations, new Set(record.skipped.map(({ operation }) => operation))),
      notes: record.notes,
      accountPassword: record.accountPassword,
      coveredCwes: [...record.coveredCwes].sort((a, b) => a - b),
      looked: record.looked,
      requests: pace.requests(),
      failures: record.failures(),
      ms: Math.round(performance.now() - began),
    }),
  }
  return record
}

/** The state and the sentence with which a scan ends after an error. */
export function readEnd(error: unknown): { state: Ending; reason: string | null } {
  if (error instanceof ScanStopped) return { state: error.state, reason: error.message }
  if (error instanceof SeedFault) return { state: 'BAD_SCHEMA', reason: error.message }
  if (error instanceof SendFailed) {
    return {
      state: error.reason === 'FORBIDDEN_ADDRESS' ? 'TARGET_REFUSED' : 'TARGET_UNREACHABLE',
      reason: error.message,
    }
  }
  return { state: 'FAILED', reason: error instanceof Error ? error.message : String(error) }
}
