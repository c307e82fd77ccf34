// Where the focus goes when what had it is taken away: to what is nearest to where it was, instead of to nowhere.

import { useEffect } from 'react'

/** Milliseconds in which a dialog gives the focus back, or a table finds its row, by itself. */
const SETTLED = 80

/** What may take the focus in the place of what is gone, the nearest first. */
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

/** What takes no focus otherwise takes it until it goes on. */
function focusOnce(element: HTMLElement): void {
  if (!element.hasAttribute('tabindex')) {
    element.tabIndex = -1
    element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true })
  }
  element.focus({ preventScroll: true })
}
