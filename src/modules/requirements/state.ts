// The state of a check, decided from facts alone: findings that are open, scans that ended, and what a person waived.

import type { Id } from '../../core/ids.ts'
import type { CheckState } from '../api.generated.ts'
import type { FinishedScan, NamedFinding } from './store-facts.ts'

export type Facts = {
  /** `accepted`: findings whose risk a person accepted; `worst`: the most severe open one */
  findings: { open: number; accepted: number; worst: NamedFinding | null }
  /** tools whose scans have reported such a weakness in this company */
  integrations: readonly string[]
  /** the assets looked at; empty also while no tool is known to look for the weaknesses */
  assets: readonly LookedAt[]
}

/** An asset with its last deploy, the last fix of such a weakness that a person claims, and of each tool the last scan that succeeded. */
export type LookedAt = {
  id: Id
  name: string
  changedAt: string | null
  fixedAt: string | null
  scans: readonly FinishedScan[]
}

/** What is judged: its attack pattern with its number of weaknesses, and its waiver. */
export type Judged = {
  capecId: number | null
  weaknesses: number
  /** `until` in ISO 8601; `by` is null when the person is gone */
  waiver: { reason: string; until: string; by: string | null } | null
}

/** `scanId`: the scan that SATISFIED rests on, the oldest of several; with `satisfiedAt` null in the other states. */
export type Verdict = { state: CheckState; stateReason: string; satisfiedAt: string | null; scanId: Id | null }

/** Judges a check; `facts` is null for one without weaknesses, `now` in milliseconds. */
export function judge(check: Judged, facts: Facts | null, now: number): Verdict {
  const computed = compute(check, facts)
  const { waiver } = check
  if (waiver === null) return computed
  if (Date.parse(waiver.until) <= now) {
    return { ...computed, stateReason: `${computed.stateReason} A waiver expired on ${day(waiver.until)}.` }
  }
  const who = waiver.by === null ? 'Waived' : `Waived by ${waiver.by}`
  const beneath = computed.state === 'VIOLATED' ? ` Without the waiver: ${computed.stateReason}` : ''
  return {
    state: 'WAIVED',
    stateReason: `${who} until ${day(waiver.until)}: ${sentence(waiver.reason)}${beneath}`,
    satisfiedAt: null,
    scanId: null,
  }
}

function compute({ capecId, weaknesses }: Judged, facts: Facts | null): Verdict {
  if (capecId === null) return unknown('It names no attack pattern, so people judge it.')
  if (weaknesses === 0 || facts === null)
    return unknown(`CAPEC-${capecId} names no weakness that a finding could have.`)
  const { open, accepted, worst } = facts.findings
  if (open > 0) {
    const named = worst
      ? `: ${open === 1 ? '' : 'the most severe is '}Issue ${worst.id}, “${short(worst.title)}” (${worst.severity}, ${worst.cwes.map((id) => `CWE-${id}`).join(', ')})`
      : ''
    const counted = open === 1 ? '1 open finding has' : `${open} open findings have`
    return {
      state: 'VIOLATED',
      stateReason: `${counted} a weakness that CAPEC-${capecId} uses${named}.`,
      satisfiedAt: null,
      scanId: null,
    }
  }
  if (accepted > 0) {
    const counted = accepted === 1 ? '1 finding' : `${accepted} findings`
    return unknown(`No finding is open, but ${counted} with such a weakness stay as accepted risks.`)
  }
  return judgeScans(capecId, facts)
}

function judgeScans(capecId: number, { integrations, assets }: Facts): Verdict {
  if (integrations.length === 0) {
    return unknown(`No finding is open, and no scan has yet reported a weakness that CAPEC-${capecId} uses.`)
  }
  const tools = integrations.join(', ')
  if (assets.length === 0) return unknown('No finding is open, and there is no asset to look at.')
  const proofs = assets.map((asset) => ({ asset, scan: proofOf(asset, integrations) }))
  const unproved = proofs.filter(({ scan }) => scan === null)
  const [first] = unproved
  if (first) {
    return unknown(
      `No finding is open, but ${assets.length - unproved.length} of ${assets.length} assets were scanned by ${tools} after their last change; Asset ${first.asset.id}, “${short(first.asset.name)}”, was not.`,
    )
  }
  const oldest = proofs
    .flatMap(({ asset, scan }) => (scan ? [{ asset, scan }] : []))
    .sort((left, right) => Date.parse(left.scan.finishedAt) - Date.parse(right.scan.finishedAt))[0]
  if (!oldest) return unknown('No finding is open, and there is no asset to look at.')
  const { asset, scan } = oldest
  const whole = assets.length === 1 ? '' : `All ${assets.length} assets were scanned after their last change; first `
  return {
    state: 'SATISFIED',
    stateReason: `${whole}${scan.integration} scan ${scan.id} of Asset ${asset.id} ended on ${day(scan.finishedAt)}, after its last change, and no finding with such a weakness is open.`,
    satisfiedAt: new Date(scan.finishedAt).toISOString(),
    scanId: scan.id,
  }
}

/** The latest scan of a tool that looks for the weaknesses, when it ended after the asset's last deploy and last fix. */
function proofOf(asset: LookedAt, integrations: readonly string[]): FinishedScan | null {
  const changed = Math.max(time(asset.changedAt), time(asset.fixedAt))
  const last = asset.scans
    .filter(({ integration }) => integrations.includes(integration))
    .toSorted((left, right) => Date.parse(right.finishedAt) - Date.parse(left.finishedAt))[0]
  return last && Date.parse(last.finishedAt) > changed ? last : null
}

const unknown = (stateReason: string): Verdict => ({
  state: 'UNKNOWN',
  stateReason,
  satisfiedAt: null,
  scanId: null,
})

const time = (text: string | null): number => (text === null ? Number.NEGATIVE_INFINITY : Date.parse(text))

const day = (text: string): string => new Date(text).toISOString().slice(0, 10)

const short = (text: string): string => (text.length > 120 ? `${text.slice(0, 119)}…` : text)

const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`)
