// Converts each row of a report into its staged form, and sums up what is known once all rows are read.

import { ApplicationError } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { remembered } from '../../core/remembered.ts'
import type { Observation, Row, Statement } from '../../reports/types.ts'
import {
  bucketOf,
  type Finding,
  firstWrite,
  hash64,
  keyOfWords,
  matchOfRepeated,
  type Scan,
  type ScanAsk,
  type ToolRule,
  underRules,
} from '../issues/findings/service.ts'
import { cut, LONGEST_WORD, pathOf } from './cut.ts'
import { findingOf } from './observations.ts'
import { openSections, type Section } from './sections.ts'
import { componentRow } from './stage-components.ts'
import type { NewFirst } from './store-first.ts'
import { FINDING, LEFT_OUT, type NewStaged } from './store-stage.ts'
import { asWanted, type Wanted } from './wanted.ts'

export type Reading = {
  ask: ScanAsk
  assetId: Id
  format: string | null
  /** the part of the asset that the report covers; null: as the report itself says */
  scope: string | null
  wanted: Wanted | null
  /** as in the options of the import */
  checkoutPath?: string | null
  directory?: string | null
  acceptsEmpty?: boolean
  /** with more rows than this the report is not staged; undefined: however many it has */
  mostRows?: number
}

export type Staged = {
  format: string
  findings: number
  components: number
  /** rows that could not be read, and rows that rightly make no finding: not asked for, skipped, or about a file that was not seen */
  unreadable: number
  /** of the unreadable rows, those that the report itself marks as undecided */
  undecided: number
  unwanted: number
  /** rows with a VEX statement; those that leave open whether the component is affected are undecided */
  statements: number
  /** a row of a component without a statement withdraws what the same tool stated about it */
  withdrawsStatements: boolean
  /** indexed by the section number of staged findings */
  sections: readonly Section[]
  /** all scopes of the report, including those without a finding, and the scopes with an unreadable row */
  scopes: ReadonlySet<string>
  unsafeScopes: ReadonlySet<string>
  /** files that the tool did not see completely: earlier findings in them do not count as absent */
  unseenFiles: ReadonlySet<string>
  truncated: string | null
  /** the reasons why rows could not be read, of the first few */
  firstReasons: readonly string[]
}

/** The report cannot be taken as the first of its asset after all, and must be staged for matching. */
export class NotFirst extends Error {}

/** The report has more rows than may be staged. */
export class TooManyRows extends Error {}

/** with more unseen files than this, nothing in the scope is closed */
const MOST_UNSEEN = 10_000
/** hashes of buckets and files that are cached */
const MOST_REMEMBERED = 5000
/** in characters */
export const LONGEST_REASON = 1000
const LONGEST_PLACE = 300

/** `first` is set for a report that is taken as the first of its asset. */
export function openStaging({ ask, assetId, scope, wanted }: Reading, rules: readonly ToolRule[], first: Scan | null) {
  const sections = openSections(scope)
  const tools = new Set<string>()
  const unsafeScopes = new Set<string>()
  const unseenFiles = new Set<string>()
  const firstReasons: string[] = []
  const counts = { findings: 0, components: 0, unreadable: 0, undecided: 0, unwanted: 0, statements: 0 }
  const hashOf = remembered(MOST_REMEMBERED, hash64)
  let truncated: string | null = null

  function noteUnreadable(at: string, reason: string): void {
    counts.unreadable += 1
    unsafeScopes.add(sections.scope())
    if (firstReasons.length < 3) firstReasons.push(`${at}: ${reason}`)
  }

  function leftOut(at: string, reason: string, number: number, isUnreadable: boolean): NewStaged {
    if (isUnreadable) noteUnreadable(at, reason)
    else counts.unwanted += 1
    const payload = cut(reason, LONGEST_REASON) ?? ''
    return { kind: LEFT_OUT, bucket: '0', file: '0', number, section: 0, at: cut(at, LONGEST_PLACE) ?? '', payload }
  }

  function unseen({ at, fileName, reason }: Row & { kind: 'UNSEEN_FILE' }, number: number): NewStaged {
    const path = pathOf(fileName)
    if (path === null || unseenFiles.size >= MOST_UNSEEN) return leftOut(at, reason, number, true)
    unseenFiles.add(path)
    return leftOut(at, reason, number, false)
  }

  function observed(at: string, seen: Observation, number: number, undecided: string | null): NewStaged | NewFirst {
    const observation = asWanted(seen, wanted)
    if (!observation) return leftOut(at, `${seen.type} was not requested`, number, false)
    const finding = underRules(findingOf(observation), rules)
    if (undecided === null) counts.findings += 1
    else noteUnreadable(at, undecided)
    const words = JSON.stringify(finding)
    const decision = decisionOf(observation)
    const statement = statementOf(observation)
    if (statement !== null) counts.statements += 1
    const isSettled = decision !== null || statement !== null || finding.kept !== undefined
    if (first !== null) return asFirst(first, at, finding, isSettled, words, number)
    return {
      kind: FINDING,
      bucket: hashOf(bucketOf(assetId, finding)),
      file: hashOf(finding.place.path ?? ''),
      number,
      section: sections.numberOf(finding.toolName),
      at: cut(at, LONGEST_PLACE) ?? '',
      payload: `{"finding":${words},${JSON.stringify({ decision, statement, undecided }).slice(1)}`,
      reportKey: isSettled ? null : keyOfWords(ask, words),
      path: finding.place.path,
      line: finding.place.line,
      matchedBy: matchOfRepeated(finding),
    }
  }

  function observedOrLeftOut(at: string, seen: Observation, number: number, undecided: string | null = null) {
    try {
      return observed(at, seen, number, undecided)
    } catch (error) {
      if (error instanceof ApplicationError) return leftOut(at, error.message, number, true)
      throw error
    }
  }

  /** Findings that the report itself decides about, or that several tools may report, need matching. */
  function asFirst(
    scan: Scan,
    at: string,
    finding: Finding,
    isSettled: boolean,
    words: string,
    number: number,
  ): NewFirst {
    const section = sections.numberOf(finding.toolName)
    if (finding.toolName !== '') tools.add(finding.toolName.toLowerCase())
    if (isSettled || tools.size > 1) throw new NotFirst()
    const row = {
      number,
      section,
      at: cut(at, LONGEST_PLACE) ?? '',
      reportKey: keyOfWords(ask, words),
    }
    return { ...row, write: firstWrite(scan, finding) }
  }

  return {
    sections: sections.named,
    /** The staged row; null for a row that only says something about others. */
    take(row: Row, number: number): NewStaged | NewFirst | null {
      switch (row.kind) {
        case 'TRUNCATED':
          truncated ??= row.reason
          return null
        case 'SCOPE':
          sections.enter(row.scope ?? '')
          return null
        case 'TOOL':
          // past the limit a tool without findings is ignored, and closes nothing
          if (!sections.isFull()) sections.numberOf(cut(row.toolName, LONGEST_WORD) ?? '')
          return null
        case 'LEFT_OUT':
          if (row.isUndecided) counts.undecided += 1
          if (row.observation) return observedOrLeftOut(row.at, row.observation, number, row.reason)
          return leftOut(row.at, row.reason, number, true)
        case 'PASSED_OVER':
          return leftOut(row.at, row.reason, number, false)
        case 'UNSEEN_FILE':
          return unseen(row, number)
        case 'COMPONENT':
          counts.components += 1
          sections.keepScope()
          return componentRow(row.at, row.component, sections.scope(), number)
        case 'OBSERVATION':
          return observedOrLeftOut(row.at, row.observation, number)
      }
    },
    end: (format: string, withdrawsStatements: boolean): Staged => {
      if (sections.scopes.size === 0) sections.keepScope()
      return {
        format,
        withdrawsStatements,
        ...counts,
        sections: sections.named,
        scopes: sections.scopes,
        unsafeScopes,
        unseenFiles,
        truncated,
        firstReasons,
      }
    },
  }
}

/** A decision that has expired is ignored. */
function decisionOf({ decision }: Observation) {
  if (!decision) return null
  const { status, reason } = decision
  const until = status === 'RISK_ACCEPTED' ? decision.until : undefined
  if (until !== undefined && Date.parse(until) <= Date.now()) return null
  return { status, until, reason: cut(reason.trim() || 'Decided in the report') }
}

/** The statement, in words that name who made it. */
function statementOf(observation: Observation): Statement | null {
  if (observation.kind === 'KEPT' || !observation.statement) return null
  const { status, reason, saidAt } = observation.statement
  const isTime = saidAt !== undefined && !Number.isNaN(Date.parse(saidAt))
  const words = cut(`${observation.toolName}: ${reason}`, LONGEST_REASON) ?? ''
  return { status, reason: words, saidAt: isTime ? new Date(saidAt).toISOString() : undefined }
}
