// The menu in which a user chooses the columns of a table, or goes back to the default ones.

import { Columns3, Undo2 } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { Menu, MenuChoice, MenuItem, MenuLine } from '../ui/menu.tsx'

type Props<T extends string> = {
  names: readonly T[]
  shown: readonly T[]
  usual: readonly T[]
  onChange: (shown: readonly T[]) => void
  wordOf: (name: T) => string
}

export function ColumnsMenu<T extends string>({ names, shown, usual, onChange, wordOf }: Props<T>) {
  const isUsual = names.every((name) => shown.includes(name) === usual.includes(name))
  return (
    <Menu
      align="end"
      trigger={
        <Button>
          <Columns3 size={14} aria-hidden /> Columns
        </Button>
      }
    >
      {names.map((name) => (
        <MenuChoice
          key={name}
          isChosen={shown.includes(name)}
          onChange={(isShown) => onChange(names.filter((one) => (one === name ? isShown : shown.includes(one))))}
        >
          {wordOf(name)}
        </MenuChoice>
      ))}
      {!isUsual && (
        <>
          <MenuLine />
          <MenuItem onSelect={() => onChange(usual)}>
            <Undo2 size={14} aria-hidden /> Reset to default
          </MenuItem>
        </>
      )}
    </Menu>
  )
}
