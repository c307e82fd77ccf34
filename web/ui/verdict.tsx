// What a gate decided, as a word: passed, warned, blocked.

import type { EnumOf } from '../api/graphql.ts'
import styles from './verdict.module.css'

export type Decision = EnumOf<'GateDecision'>

/** The hardest first. */
export const decisions = ['BLOCK', 'WARN', 'PASS'] as const satisfies readonly Decision[]

const words: Record<Decision, string> = { PASS: 'Passed', WARN: 'Warned', BLOCK: 'Blocked' }

export const verdictWord = (of: Decision): string => words[of]

export const Verdict = ({ of }: { of: Decision }) => (
  <span className={`${styles.verdict} ${styles[of]}`}>{words[of]}</span>
)

/** How a piece of work stands: a word in the tone of how it ended. */
export type Standing = 'waiting' | 'running' | 'good' | 'warned' | 'bad' | 'plain'

export const StandingWord = ({ of, children }: { of: Standing; children: string }) => (
  <span className={`${styles.verdict} ${styles[of]}`}>{children}</span>
)
