// A search choice on a page that opens often and is chosen from seldom: what searches is loaded when it is first pressed.

import { cloneElement, type KeyboardEvent, lazy, type ReactElement, Suspense, useState } from 'react'
import type { SearchChoiceProps } from './search-choice.tsx'

const SearchChoice = lazy(() => import('./search-choice.tsx'))

type Pressed = {
  'aria-haspopup': 'dialog'
  'aria-expanded': boolean
  onClick: () => void
  onKeyDown: (event: KeyboardEvent) => void
}

type Props = Omit<SearchChoiceProps, 'trigger' | 'name' | 'required' | 'isOpenAtFirst'> & {
  trigger: ReactElement<Partial<Pressed>>
}

export function LateChoice({ trigger, ...props }: Props) {
  const [isWanted, setWanted] = useState(false)
  const open = () => setWanted(true)
  const closed = cloneElement(trigger, {
    'aria-haspopup': 'dialog',
    'aria-expanded': false,
    onClick: open,
    onKeyDown: (event) => event.key === 'ArrowDown' && open(),
  })
  if (!isWanted) return closed
  return (
    <Suspense fallback={closed}>
      <SearchChoice {...props} trigger={trigger} isOpenAtFirst />
    </Suspense>
  )
}
