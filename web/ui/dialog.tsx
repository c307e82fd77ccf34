// A dialog over the page: it takes the focus, gives it back, and leaves with Escape.

import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { createContext, type ReactNode, use, useEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'
import styles from './dialog.module.css'

type Props = {
  title: string
  /** Why it is there, where the title does not say it. */
  description?: ReactNode
  isOpen: boolean
  /** Without it the dialog cannot be left. */
  onClose?: () => void
  children: ReactNode
}

const Hold = createContext<(isHeld: boolean) => void>(() => {})

/** What nobody can see again: while it is in a dialog, a press beside that, which may be meant for something else, does not close it. */
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
  // What is to be filled in comes before the button that closes.
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
              // without a hint, which would take the first Escape
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
