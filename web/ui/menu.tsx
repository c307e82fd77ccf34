// A menu behind a button: its code loads when a menu is first opened, so that no page waits for it.

import { cloneElement, createContext, use } from 'react'
import { useLate } from './late.tsx'
import type * as menuParts from './menu-parts.tsx'
import type { MenuChoiceProps, MenuGroupProps, MenuItemProps, MenuOneOfProps, MenuProps } from './menu-parts.tsx'

type Parts = typeof menuParts

const Loaded = createContext<Parts | null>(null)

export function Menu({ trigger, ...rest }: MenuProps) {
  const opening = useLate('menu', () => import('./menu-parts.tsx'))
  if (opening.parts === undefined) return cloneElement(trigger, opening.pressed)
  const { parts, isOpenAtFirst } = opening
  return (
    <Loaded value={parts}>
      <parts.OpenMenu trigger={trigger} isOpenAtFirst={isOpenAtFirst} {...rest} />
    </Loaded>
  )
}

/** The parts of a menu are only ever rendered inside an open one, when its code has loaded. */
function useParts(): Parts {
  const parts = use(Loaded)
  if (parts === null) throw new Error('A part of a menu stands outside of one')
  return parts
}

export function MenuItem(props: MenuItemProps) {
  const parts = useParts()
  return <parts.MenuItem {...props} />
}

export function MenuChoice(props: MenuChoiceProps) {
  const parts = useParts()
  return <parts.MenuChoice {...props} />
}

export function MenuOneOf<T extends string>(props: MenuOneOfProps<T>) {
  const parts = useParts()
  return <parts.MenuOneOf {...props} />
}

export function MenuLine() {
  const parts = useParts()
  return <parts.MenuLine />
}

export function MenuGroup(props: MenuGroupProps) {
  const parts = useParts()
  return <parts.MenuGroup {...props} />
}
