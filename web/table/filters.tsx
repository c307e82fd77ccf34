// The controls that filter a list: a search box, and facets of which one or several values can be chosen.

import { ChevronDown, Search, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Menu, MenuChoice, MenuItem, MenuLine, MenuOneOf } from '../ui/menu.tsx'
import { useKeys } from '../util/keys.ts'
import { wordsOf } from '../util/words.ts'
import styles from './filters.module.css'

/** Debounce, in milliseconds after the last keystroke. */
const TYPING = 250

type Box = { value: string; onChange: (value: string) => void; label: string }

export function SearchBox({ value, onChange, label }: Box) {
  const box = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(value)
  // the value that this box reported comes back as a prop, and must not overwrite what was typed since
  const told = useRef(value)
  useEffect(() => {
    if (value === told.current) return
    told.current = value
    setTyped(value)
  }, [value])
  useEffect(() => {
    if (typed === value) return
    const timer = setTimeout(() => {
      told.current = typed
      onChange(typed)
    }, TYPING)
    return () => clearTimeout(timer)
  }, [typed, value, onChange])
  useKeys({ '/': () => box.current?.focus() })
  return (
    <div className={styles.search}>
      <Search size={14} aria-hidden />
      <input
        ref={box}
        type="search"
        aria-label={label}
        placeholder="Search"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
      />
    </div>
  )
}

/** A filter that came with a link and is in no menu: shown by name, and removed by a click. */
export const Narrowed = ({ to, onClear }: { to: string; onClear: () => void }) => (
  <Button size="small" onClick={onClear}>
    <span className={styles.narrowed}>{to}</span>
    <X size={14} aria-hidden />
    <span className="heard">Remove filter</span>
  </Button>
)

type FacetProps<T extends string> = {
  name: string
  options: readonly T[]
  chosen: readonly T[]
  /** What the button says for the chosen values, where there is one phrase for them. */
  summary?: string | undefined
  onChange: (chosen: readonly T[]) => void
  show: (option: T) => ReactNode
  wordOf?: (option: T) => string
}

export function Facet<T extends string>({
  name,
  options,
  chosen,
  summary,
  onChange,
  show,
  wordOf = wordsOf,
}: FacetProps<T>) {
  const [only] = chosen
  const told = summary ?? (chosen.length === 1 && only !== undefined ? wordOf(only) : `${chosen.length} selected`)
  return (
    <Menu trigger={<FacetButton name={name} told={chosen.length > 0 ? told : null} />}>
      {options.map((option) => (
        <MenuChoice
          key={option}
          isChosen={chosen.includes(option)}
          onChange={(isChosen) => onChange(options.filter((one) => (one === option ? isChosen : chosen.includes(one))))}
        >
          {show(option)}
        </MenuChoice>
      ))}
      {chosen.length > 0 && <Any onSelect={() => onChange([])} />}
    </Menu>
  )
}

type OneProps<T extends string> = {
  name: string
  options: readonly T[]
  /** Null means any value. */
  value: T | null
  onChange: (value: T | null) => void
  wordOf: (option: T) => string
  /** Describes the value, where its label alone does not say enough. */
  hint?: string | undefined
}

/** Like Facet, but with one value at a time. */
export function OneFacet<T extends string>({ name, options, value, onChange, wordOf, hint }: OneProps<T>) {
  return (
    <Menu trigger={<FacetButton name={name} told={value === null ? null : wordOf(value)} hint={hint} />}>
      <MenuOneOf
        value={value}
        onChange={onChange}
        options={options.map((option) => ({ value: option, label: wordOf(option) }))}
      />
      {value !== null && <Any onSelect={() => onChange(null)} />}
    </Menu>
  )
}

type TriggerProps = { name: string; told: string | null; hint?: string | undefined }

/** The button that opens a facet; `told` describes what is chosen. The menu passes the remaining properties to it. */
export const FacetButton = ({ name, told, hint, ...rest }: TriggerProps) => (
  <Button size="small" tone={told === null ? 'quiet' : 'plain'} title={hint} {...rest}>
    {name}
    {told !== null && (
      <>
        : <span className={styles.value}>{told}</span>
      </>
    )}
    <ChevronDown size={14} aria-hidden />
  </Button>
)

const Any = ({ onSelect }: { onSelect: () => void }) => (
  <>
    <MenuLine />
    <MenuItem onSelect={onSelect}>
      <X size={14} aria-hidden /> Clear
    </MenuItem>
  </>
)
