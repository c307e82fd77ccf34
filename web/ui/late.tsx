// What is loaded when it is first asked for: what opens from a button, what is shown over the page, and a part of it.

import { type ComponentType, type KeyboardEvent, useCallback, useEffect, useState } from 'react'
import { Failure } from '../api/failure.ts'
import { say } from '../frame/toasts.tsx'
import { Awaited, Failed } from './answered.tsx'

/** Said in the corner: what would say it at its place may be what did not load. */
const NOT_LOADED = 'That could not be loaded. Check that the server runs, then try again, or load the page again.'

/** What a button that opens something is given until that is here. */
export type Pressed<Popup extends 'menu' | 'dialog'> = {
  'aria-haspopup': Popup
  'aria-expanded': boolean
  'aria-busy': boolean | undefined
  onClick: () => void
  onKeyDown: (event: KeyboardEvent) => void
}

type Opening<Parts, Popup extends 'menu' | 'dialog'> =
  | { parts: Parts; isOpenAtFirst: boolean }
  | { parts: undefined; pressed: Pressed<Popup> }

/** The button stays, with the focus that it has, until there is what opens; who went on meanwhile is not called back. */
export function useLate<Parts, Popup extends 'menu' | 'dialog'>(
  popup: Popup,
  load: () => Promise<Parts>,
): Opening<Parts, Popup> {
  const [loaded, setLoaded] = useState<{ parts: Parts; isOpenAtFirst: boolean }>()
  const [isLoading, setLoading] = useState(false)
  if (loaded !== undefined) return loaded
  const open = () => {
    const at = document.activeElement
    setLoading(true)
    void load().then(
      (parts) => setLoaded((before) => before ?? { parts, isOpenAtFirst: document.activeElement === at }),
      () => {
        setLoading(false)
        say(NOT_LOADED)
      },
    )
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    open()
  }
  return {
    parts: undefined,
    pressed: {
      'aria-haspopup': popup,
      'aria-expanded': false,
      'aria-busy': isLoading || undefined,
      onClick: open,
      onKeyDown,
    },
  }
}

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>

/** Shows nothing until it is loaded; `missing` is told when it cannot be, and it is tried again when it is next shown. */
export function late<Props extends object>(load: Load<Props>, missing: (props: Props) => void): ComponentType<Props> {
  let known: ComponentType<Props> | undefined
  return function Late(props: Props) {
    const [Loaded, setLoaded] = useState(() => known)
    // biome-ignore lint/correctness/useExhaustiveDependencies: it is loaded once, however often it is drawn meanwhile
    useEffect(() => {
      if (Loaded !== undefined) return
      let isShown = true
      void load().then(
        (module) => {
          known = module.default
          if (isShown) setLoaded(() => module.default)
        },
        () => isShown && missing(props),
      )
      return () => {
        isShown = false
      }
    }, [])
    return Loaded && <Loaded {...props} />
  }
}

/** A dialog: one that does not load says so and is closed, and the page below stays as it is. */
export const lateDialog = <Props extends { onClose: () => void }>(load: Load<Props>) =>
  late(load, ({ onClose }) => {
    say(NOT_LOADED)
    onClose()
  })

/** A part of a page, of so many lines until it is here: one that does not load says so at its place, with a way to try again. */
export function latePart<Props extends object>(load: Load<Props>, lines: number): ComponentType<Props> {
  let known: ComponentType<Props> | undefined
  return function LatePart(props: Props) {
    const [Loaded, setLoaded] = useState(() => known)
    const [isMissing, setMissing] = useState(false)
    const ask = useCallback(() => {
      setMissing(false)
      void load().then(
        (module) => {
          known = module.default
          setLoaded(() => module.default)
        },
        () => setMissing(true),
      )
    }, [])
    useEffect(() => {
      if (known === undefined) ask()
    }, [ask])
    if (Loaded) return <Loaded {...props} />
    return isMissing ? (
      <Failed failure={new Failure(NOT_LOADED, 'UNREACHABLE')} again={ask} />
    ) : (
      <Awaited lines={lines} />
    )
  }
}
