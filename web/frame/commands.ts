// What the command palette offers: the buttons of the current page, all pages, the themes, and what the typed text finds.

import { useEffect, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { useAsk } from '../api/ask.ts'
import type { Failure } from '../api/failure.ts'
import { graphql, type ResultOf } from '../api/graphql.ts'
import { to } from '../util/path-builder.ts'
import { chooseTheme } from '../util/theme.ts'
import { countedUpTo } from '../util/words.ts'
import { type Name, nameOf } from './named.ts'
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

type Found = ResultOf<typeof Search>
type FoundIssue = Found['issues']['collection'][number]

export type Command = { key: string; group: string; name: string; beside?: string; run: () => void }

type Go = (path: string) => void

type Offered = {
  commands: readonly Command[]
  /** How many of the first commands need no search while one is under way. */
  known: number
  /** Whether the results match the text: no keystroke is waiting to be searched and no answer is on its way. */
  isSettled: boolean
  failure: Failure | undefined
}

/** The debounce in milliseconds, and the fewest letters that are searched for unless the text is a name by itself. */
const TYPING = 200
const FEWEST = 2

export function useCommands(companyId: string, typed: string): Offered {
  const navigate = useNavigate()
  const go: Go = (path) => void navigate(path)
  const buttons = useMemo(pageButtons, [])
  const { name, found, failure, isSettled } = useSearch(companyId, typed)
  // otherwise the result for a shorter number would be labelled with the number typed since
  const named = isSettled && name && found?.named ? found.named : null
  const ids = new Set(named?.collection.map(({ id }) => id))
  const offered = [...buttons, ...pages(companyId, go), ...themes].filter((command) => matches(command, typed))
  return {
    commands: [
      ...(named && name ? findingsNamed(companyId, name, named, go) : []),
      ...offered,
      ...(found?.assets.collection ?? []).map((asset) => ({
        key: `asset ${asset.id}`,
        group: 'Assets',
        name: asset.name,
        run: () => go(to.asset({ companyId, assetId: asset.id })),
      })),
      ...(found?.issues.collection ?? [])
        .filter(({ id }) => !ids.has(id))
        .map((issue) => findingOf(companyId, issue, issue.asset.name, go)),
    ],
    known: offered.length,
    isSettled,
    failure,
  }
}

/** Asks what the text finds, a moment after the last keystroke. */
function useSearch(companyId: string, typed: string) {
  const [words, setWords] = useState('')
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
  return {
    name,
    found: isSearched ? data : undefined,
    failure: isSearched ? failure : undefined,
    isSettled: typed.trim() === words && !(isSearched && isStale),
  }
}

/** The findings that the text names, after the list of all of them where that has more than one. */
function findingsNamed(companyId: string, name: Name, named: NonNullable<Found['named']>, go: Go): Command[] {
  const { list, told } = name
  const { totalCount, totalCountIsExact } = named.metadata
  const findings = named.collection.map((issue) => findingOf(companyId, issue, `${told} · ${issue.asset.name}`, go))
  if (list === undefined || totalCount < 2) return findings
  const all = {
    key: 'all',
    group: 'Findings',
    name: `All findings with ${told}`,
    beside: countedUpTo({ count: totalCount, isExact: totalCountIsExact }, 'finding'),
    run: () => go(to.findings({ companyId }, list)),
  }
  return [all, ...findings]
}

const findingOf = (companyId: string, issue: FoundIssue, beside: string, go: Go): Command => ({
  key: `issue ${issue.id}`,
  group: 'Findings',
  name: issue.title,
  beside,
  run: () => go(to.finding({ companyId, issueId: issue.id })),
})

const pages = (companyId: string, go: Go): Command[] => [
  ...[
    ...sections(companyId),
    { name: 'Applications', path: to.applications({ companyId }) },
    { name: 'Threat models', path: to.threatModels({ companyId }) },
    ...settingsParts(companyId),
  ].map(({ name, path }) => ({ key: path, group: 'Go to', name, run: () => go(path) })),
  // a page of the service, which the console's router does not know
  { key: 'explorer', group: 'Go to', name: 'API explorer', run: () => location.assign(to.explorer({ companyId })) },
]

const themes: Command[] = (['light', 'dark', 'system'] as const).map((theme) => ({
  key: theme,
  group: 'Appearance',
  name: `${theme[0]?.toUpperCase()}${theme.slice(1)}`,
  run: () => chooseTheme(theme),
}))

const matches = ({ name, group }: Command, typed: string): boolean =>
  typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => `${group} ${name}`.toLowerCase().includes(word))

/** The enabled buttons in the head of the current page as commands, named by their labels. */
function pageButtons(): Command[] {
  const found = document.querySelectorAll<HTMLElement>(
    '#page header button:not([aria-disabled], [aria-pressed]), #page header a[class*=button]',
  )
  return [...found]
    .map((button) => ({ button, name: (button.getAttribute('aria-label') ?? button.textContent ?? '').trim() }))
    .filter(({ name }) => name !== '')
    .map(({ button, name }, index) => ({ key: `${index}`, group: 'This page', name, run: () => pressed(button) }))
}

/** Once the palette has given the focus back, which would close a menu that the button has opened. */
function pressed(button: HTMLElement): void {
  setTimeout(() => {
    button.focus()
    button.click()
  })
}
