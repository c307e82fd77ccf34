// Decides the state of a check from facts: open findings, completed scans, and waivers. Uses no database.

import type { Id } from '../../core/ids.ts'
import type { CheckState } from '../api.generated.ts'
import type { Look, Lookers, NamedFinding } from './store-facts.ts'

/** `integrations` and `tools`: those that have reported such a weakness in this company before. */
export type Facts = Lookers & {
  /** `accepted`: findings whose risk a person accepted; `worst`: the most severe open finding */
  findings: { open: number; accepted: number; worst: NamedFinding | null }
  /** the assets to examine; empty also if no tool is known to detect the weaknesses */
  assets: readonly LookedAt[]
}

/** An asset, when it was last deployed, when a person last marked such a weakness as fixed, and when each tool last examined it. */
export type LookedAt = {
  id: Id
  name: string
  changedAt: string | null
  fixedAt: string | null
  /** scans that reported the findings marked as fixed: they saw the weakness, so they cannot prove that it is gone */
  reportedBy: readonly Id[]
  looks: readonly Look[]
}

/** The check: its attack pattern, the number of the pattern's weaknesses, and its waiver. */
export type Judged = {
  capecId: number | null
  weaknesses: number
  /** `until` is ISO 8601; `by` is null if the person has been deleted */
  waiver: { reason: string; until: string; by: string | null } | null
}

/** `look`: the scan or report that proves SATISFIED, the oldest of several. In other states `look` and `satisfiedAt` are null. */
export type Verdict = { state: CheckState; stateReason: string; satisfiedAt: string | null; look: Look | null }

/** Decides the state of a check. `facts` is null if it has no weaknesses; `now` is in milliseconds since 1970. */
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
    look: null,
  }
}

function compute({ capecId, weaknesses }: Judged, facts: Facts | null): Verdict {
  if (capecId === null) return unknown('It has no attack pattern, so people assess it.')
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
      look: null,
    }
  }
  if (accepted > 0) {
    const stay = accepted === 1 ? 'stays as an accepted risk' : 'stay as accepted risks'
    return unknown(
      `No finding is open, but ${accepted} finding${accepted === 1 ? '' : 's'} with such a weakness ${stay}.`,
    )
  }
  return judgeScans(capecId, facts)
}

function judgeScans(capecId: number, facts: Facts): Verdict {
  const { integrations, tools, assets } = facts
  const names = [...new Set([...integrations, ...tools])]
  if (names.length === 0) {
    return unknown(`No finding is open, and no scan has yet reported a weakness that CAPEC-${capecId} uses.`)
  }
  if (assets.length === 0) return unknown('No finding is open, and there is no asset to scan.')
  const proofs = assets.map((asset) => ({ asset, look: proofOf(asset, facts) }))
  const unproved = proofs.filter(({ look }) => look === null)
  const [first] = unproved
  if (first) {
    return unknown(
      `No finding is open, but ${assets.length - unproved.length} of ${assets.length} assets were scanned by ${short(names.join(', '))} after their last change; Asset ${first.asset.id}, “${short(first.asset.name)}”, was not.`,
    )
  }
  const oldest = proofs
    .flatMap(({ asset, look }) => (look ? [{ asset, look }] : []))
    .sort((left, right) => Date.parse(left.look.at) - Date.parse(right.look.at))[0]
  if (!oldest) return unknown('No finding is open, and there is no asset to scan.')
  const { asset, look } = oldest
  const whole = assets.length === 1 ? '' : `All ${assets.length} assets were scanned after their last change; first `
  const named =
    look.kind === 'SCAN' ? `${look.by} scan ${look.id}` : `the ${short(look.by)} report of import ${look.id}`
  const told = `${named} of Asset ${asset.id} ended on ${day(look.at)}`
  return {
    state: 'SATISFIED',
    stateReason: `${whole === '' ? capital(told) : whole + told}, after its last change, and no finding with such a weakness is open.`,
    satisfiedAt: new Date(look.at).toISOString(),
    look,
  }
}

/**
 * The latest examination by a tool that detects the weaknesses; null unless it ended after the asset's last deploy and not before the
 * last fix. The same moment counts, because a report closes absent findings at the moment of its own examination.
 */
function proofOf(asset: LookedAt, { integrations, tools }: Lookers): Look | null {
  const last = asset.looks
    .filter(({ kind, id, by }) =>
      kind === 'SCAN' ? integrations.includes(by) && !asset.reportedBy.includes(id) : tools.includes(by),
    )
    .toSorted((left, right) => Date.parse(right.at) - Date.parse(left.at))[0]
  if (!last) return null
  const at = Date.parse(last.at)
  return at > time(asset.changedAt) && at >= time(asset.fixedAt) ? last : null
}

const capital = (text: string): string => text.replace(/^the /, 'The ')

const unknown = (stateReason: string): Verdict => ({
  state: 'UNKNOWN',
  stateReason,
  satisfiedAt: null,
  look: null,
})

const time = (text: string | null): number => (text === null ? Number.NEGATIVE_INFINITY : Date.parse(text))

const day = (text: string): string => new Date(text).toISOString().slice(0, 10)

const short = (text: string): string => (text.length > 120 ? `${text.slice(0, 119)}…` : text)

const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`)
