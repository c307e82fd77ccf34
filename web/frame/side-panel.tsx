// What lies beside the list that it was opened from; over it where the page is narrow.

import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../ui/button.tsx'
import styles from './side-panel.module.css'

type Props = {
  label: string
  /** Closes it while there is nothing in it that could. */
  onClose?: (() => void) | undefined
  children: ReactNode
}

export const SidePanel = ({ label, onClose, children }: Props) => (
  <aside className={styles.panel} aria-label={label}>
    {onClose && (
      <div className={styles.corner}>
        <IconButton name="Close" size="small" onClick={onClose}>
          <X size={16} aria-hidden />
        </IconButton>
      </div>
    )}
    {children}
  </aside>
)
