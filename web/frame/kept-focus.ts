// Keeps the keyboard focus when the focused element is removed, by moving it to the nearest remaining place instead of losing it.

import { useEffect } from 'react'

/** In milliseconds: time for a dialog to give the focus back, or for a table to find its row, before this steps in. */
const SETTLED = 80

/** Containers that can receive the focus when the focused element is gone; the nearest one is taken. */
const PLACES = '[role=dialog], [role=alertdialog], section[aria-label], ul[aria-label], aside, main'

export function useKeptFocus(): void {
  useEffect(() => {
    let last: Element[] = []
    let lastOnPage: Element[] = []
    let timer: ReturnType<typeof setTimeout>
    const note = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return
      last = pathOf(target)
      if (target.closest('main')) lastOnPage = last
    }
    const keep = () => {
      if (document.activeElement !== document.body) return
      const place = placeIn(last) ?? placeIn(lastOnPage) ?? document.querySelector('main')
      const target = place?.matches('main') ? (place.querySelector('h1') ?? place) : place
      if (target instanceof HTMLElement) focusOnce(target)
    }
    const look = () => {
      const [at] = last
      if (at === undefined || (at.isConnected && !at.matches(':disabled'))) return
      clearTimeout(timer)
      timer = setTimeout(keep, SETTLED)
    }
    const seen = new MutationObserver(look)
    seen.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
    document.addEventListener('focusin', note)
    return () => {
      seen.disconnect()
      clearTimeout(timer)
      document.removeEventListener('focusin', note)
    }
  }, [])
}

function pathOf(element: Element): Element[] {
  const path: Element[] = []
  for (let at: Element | null = element; at !== null; at = at.parentElement) path.push(at)
  return path
}

const placeIn = (path: readonly Element[]): Element | undefined =>
  path.find((element) => element.isConnected && element.matches(PLACES) && element.closest('[inert]') === null)

/** Makes an element focusable that usually is not, until it loses the focus. */
function focusOnce(element: HTMLElement): void {
  if (!element.hasAttribute('tabindex')) {
    element.tabIndex = -1
    element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true })
  }
  element.focus({ preventScroll: true })
}
