// A search choice for pages that are opened often but where it is seldom used: its code loads when it is first pressed.

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
