// A modal dialog: it takes the focus, gives it back when closed, and closes with Escape.

import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { createContext, type ReactNode, use, useEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'
import styles from './dialog.module.css'

type Props = {
  title: string
  /** Explains the dialog where the title is not enough. */
  description?: ReactNode
  isOpen: boolean
  /** Absent if the dialog cannot be closed. */
  onClose?: () => void
  children: ReactNode
}

const Hold = createContext<(isHeld: boolean) => void>(() => {})

/**
 * Wraps a secret that is shown only once. While it is in a dialog, a click outside does not close the dialog, so that a
 * stray click cannot lose the secret.
 */
export function ShownOnce({ children }: { children: ReactNode }) {
  const hold = use(Hold)
  useEffect(() => {
    hold(true)
    return () => hold(false)
  }, [hold])
  return <div className="stack">{children}</div>
}

export function Dialog({ title, description, isOpen, onClose, children }: Props) {
  const popup = useRef<HTMLDivElement>(null)
  const [isHeld, setHeld] = useState(false)
  // The first field gets the focus rather than the close button, which precedes it.
  const first = () =>
    popup.current?.querySelector<HTMLElement>(
      'form :is(input:not([aria-hidden], [type=hidden]), select, textarea, [role=combobox]):enabled',
    ) ?? true
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => !open && onClose?.()} disablePointerDismissal={!onClose || isHeld}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup ref={popup} className={styles.popup} data-modal="" initialFocus={first}>
          <header className={styles.head}>
            <Base.Title className={styles.title}>{title}</Base.Title>
            {onClose && (
              // no tooltip, because it would consume the first press of Escape
              <Button tone="quiet" size="small" aria-label="Close" onClick={onClose}>
                <X size={16} aria-hidden />
              </Button>
            )}
          </header>
          {description !== undefined && (
            <Base.Description className={styles.description}>{description}</Base.Description>
          )}
          <Hold value={setHeld}>{children}</Hold>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
