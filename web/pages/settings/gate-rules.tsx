// The rules of a gate as sentences, each with its consequence.

import type { ReactNode } from 'react'
import { StandingWord } from '../../ui/verdict.tsx'
import { withGateWords } from '../../util/words.ts'
import type { GateRule } from './gate-documents.ts'
import styles from './settings.module.css'

type RulesProps<Rule> = {
  of: readonly Rule[]
  label: string
  /** The actions on one of the rules. */
  children?: (rule: Rule) => ReactNode
}

export function Rules<Rule extends Pick<GateRule, 'decision' | 'name' | 'sentence'>>({
  of,
  label,
  children,
}: RulesProps<Rule>) {
  return (
    <ul className={styles.rules} aria-label={label}>
      {of.map((rule, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rules have nothing else to identify them
        <li key={index}>
          <span className={styles.consequence}>
            <StandingWord of={rule.decision === 'BLOCK' ? 'bad' : 'warned'}>
              {rule.decision === 'BLOCK' ? 'Blocks' : 'Warns'}
            </StandingWord>
          </span>
          <span className={styles.rule}>
            {rule.name && <strong>{rule.name}: </strong>}
            on {withGateWords(rule.sentence)}
          </span>
          {children?.(rule)}
        </li>
      ))}
      {of.length === 0 && <li className="muted">No rules. Every deploy passes.</li>}
    </ul>
  )
}
