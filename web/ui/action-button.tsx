// A button in a row that acts at once; an error pops up at the button, because the row has no room for a sentence.

import { useRef } from 'react'
import { useAct } from '../api/act.ts'
import { say } from '../frame/toasts.tsx'
import { Button, type ButtonProps } from './button.tsx'
import { late } from './late.tsx'

/** If the code of that popup cannot be loaded either, the error appears as a toast. */
const FailureAt = late(
  () => import('./failure-at.tsx'),
  ({ message, onClose }) => {
    say(message)
    onClose()
  },
)

type Props = Omit<ButtonProps, 'onClick' | 'isRunning'> & { action: () => Promise<void> }

export function ActionButton({ action, ...rest }: Props) {
  const { act, isRunning, failure, forget } = useAct()
  const place = useRef<HTMLSpanElement>(null)
  return (
    <span ref={place}>
      <Button {...rest} isRunning={isRunning} onClick={() => void act(action)} />
      {failure && <FailureAt place={place} message={failure.message} onClose={forget} />}
    </span>
  )
}
