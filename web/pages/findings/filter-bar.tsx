// The filters over the list of findings: each says what it holds, and all of it stands in the address.

import { ChevronDown, Search, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useEffect, useRef, useState } from 'react'
import { useAsk } from '../../api/ask.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuChoice, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { SeverityMark, severities } from '../../ui/severity.tsx'
import { openStatuses, StatusWord, statuses } from '../../ui/status.tsx'
import { useKeys } from '../../util/keys.ts'
import { wordsOf } from '../../util/words.ts'
import { FilterAssets } from './documents.ts'
import styles from './filter-bar.module.css'
import { type Filters, slaStates, types } from './filters.ts'

type Props = {
  companyId: string
  filters: Filters
  onChange: (changed: Partial<Filters>, how?: { push?: boolean }) => void
}

/** Milliseconds after the last letter. */
const TYPING = 250

export function FilterBar({ companyId, filters, onChange }: Props) {
  const isOpenOnly =
    filters.status.length === openStatuses.length && openStatuses.every((status) => filters.status.includes(status))
  return (
    <>
      <SearchBox value={filters.search} onChange={(search) => onChange({ search }, { push: false })} />
      <Facet
        name="Severity"
        options={severities}
        chosen={filters.severity}
        onChange={(severity) => onChange({ severity })}
        show={(severity) => (
          <>
            <SeverityMark of={severity} />
            {/* The mark is heard as the same word. */}
            <span aria-hidden>{wordsOf(severity)}</span>
          </>
        )}
      />
      <Facet
        name="Status"
        options={statuses}
        chosen={filters.status}
        summary={isOpenOnly ? 'open' : undefined}
        onChange={(status) => onChange({ status })}
        show={(status) => <StatusWord of={status} />}
      />
      <Facet name="Type" options={types} chosen={filters.type} onChange={(type) => onChange({ type })} show={wordsOf} />
      <Facet name="Due" options={slaStates} chosen={filters.due} onChange={(due) => onChange({ due })} show={wordsOf} />
      <AssetFacet companyId={companyId} chosen={filters.asset} onChange={(asset) => onChange({ asset })} />
    </>
  )
}

function SearchBox({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const box = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  useEffect(() => {
    if (typed === value) return
    const timer = setTimeout(() => onChange(typed), TYPING)
    return () => clearTimeout(timer)
  }, [typed, value, onChange])
  useKeys({ '/': () => box.current?.focus() })
  return (
    <div className={styles.search}>
      <Search size={14} aria-hidden />
      <input
        ref={box}
        type="search"
        aria-label="Search in titles and descriptions"
        placeholder="Search"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
      />
    </div>
  )
}

type FacetProps<T extends string> = {
  name: string
  options: readonly T[]
  chosen: readonly T[]
  /** A word for what is chosen, where it has one. */
  summary?: string | undefined
  onChange: (chosen: readonly T[]) => void
  show: (option: T) => ReactNode
  wordOf?: (option: T) => string
}

function Facet<T extends string>({ name, options, chosen, summary, onChange, show, wordOf = wordsOf }: FacetProps<T>) {
  const [only] = chosen
  const told = summary ?? (chosen.length === 1 && only !== undefined ? wordOf(only) : `${chosen.length} chosen`)
  const trigger = (
    <Button size="small" tone={chosen.length > 0 ? 'plain' : 'quiet'}>
      {name}
      {chosen.length > 0 && (
        <>
          : <span className={styles.value}>{told}</span>
        </>
      )}
      <ChevronDown size={14} aria-hidden />
    </Button>
  )
  return (
    <Menu trigger={trigger}>
      {options.map((option) => (
        <MenuChoice
          key={option}
          isChosen={chosen.includes(option)}
          onChange={(isChosen) => onChange(options.filter((one) => (one === option ? isChosen : chosen.includes(one))))}
        >
          {show(option)}
        </MenuChoice>
      ))}
      {chosen.length > 0 && (
        <>
          <MenuLine />
          <MenuItem onSelect={() => onChange([])}>
            <X size={14} aria-hidden /> Any
          </MenuItem>
        </>
      )}
    </Menu>
  )
}

type AssetProps = { companyId: string; chosen: readonly string[]; onChange: (chosen: readonly string[]) => void }

function AssetFacet({ companyId, chosen, onChange }: AssetProps) {
  const { data } = useAsk(FilterAssets, { companyId }, { affectedBy: ['Asset'] })
  const assets = data?.assets.collection ?? []
  const nameOf = (id: string) => assets.find((asset) => asset.id === id)?.name ?? `Asset ${id}`
  const options = [...new Set([...chosen, ...assets.map(({ id }) => id)])]
  return <Facet name="Asset" options={options} chosen={chosen} onChange={onChange} show={nameOf} wordOf={nameOf} />
}
