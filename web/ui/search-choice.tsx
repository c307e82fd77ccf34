// A searchable choice among more options than a list can show: the server searches all of them, and the chosen ones stay.

import { Combobox as Base } from '@base-ui/react/combobox'
import { Check, X } from 'lucide-react'
import { type ReactElement, useEffect, useState } from 'react'
import { asFailure, type Failure } from '../api/failure.ts'
import { count } from '../util/words.ts'
import menu from './menu.module.css'
import styles from './search-choice.module.css'

export type Option = {
  id: string
  name: string
  /** Tells the option from another of the same name. */
  beside?: string
}

/** The first options whose names contain the words, and how many there are in all. */
export type Found = { options: readonly Option[]; total: number; isExact: boolean }

/** Keep its identity stable between renders (useCallback): a new function triggers a new search. */
export type Find = (words: string) => Promise<Found>

export type SearchChoiceProps = {
  find: Find
  /** The plural noun for the options, such as "assets". */
  what: string
  chosen: readonly Option[]
  onChange: (chosen: Option[]) => void
  /** Whether several options can be chosen, or one. */
  kind: 'one' | 'some'
  /** The label of the empty choice, where choosing none is allowed. */
  none?: string | undefined
  trigger: ReactElement
  /** The field's name in a form; without it the choice filters a page. */
  name?: string
  required?: boolean
  isOpenAtFirst?: boolean
}

/** The debounce in milliseconds after the last keystroke. */
const TYPING = 200

const NOTHING = ''

const isSame = (one: Option, other: Option) => one.id === other.id

export default function SearchChoice(props: SearchChoiceProps) {
  const { find, what, chosen, onChange, kind, none, trigger, name, required = false, isOpenAtFirst = false } = props
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const [typed, setTyped] = useState('')
  const { found, failure, isStale } = useFound(find, typed, isOpen)
  const options = optionsOf(props, typed, found, isStale)
  const words = told(props, typed, found, failure)
  const take = (taken: readonly Option[]) => onChange(taken.filter(({ id }) => id !== NOTHING))
  const shared = {
    items: options,
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
      <Base.Portal>
        {name === undefined && <Base.Backdrop className={styles.behind} />}
        <Base.Positioner sideOffset={4} align="start" className={menu.place}>
          <Base.Popup className={styles.popup} aria-label={`Choose from ${what}`}>
            <Base.Input className={styles.input} aria-label={`Search ${what}`} placeholder={`Search ${what}`} />
            <Base.List className={styles.list} data-stale={isStale || undefined}>
              {(option: Option) => (
                <Item
                  key={option.id}
                  option={option}
                  kind={kind}
                  isChosen={chosen.some((one) => isSame(one, option))}
                />
              )}
            </Base.List>
            <Base.Empty className={styles.told}>{words}</Base.Empty>
            <Base.Status className={styles.told}>{options.length > 0 && words}</Base.Status>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
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

type State = { words: string | null; found?: Found; failure?: Failure }

function useFound(find: Find, typed: string, isOpen: boolean) {
  const [state, setState] = useState<State>({ words: null })
  const words = typed.trim()
  useEffect(() => {
    if (!isOpen) return
    let isAwaited = true
    const look = async () => {
      const next: State = await find(words).then(
        (found) => ({ words, found }),
        (error: unknown) => ({ words, failure: asFailure(error) }),
      )
      if (isAwaited) setState((before) => (next.failure && before.found ? { ...next, found: before.found } : next))
    }
    const timer = setTimeout(look, words === '' ? 0 : TYPING)
    return () => {
      isAwaited = false
      clearTimeout(timer)
    }
  }, [find, words, isOpen])
  return { found: state.found, failure: state.failure, isStale: isOpen && state.words !== words }
}

/**
 * The chosen options come first while nothing is typed. Until the answer is here, the previous options are filtered by
 * what is typed.
 */
function optionsOf(
  { chosen, kind, none }: SearchChoiceProps,
  typed: string,
  found: Found | undefined,
  isStale: boolean,
) {
  const words = typed.trim().toLowerCase()
  const has = ({ name, beside = '' }: Option) => `${name} ${beside}`.toLowerCase().includes(words)
  const given = (found?.options ?? []).filter((option) => !isStale || has(option))
  if (words !== '') return given
  const first = kind === 'some' || found?.options.every((option) => option.id !== chosen[0]?.id) ? chosen : []
  const nothing = none !== undefined && (kind === 'one' || chosen.length > 0) ? [{ id: NOTHING, name: none }] : []
  return [...nothing, ...first, ...given.filter((option) => !first.some((one) => isSame(one, option)))]
}

function told({ what }: SearchChoiceProps, typed: string, found: Found | undefined, failure: Failure | undefined) {
  if (failure) return failure.message
  if (!found) return `Loading ${what}…`
  if (found.total === 0) return typed.trim() === '' ? `No ${what} yet.` : `No matching ${what}.`
  if (found.total <= found.options.length) return null
  return `First ${count(found.options.length)} of ${count(found.total)}${found.isExact ? '' : ' or more'}. Type to find others.`
}
