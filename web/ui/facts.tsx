// The known facts about a thing as names and values; unknown ones are left out.

import type { ReactNode } from 'react'
import styles from './facts.module.css'

export type Fact = { name: string; fact: ReactNode }

export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts
        .filter(({ fact }) => fact !== null && fact !== undefined && fact !== '' && fact !== false)
        .map(({ name, fact }) => (
          <div key={name} className={styles.fact}>
            <dt>{name}</dt>
            <dd>{fact}</dd>
          </div>
        ))}
    </dl>
  )
}
