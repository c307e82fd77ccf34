// The button of a page that deletes what the page is of, for good; it asks before, and says what goes with it.

import { useState } from 'react'
import { Button } from './button.tsx'
import { Confirm } from './confirm.tsx'

type Props = {
  /** Such as `the asset`. */
  what: string
  /** What will be so afterwards. */
  description: string
  disabledReason: string | undefined
  size?: 'small'
  action: () => Promise<void>
}

export function DeleteButton({ what, description, disabledReason, size, action }: Props) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button
        tone="danger"
        {...(size === undefined ? {} : { size })}
        disabledReason={disabledReason}
        onClick={() => setAsking(true)}
      >
        Delete…
      </Button>
      {isAsking && (
        <Confirm
          title={`Delete ${what}`}
          description={description}
          submit="Delete it"
          action={action}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
