// A button in a row that does something at once; what goes wrong is said at the button, as its row has no room for a sentence.

import { lazy, Suspense, useRef } from 'react'
import { useAct } from '../api/act.ts'
import { Button, type ButtonProps } from './button.tsx'

const FailureAt = lazy(() => import('./failure-at.tsx'))

type Props = Omit<ButtonProps, 'onClick' | 'isRunning'> & { action: () => Promise<void> }

export function ActionButton({ action, ...rest }: Props) {
  const { act, isRunning, failure, forget } = useAct()
  const place = useRef<HTMLSpanElement>(null)
  return (
    <span ref={place}>
      <Button {...rest} isRunning={isRunning} onClick={() => void act(action)} />
      {failure && (
        <Suspense>
          <FailureAt place={place} message={failure.message} onClose={forget} />
        </Suspense>
      )}
    </span>
  )
}
