// The panel beside a list for the row that was opened from it; where the page is narrow it covers the list.

import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../ui/button.tsx'
import styles from './side-panel.module.css'

type Props = {
  label: string
  /** Closes the panel as long as its content has no close button of its own, as while it loads. */
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
