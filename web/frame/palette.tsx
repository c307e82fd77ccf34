// The command palette (Ctrl+K or ⌘K): it opens pages, finds assets and findings by name, and runs the actions of the current page.

import { Dialog as Base } from '@base-ui/react/dialog'
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useAsk } from '../api/ask.ts'
import { graphql, type ResultOf } from '../api/graphql.ts'
import { to } from '../util/path-builder.ts'
import { chooseTheme } from '../util/theme.ts'
import { countedUpTo } from '../util/words.ts'
import { nameOf } from './named.ts'
import styles from './palette.module.css'
import { sections } from './sections.ts'
import { settingsParts } from './settings-parts.ts'

const Search = graphql(`
  query Search($companyId: ID!, $words: String!, $named: IssuesFiltersInput, $isNamed: Boolean!) {
    assets(companyId: $companyId, limit: 5, search: { name: $words }) { collection { id name } }
    issues(companyId: $companyId, filters: { search: $words }, pagination: { perPage: 6 }) {
      collection { id title asset { name } }
    }
    named: issues(companyId: $companyId, filters: $named, pagination: { perPage: 6 }) @include(if: $isNamed) {
      collection { id title asset { name } }
      metadata { totalCount totalCountIsExact }
    }
  }
`)

type FoundIssue = ResultOf<typeof Search>['issues']['collection'][number]

type Command = { key: string; group: string; name: string; beside?: string; run: () => void }

/** The debounce in milliseconds, and the fewest letters that are searched for unless the text is a name by itself. */
const TYPING = 200
const FEWEST = 2

export default function Palette({ companyId, onClose }: { companyId: string; onClose: () => void }) {
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [words, setWords] = useState('')
  const [at, setAt] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const buttons = useMemo(pageButtons, [])
  useEffect(() => {
    const timer = setTimeout(() => setWords(typed.trim()), TYPING)
    return () => clearTimeout(timer)
  }, [typed])
  const name = nameOf(words)
  const isSearched = words.length >= FEWEST || name !== null
  const { data, failure, isStale } = useAsk(
    Search,
    { companyId, words, named: name?.filters ?? null, isNamed: name !== null },
    { pause: !isSearched },
  )

  const fixed: Command[] = [
    ...buttons,
    ...[
      ...sections(companyId),
      { name: 'Applications', path: to.applications({ companyId }) },
      { name: 'Threat models', path: to.threatModels({ companyId }) },
      ...settingsParts(companyId),
    ].map(({ name, path }) => ({ key: path, group: 'Go to', name, run: () => navigate(path) })),
    ...(['light', 'dark', 'system'] as const).map((theme) => ({
      key: theme,
      group: 'Appearance',
      name: theme === 'system' ? 'System' : `${theme[0]?.toUpperCase()}${theme.slice(1)}`,
      run: () => chooseTheme(theme),
    })),
  ]
  const findingOf = (issue: FoundIssue, by?: string): Command => ({
    key: `issue ${issue.id}`,
    group: 'Findings',
    name: issue.title,
    beside: by === undefined ? issue.asset.name : `${by} · ${issue.asset.name}`,
    run: () => navigate(to.finding({ companyId, issueId: issue.id })),
  })
  const shown = isSearched ? data : undefined
  /** Whether the results match the text: no keystroke is waiting to be searched and no answer is on its way. */
  const isSettled = typed.trim() === words && !(isSearched && isStale)
  // otherwise the result for a shorter number would be labelled with the number typed since
  const named = isSettled && name && shown?.named ? shown.named : { collection: [], metadata: null }
  const namedCommands = named.collection.map((issue) => findingOf(issue, name?.told))
  if (name?.list !== undefined && named.metadata && named.metadata.totalCount > 1) {
    const { totalCount, totalCountIsExact } = named.metadata
    namedCommands.unshift({
      key: 'all',
      group: 'Findings',
      name: `All findings with ${name.told}`,
      beside: countedUpTo({ count: totalCount, isExact: totalCountIsExact }, 'finding'),
      run: () => navigate(to.findings({ companyId }, name.list)),
    })
  }
  const ids = new Set(named.collection.map(({ id }) => id))
  const found: Command[] = shown
    ? [
        ...shown.assets.collection.map((asset) => ({
          key: `asset ${asset.id}`,
          group: 'Assets',
          name: asset.name,
          run: () => navigate(to.asset({ companyId, assetId: asset.id })),
        })),
        ...shown.issues.collection.filter(({ id }) => !ids.has(id)).map((issue) => findingOf(issue)),
      ]
    : []
  const offered = fixed.filter((command) => matches(command, typed))
  const commands = [...namedCommands, ...offered, ...found]
  const active = Math.min(at, commands.length - 1)
  useEffect(() => {
    list.current?.querySelector(`[data-at="${active}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [active])

  const take = (command: Command | undefined) => {
    if (!command) return
    onClose()
    command.run()
  }
  // Enter pressed before the results are here takes effect once they are, rather than on the results for fewer letters
  const [isAwaited, setAwaited] = useState(false)
  useEffect(() => {
    if (!isAwaited || !isSettled) return
    setAwaited(false)
    take(commands[active])
  })
  const press = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by !== undefined) setAt((active + by + commands.length) % Math.max(1, commands.length))
    else if (event.key === 'Enter' && (isSettled || (active >= 0 && active < offered.length))) take(commands[active])
    else if (event.key === 'Enter') setAwaited(true)
    else return
    event.preventDefault()
  }
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup className={styles.palette} data-modal="" aria-label="Search or run a command">
          <input
            className={styles.input}
            role="combobox"
            aria-expanded
            aria-controls={id}
            aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
            aria-label="Search or run a command"
            placeholder="Search or run a command…"
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value)
              setAt(0)
              setAwaited(false)
            }}
            onKeyDown={press}
          />
          <div ref={list} id={id} role="listbox" aria-label="Results" className={styles.list}>
            {commands.map((command, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox handles the keys
              <div
                key={`${command.group} ${command.key}`}
                id={`${id}-${index}`}
                data-at={index}
                role="option"
                tabIndex={-1}
                aria-selected={index === active}
                className={styles.option}
                onPointerMove={() => setAt(index)}
                onClick={() => take(command)}
              >
                <span className={styles.group}>{command.group}</span>
                <span className="cut">{command.name}</span>
                {command.beside && <span className="muted cut">{command.beside}</span>}
              </div>
            ))}
          </div>
          <p className={styles.none} role="status">
            {isSearched && failure ? failure.message : isSettled && commands.length === 0 ? 'No results.' : ''}
          </p>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

const matches = ({ name, group }: Command, typed: string): boolean =>
  typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => `${group} ${name}`.toLowerCase().includes(word))

/** The enabled buttons in the head of the current page as commands, named by their labels. */
function pageButtons(): Command[] {
  const found = document.querySelectorAll<HTMLElement>(
    '#page header button:not([aria-disabled]), #page header a[class*=button]',
  )
  return [...found]
    .map((button) => ({ button, name: (button.getAttribute('aria-label') ?? button.textContent ?? '').trim() }))
    .filter(({ name }) => name !== '')
    .map(({ button, name }, index) => ({ key: `${index}`, group: 'This page', name, run: () => button.click() }))
}
