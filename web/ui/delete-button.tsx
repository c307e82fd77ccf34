// The button that deletes what a page or a panel is of, or what is chosen, for good; it asks before, and says what goes with it.

import { useState } from 'react'
import { Button } from './button.tsx'
import { lateDialog } from './late.tsx'

const Confirm = lateDialog(async () => ({ default: (await import('./confirm.tsx')).Confirm }))

type Props = {
  /** Such as `the asset`. */
  what: string
  /** Where it is not deleting: `Stop following`. */
  verb?: string
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

export function DeleteButton({ what, verb = 'Delete', submit = 'Delete it', ...rest }: Props) {
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
