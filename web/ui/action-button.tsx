// A button in a row that does something at once; what goes wrong is said at the button, as its row has no room for a sentence.

import { Popover } from '@base-ui/react/popover'
import { useRef } from 'react'
import { useAct } from '../api/act.ts'
import styles from './action-button.module.css'
import { Button, type ButtonProps } from './button.tsx'

type Props = Omit<ButtonProps, 'onClick' | 'isRunning'> & { action: () => Promise<void> }

export function ActionButton({ action, ...rest }: Props) {
  const { act, isRunning, failure, forget } = useAct()
  const place = useRef<HTMLSpanElement>(null)
  return (
    <span ref={place}>
      <Button {...rest} isRunning={isRunning} onClick={() => void act(action)} />
      <Popover.Root open={failure !== undefined} onOpenChange={(isOpen) => !isOpen && forget()}>
        <Popover.Portal>
          <Popover.Positioner anchor={place} sideOffset={4} align="end" className={styles.place}>
            <Popover.Popup aria-label="What went wrong" initialFocus={false} className={styles.failure}>
              <p role="alert" className="words">
                {failure?.message}
              </p>
            </Popover.Popup>
          </Popover.Positioner>
        </Popover.Portal>
      </Popover.Root>
    </span>
  )
}
