// What a searchable choice offers: what the server found for the words, the chosen options before it, and what is said where there are none.

import { useEffect, useState } from 'react'
import { asFailure, type Failure } from '../api/failure.ts'
import { count } from '../util/words.ts'

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

export type Choice = {
  find: Find
  /** The plural noun for the options, such as "assets". */
  what: string
  chosen: readonly Option[]
  /** Whether several options can be chosen, or one. */
  kind: 'one' | 'some'
  /** The label of the empty choice, where choosing none is allowed. */
  none?: string | undefined
}

/** The debounce in milliseconds after the last keystroke. */
const TYPING = 200

/** The id of the empty choice. */
export const NOTHING = ''

export const isSame = (one: Option, other: Option) => one.id === other.id

/** `words` says what the options alone do not; null if there is nothing to say. */
export function useOffered(choice: Choice, typed: string, isOpen: boolean) {
  const { found, failure, isStale } = useFound(choice.find, typed, isOpen)
  return { options: optionsOf(choice, typed, found, isStale), words: told(choice, typed, found, failure), isStale }
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
function optionsOf({ chosen, kind, none }: Choice, typed: string, found: Found | undefined, isStale: boolean) {
  const words = typed.trim().toLowerCase()
  const has = ({ name, beside = '' }: Option) => `${name} ${beside}`.toLowerCase().includes(words)
  const given = (found?.options ?? []).filter((option) => !isStale || has(option))
  if (words !== '') return given
  const first = kind === 'some' || found?.options.every((option) => option.id !== chosen[0]?.id) ? chosen : []
  const nothing = none !== undefined && (kind === 'one' || chosen.length > 0) ? [{ id: NOTHING, name: none }] : []
  return [...nothing, ...first, ...given.filter((option) => !first.some((one) => isSame(one, option)))]
}

function told({ what }: Choice, typed: string, found: Found | undefined, failure: Failure | undefined) {
  if (failure) return failure.message
  if (!found) return `Loading ${what}…`
  if (found.total === 0) return typed.trim() === '' ? `No ${what} yet.` : `No matching ${what}.`
  if (found.total <= found.options.length) return null
  return `First ${count(found.options.length)} of ${count(found.total)}${found.isExact ? '' : ' or more'}. Type to find others.`
}
