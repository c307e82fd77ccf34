// A search choice on a page that opens often and is chosen from seldom: what searches is loaded when it is first pressed.

import { cloneElement, type KeyboardEvent, type ReactElement, useState } from 'react'
import type SearchChoice from './search-choice.tsx'
import type { SearchChoiceProps } from './search-choice.tsx'

type Pressed = {
  'aria-haspopup': 'dialog'
  'aria-expanded': boolean
  onClick: () => void
  onKeyDown: (event: KeyboardEvent) => void
}

type Props = Omit<SearchChoiceProps, 'trigger' | 'name' | 'required' | 'isOpenAtFirst'> & {
  trigger: ReactElement<Partial<Pressed>>
}

type Loaded = { choice: typeof SearchChoice } | { failure: unknown }

export function LateChoice({ trigger, ...props }: Props) {
  const [loaded, setLoaded] = useState<Loaded>()
  if (loaded === undefined) {
    // the button stays, with the focus that it has, until there is what opens
    const open = () =>
      void import('./search-choice.tsx').then(
        (module) => setLoaded({ choice: module.default }),
        (failure: unknown) => setLoaded({ failure }),
      )
    return cloneElement(trigger, {
      'aria-haspopup': 'dialog',
      'aria-expanded': false,
      onClick: open,
      onKeyDown: (event) => event.key === 'ArrowDown' && open(),
    })
  }
  if ('failure' in loaded) throw loaded.failure
  const Choice = loaded.choice
  return <Choice {...props} trigger={trigger} isOpenAtFirst />
}
