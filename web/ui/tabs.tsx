// Tabs of a page; the address holds which one is open, so that it can be linked to.

import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'
import styles from './tabs.module.css'

export type Tab<T extends string> = { value: T; name: ReactNode; content: ReactNode }

type Props<T extends string> = { label: string; value: T; onChange: (value: T) => void; tabs: readonly Tab<T>[] }

export function Tabs<T extends string>({ label, value, onChange, tabs }: Props<T>) {
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
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
