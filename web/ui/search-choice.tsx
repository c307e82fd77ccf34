// A searchable choice among more options than a list can show: the server searches all of them, and the chosen ones stay.

import { Combobox as Base } from '@base-ui/react/combobox'
import { Check, X } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import menu from './menu.module.css'
import styles from './search-choice.module.css'
import { type Choice, isSame, NOTHING, type Option, useOffered } from './search-offered.ts'

export type SearchChoiceProps = Choice & {
  onChange: (chosen: Option[]) => void
  trigger: ReactElement
  /** The field's name in a form; without it the choice filters a page. */
  name?: string
  required?: boolean
  isOpenAtFirst?: boolean
}

export default function SearchChoice(props: SearchChoiceProps) {
  const { what, chosen, onChange, kind, none, trigger, name, required = false, isOpenAtFirst = false } = props
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const [typed, setTyped] = useState('')
  const offered = useOffered(props, typed, isOpen)
  const take = (taken: readonly Option[]) => onChange(taken.filter(({ id }) => id !== NOTHING))
  const shared = {
    items: offered.options,
    filter: null,
    open: isOpen,
    onOpenChange: setOpen,
    inputValue: typed,
    onInputValueChange: setTyped,
    itemToStringLabel: (option: Option) => option.name,
    itemToStringValue: (option: Option) => option.id,
    isItemEqualToValue: isSame,
    autoHighlight: true,
    required,
    ...(name === undefined ? {} : { name }),
  }
  const parts = (
    <>
      <Base.Trigger render={trigger} role={name === undefined ? 'button' : 'combobox'} />
      <Popup what={what} kind={kind} chosen={chosen} offered={offered} isOverPage={name === undefined} />
    </>
  )
  if (kind === 'one') {
    const value = chosen[0] ?? (none === undefined ? null : { id: NOTHING, name: none })
    return (
      <Base.Root<Option> {...shared} value={value} onValueChange={(option) => take(option ? [option] : [])}>
        {parts}
      </Base.Root>
    )
  }
  return (
    <Base.Root<Option, true>
      {...shared}
      multiple
      value={chosen}
      onValueChange={(taken) => take(taken.some(({ id }) => id === NOTHING) ? [] : taken)}
    >
      {parts}
    </Base.Root>
  )
}

type PopupProps = Pick<Choice, 'what' | 'kind' | 'chosen'> & {
  offered: ReturnType<typeof useOffered>
  /** Whether it lies over a page rather than in a form. */
  isOverPage: boolean
}

const Popup = ({ what, kind, chosen, offered: { options, words, isStale }, isOverPage }: PopupProps) => (
  <Base.Portal>
    {isOverPage && <Base.Backdrop className={styles.behind} />}
    <Base.Positioner sideOffset={4} align="start" className={menu.place}>
      <Base.Popup className={styles.popup} aria-label={`Choose from ${what}`}>
        <Base.Input className={styles.input} aria-label={`Search ${what}`} placeholder={`Search ${what}`} />
        <Base.List className={styles.list} data-stale={isStale || undefined}>
          {(option: Option) => (
            <Item key={option.id} option={option} kind={kind} isChosen={chosen.some((one) => isSame(one, option))} />
          )}
        </Base.List>
        <Base.Empty className={styles.told}>{words}</Base.Empty>
        <Base.Status className={styles.told}>{options.length > 0 && words}</Base.Status>
      </Base.Popup>
    </Base.Positioner>
  </Base.Portal>
)

type ItemProps = { option: Option; kind: 'one' | 'some'; isChosen: boolean }

const Item = ({ option, kind, isChosen }: ItemProps) => (
  <Base.Item value={option} className={menu.item}>
    {option.id === NOTHING ? (
      <span className={menu.mark}>
        <X size={14} aria-hidden />
      </span>
    ) : (
      <Mark kind={kind} isChosen={isChosen} />
    )}
    <span className="cut">{option.name}</span>
    {option.beside !== undefined && <span className={styles.beside}>{option.beside}</span>}
  </Base.Item>
)

function Mark({ kind, isChosen }: { kind: 'one' | 'some'; isChosen: boolean }) {
  if (kind === 'one') return <span className={menu.mark}>{isChosen && <Check size={14} aria-hidden />}</span>
  return (
    <span className={menu.box} data-chosen={isChosen || undefined}>
      {isChosen && <Check size={12} aria-hidden />}
    </span>
  )
}
