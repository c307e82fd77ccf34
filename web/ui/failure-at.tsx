// An error message beside the element that caused it, until the user moves on.

import { Popover } from '@base-ui/react/popover'
import { type RefObject, useEffect } from 'react'
import styles from './failure-at.module.css'

type Props = { place: RefObject<HTMLElement | null>; message: string; onClose: () => void }

export default function FailureAt({ place, message, onClose }: Props) {
  useEffect(() => {
    // Escape closes only this. The capturing listener runs before those of the dialog or panel around it.
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
          <Popover.Popup aria-label="Error" initialFocus={false} className={styles.failure}>
            <p role="alert" className="words">
              {message}
            </p>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
