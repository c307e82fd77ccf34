// The menu in which a user chooses the columns of a table, or goes back to the default ones.

import { Columns3, Undo2 } from 'lucide-react'
import { useLayoutEffect, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Menu, MenuChoice, MenuItem, MenuLine } from '../ui/menu.tsx'
import styles from './columns-menu.module.css'

type Props<T extends string> = {
  names: readonly T[]
  shown: readonly T[]
  usual: readonly T[]
  onChange: (shown: readonly T[]) => void
  wordOf: (name: T) => string
}

export function ColumnsMenu<T extends string>(props: Props<T>) {
  return (
    <Menu
      align="end"
      trigger={
        <Button>
          <Columns3 size={14} aria-hidden /> Columns
        </Button>
      }
    >
      <Choices {...props} />
    </Menu>
  )
}

function Choices<T extends string>({ names, shown, usual, onChange, wordOf }: Props<T>) {
  const isUsual = names.every((name) => shown.includes(name) === usual.includes(name))
  const withoutRoom = useColumnsWithoutRoom()
  return (
    <>
      {names.map((name) => (
        <MenuChoice
          key={name}
          isChosen={shown.includes(name)}
          onChange={(isShown) => onChange(names.filter((one) => (one === name ? isShown : shown.includes(one))))}
        >
          {wordOf(name)}
          {withoutRoom.includes(name) && <span className={styles.room}>no room at this width</span>}
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
    </>
  )
}

/** The columns that the page's table has but does not display, which only its style sheet decides. */
function useColumnsWithoutRoom(): readonly string[] {
  const [names, setNames] = useState('')
  useLayoutEffect(() => {
    const look = () => {
      const heads = [...document.querySelectorAll<HTMLElement>('th[data-column]')]
      setNames(heads.flatMap(({ dataset, offsetParent }) => (offsetParent ? [] : (dataset.column ?? []))).join(','))
    }
    look()
    addEventListener('resize', look)
    return () => removeEventListener('resize', look)
  })
  return names.split(',')
}
