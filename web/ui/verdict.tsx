// A gate's decision as a word: passed, warned, blocked.

import type { EnumOf } from '../api/graphql.ts'
import styles from './verdict.module.css'

export type Decision = EnumOf<'GateDecision'>

/** Strictest first. */
export const decisions = ['BLOCK', 'WARN', 'PASS'] as const satisfies readonly Decision[]

const words: Record<Decision, string> = { PASS: 'Passed', WARN: 'Warned', BLOCK: 'Blocked' }

export const verdictWord = (of: Decision): string => words[of]

/** `isJudged` is false if nothing is known of what was deployed, which must not look like a pass. */
export const Verdict = ({ of, isJudged = true }: { of: Decision; isJudged?: boolean }) => (
  <span className={`${styles.verdict} ${styles[isJudged ? of : 'WARN']}`}>{isJudged ? words[of] : 'Not judged'}</span>
)

/** The state of a piece of work, as a word coloured by how it stands or ended. */
export type Standing = 'waiting' | 'running' | 'good' | 'warned' | 'bad' | 'plain'

export const StandingWord = ({ of, children }: { of: Standing; children: string }) => (
  <span className={`${styles.verdict} ${styles[of]}`}>{children}</span>
)
