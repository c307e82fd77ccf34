// What went wrong, said beside the thing that did it until somebody goes on.

import { Popover } from '@base-ui/react/popover'
import { type RefObject, useEffect } from 'react'
import styles from './failure-at.module.css'

type Props = { place: RefObject<HTMLElement | null>; message: string; onClose: () => void }

export default function FailureAt({ place, message, onClose }: Props) {
  useEffect(() => {
    // Escape leaves this alone, and not the dialog or the panel around it, which listen further in
    const leave = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      onClose()
    }
    window.addEventListener('keydown', leave, true)
    return () => window.removeEventListener('keydown', leave, true)
  }, [onClose])
  return (
    <Popover.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Popover.Portal>
        <Popover.Positioner anchor={place} sideOffset={4} align="end" className={styles.place}>
          <Popover.Popup aria-label="What went wrong" initialFocus={false} className={styles.failure}>
            <p role="alert" className="words">
              {message}
            </p>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
