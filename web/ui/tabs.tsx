// Tabs of a page, all of them in print if asked for; the address holds which one is open, so that it can be linked to.

import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode, Ref } from 'react'
import styles from './tabs.module.css'

export type Tab<T extends string> = {
  value: T
  name: ReactNode
  content: ReactNode
  /** Whether its content begins with a heading that names it. */
  isNamed?: boolean
}

type Props<T extends string> = {
  label: string
  value: T
  onChange: (value: T) => void
  tabs: readonly Tab<T>[]
  /** All of the parts stand below each other, where only paper shows them. */
  whole?: Ref<HTMLDivElement> | null
}

export function Tabs<T extends string>({ label, value, onChange, tabs, whole = null }: Props<T>) {
  return (
    <Base.Root value={value} onValueChange={(next) => onChange(next as T)} className={styles.tabs}>
      <Base.List aria-label={label} className={styles.names}>
        {tabs.map((tab) => (
          <Base.Tab key={tab.value} value={tab.value} className={styles.name}>
            {tab.name}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value} className={styles.content}>
          {!tab.isNamed && <p className={styles.printedName}>{tab.name}</p>}
          {tab.content}
        </Base.Panel>
      ))}
      {whole && (
        <div ref={whole} className={styles.whole}>
          {tabs.map(({ value: part, name, content }) => (
            <section key={part}>
              <h2>{name}</h2>
              {content}
            </section>
          ))}
        </div>
      )}
    </Base.Root>
  )
}
