// Loads code when it is first needed: for what a button opens, for what is shown over the page, and for a part of a page.

import { type ComponentType, type KeyboardEvent, useCallback, useEffect, useState } from 'react'
import { Failure } from '../api/failure.ts'
import { say } from '../frame/toasts.tsx'
import { Awaited, Failed } from './answered.tsx'

/** Shown as a toast, because the code that would show it in place may be what failed to load. */
const NOT_LOADED = 'This could not be loaded. Check that the server is running, then try again or reload the page.'

/** The properties of an opening button until the code of what it opens has loaded. */
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

/**
 * Loads the code on the first press, while the button keeps the focus. If the user has moved the focus elsewhere by
 * then, nothing opens.
 */
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

/** Renders nothing until the code is loaded. `missing` is called if loading fails; the next mount tries again. */
export function late<Props extends object>(load: Load<Props>, missing: (props: Props) => void): ComponentType<Props> {
  let known: ComponentType<Props> | undefined
  return function Late(props: Props) {
    const [Loaded, setLoaded] = useState(() => known)
    // biome-ignore lint/correctness/useExhaustiveDependencies: it loads once a mount, however often it renders meanwhile
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

/** For a dialog: if it does not load, a toast says so, the dialog counts as closed, and the page below stays as it is. */
export const lateDialog = <Props extends { onClose: () => void }>(load: Load<Props>) =>
  late(load, ({ onClose }) => {
    say(NOT_LOADED)
    onClose()
  })

/**
 * For a part of a page, with a placeholder of `lines` lines. If it does not load, an error with a retry button takes
 * its place.
 */
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
