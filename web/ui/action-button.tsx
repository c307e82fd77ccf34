// A button in a row that does something at once; what goes wrong is said at the button, as its row has no room for a sentence.

import { useRef } from 'react'
import { useAct } from '../api/act.ts'
import { say } from '../frame/toasts.tsx'
import { Button, type ButtonProps } from './button.tsx'
import { late } from './late.tsx'

/** Where what went wrong keeps the page from what would say it at the button, it is said in the corner. */
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
