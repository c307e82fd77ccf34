// The button that deletes what a page or a panel is of, or what is chosen, for good; it asks before, and says what goes with it.

import { useState } from 'react'
import { Button } from './button.tsx'
import { lateDialog } from './late.tsx'

const Confirm = lateDialog(async () => ({ default: (await import('./confirm.tsx')).Confirm }))

type Props = {
  /** Such as `the asset`. */
  what: string
  /** What will be so afterwards. */
  description: string
  disabledReason: string | undefined
  size?: 'small'
  /** What the button is called where there are several of them. */
  label?: string
  /** What the button of the question says. */
  submit?: string
  action: () => Promise<void>
}

export function DeleteButton({ what, description, disabledReason, size, label, submit = 'Delete it', action }: Props) {
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
        Delete…
      </Button>
      {isAsking && (
        <Confirm
          title={`Delete ${what}`}
          description={description}
          submit={submit}
          action={action}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
