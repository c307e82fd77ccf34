// What went wrong, said beside the thing that did it until somebody goes on.

import { Popover } from '@base-ui/react/popover'
import type { RefObject } from 'react'
import styles from './failure-at.module.css'

type Props = { place: RefObject<HTMLElement | null>; message: string; onClose: () => void }

export default function FailureAt({ place, message, onClose }: Props) {
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
