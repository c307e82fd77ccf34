// A search choice on a page that opens often and is chosen from seldom: what searches is loaded when it is first pressed.

import { cloneElement, type ReactElement } from 'react'
import { type Pressed, useLate } from './late.tsx'
import type { SearchChoiceProps } from './search-choice.tsx'

type Props = Omit<SearchChoiceProps, 'trigger' | 'name' | 'required' | 'isOpenAtFirst'> & {
  trigger: ReactElement<Partial<Pressed<'dialog'>>>
}

export function LateChoice({ trigger, ...props }: Props) {
  const opening = useLate('dialog', () => import('./search-choice.tsx'))
  if (opening.parts === undefined) return cloneElement(trigger, opening.pressed)
  const Choice = opening.parts.default
  return <Choice {...props} trigger={trigger} isOpenAtFirst={opening.isOpenAtFirst} />
}
