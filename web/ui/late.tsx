// What is loaded when it is first asked for: a part that opens from a button, and a component that is shown over the page.

import { type ComponentType, type KeyboardEvent, useEffect, useState } from 'react'
import { say } from '../frame/toasts.tsx'

/** Said in the corner: what would say it at its place may be what did not load. */
const NOT_LOADED = 'That could not be loaded. Check that the server runs, then try again, or load the page again.'

/** What a button that opens something is given until that is here. */
export type Pressed<Popup extends 'menu' | 'dialog'> = {
  'aria-haspopup': Popup
  'aria-expanded': boolean
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
  if (loaded !== undefined) return loaded
  const open = () => {
    const at = document.activeElement
    void load().then(
      (parts) => setLoaded((before) => before ?? { parts, isOpenAtFirst: document.activeElement === at }),
      () => say(NOT_LOADED),
    )
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    open()
  }
  return { parts: undefined, pressed: { 'aria-haspopup': popup, 'aria-expanded': false, onClick: open, onKeyDown } }
}

/** Shows nothing until it is loaded; `missing` is told when it cannot be, and it is tried again when it is next shown. */
export function late<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  missing: (props: Props) => void,
): ComponentType<Props> {
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
export const lateDialog = <Props extends { onClose: () => void }>(
  load: () => Promise<{ default: ComponentType<Props> }>,
) =>
  late(load, ({ onClose }) => {
    say(NOT_LOADED)
    onClose()
  })
