// A button that deletes something for good: it asks first, and says what else is lost.

import { useState } from 'react'
import { Button } from './button.tsx'
import { lateDialog } from './late.tsx'

const Confirm = lateDialog(async () => ({ default: (await import('./confirm.tsx')).Confirm }))

type Props = {
  /** What is deleted, such as `asset`. */
  what: string
  /** The button's word when it is not "Delete", such as `Stop following`. */
  verb?: string
  /** What will be the case afterwards. */
  description: string
  disabledReason: string | undefined
  size?: 'small'
  /** An accessible label that tells this button from others like it. */
  label?: string
  /** The label of the confirming button, when it is not the verb with what is deleted. */
  submit?: string
  action: () => Promise<void>
}

export function DeleteButton({ what, verb = 'Delete', submit = `${verb} ${what}`, ...rest }: Props) {
  const { description, disabledReason, size, label, action } = rest
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button
        tone="danger"
        {...(size === undefined ? {} : { size })}
        aria-label={label}
        disabledReason={disabledReason}
        onClick={() => setAsking(true)}
      >
        {verb}…
      </Button>
      {isAsking && (
        <Confirm
          title={`${verb} ${what}`}
          description={description}
          submit={submit}
          action={action}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
