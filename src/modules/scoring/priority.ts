// The priority of a finding: one number, from its severity and from what makes it more or less pressing.

import type { SeverityCategory } from '../../core/db/tables.generated.ts'
import type { SlaState } from '../../core/issue-words.ts'

export type Exposure = 'INTERNET_FACING' | 'INTERNAL' | 'NOT_DEFINED'
export type Impact = 'LOW' | 'MEDIUM' | 'HIGH' | 'NOT_DEFINED'

export type PriorityFacts = {
  isOpen: boolean
  severity: SeverityCategory
  isKnownExploited: boolean
  /** the highest EPSS of its vulnerabilities, 0 to 1; null where none is known */
  epss: number | null
  exposure: Exposure
  impact: Impact
  /** null where nothing says when it is due */
  sla: SlaState | null
}

type Part<Value> = { value: Value; points: number }

type PriorityInputs = {
  isOpen: boolean
  severity: Part<SeverityCategory>
  exploitation: { isKnownExploited: boolean; epss: number | null; points: number }
  exposure: Part<Exposure>
  impact: Part<Impact>
  sla: Part<SlaState | null>
}

export type Priority = { score: number; inputs: PriorityInputs; sentence: string }

/** The rule's numbers; docs/scoring.md shows them, and priority_score() in the database uses the same. */
export const points = {
  severity: { CRITICAL: 10, HIGH: 8, MEDIUM: 5, LOW: 2, NOTIFICATION: 0 },
  base: 4,
  knownExploited: 3,
  epss: 2,
  exposure: { INTERNET_FACING: 1, INTERNAL: 0, NOT_DEFINED: 0.5 },
  impact: { HIGH: 1, MEDIUM: 0.5, LOW: 0, NOT_DEFINED: 0.5 },
  sla: { BREACHED: 1, APPROACHING: 0.5, ON_TRACK: 0, RESOLVED: 0 },
} as const satisfies Record<string, number | Record<string, number>>

/**
 * score = severity × (4 + exploitation + exposure + impact + SLA), from 0 to 100 in tenths; 0 for what is not open. Every
 * part raises it, and none makes up for a severity of nothing.
 */
export function priorityOf(facts: PriorityFacts): Priority {
  const inputs = inputsOf(facts)
  const { severity, exploitation, exposure, impact, sla } = inputs
  const factor = points.base + exploitation.points + exposure.points + impact.points + sla.points
  const score = facts.isOpen ? inTenths(severity.points * factor) : 0
  return { score, inputs, sentence: sentenceOf(facts, score) }
}

function inputsOf({ isOpen, severity, isKnownExploited, epss, exposure, impact, sla }: PriorityFacts): PriorityInputs {
  const exploitation = isKnownExploited ? points.knownExploited : points.epss * inThousandths(epss ?? 0)
  return {
    isOpen,
    severity: { value: severity, points: points.severity[severity] },
    exploitation: { isKnownExploited, epss, points: inThousandths(exploitation) },
    exposure: { value: exposure, points: points.exposure[exposure] },
    impact: { value: impact, points: points.impact[impact] },
    sla: { value: sla, points: sla === null ? 0 : points.sla[sla] },
  }
}

/** Half is rounded up, as numeric does in the database; what a binary fraction lacks to a half is made up for. */
const inTenths = (value: number): number => Math.round(Math.round(value * 1e6) / 1e5) / 10
const inThousandths = (value: number): number => Math.round(Math.round(value * 1e9) / 1e6) / 1000

const exposures = {
  INTERNET_FACING: 'an internet-facing asset',
  INTERNAL: 'an internal asset',
  NOT_DEFINED: 'an asset of unknown exposure',
} as const satisfies Record<Exposure, string>

const times = {
  BREACHED: 'overdue',
  APPROACHING: 'due soon',
  ON_TRACK: 'within its SLA',
  RESOLVED: 'closed',
} as const satisfies Record<SlaState, string>

function sentenceOf({ isOpen, severity, isKnownExploited, epss, exposure, impact, sla }: PriorityFacts, score: number) {
  if (!isOpen) return '0: not open.'
  const percent = epss === null ? null : (epss * 100).toFixed(1)
  const exploited = isKnownExploited
    ? 'known to be exploited'
    : percent === null
      ? 'not known to be exploited'
      : `${percent} % chance of exploitation within 30 days`
  const business = impact === 'NOT_DEFINED' ? 'no business impact set' : `${impact} business impact`
  const due = sla === null ? 'no due date' : times[sla]
  return `${score.toFixed(1)}: ${severity} severity, ${exploited}, on ${exposures[exposure]} with ${business}; ${due}.`
}

/** How exposed an asset is: as somebody said, else by whom it serves. */
export function exposureOf(exploitability: string, audience: string | null): Exposure {
  if (exploitability === 'INTERNET_FACING' || exploitability === 'INTERNAL') return exploitability
  if (audience === 'external' || audience === 'internal_and_external') return 'INTERNET_FACING'
  return audience === 'internal' ? 'INTERNAL' : 'NOT_DEFINED'
}

export const impactOf = (businessImpact: string): Impact =>
  businessImpact === 'HIGH' || businessImpact === 'MEDIUM' || businessImpact === 'LOW' ? businessImpact : 'NOT_DEFINED'
