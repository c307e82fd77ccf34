// Shows the whole text of a truncated cell as a tooltip when the pointer is over it.

import type { PointerEvent } from 'react'

export function tellCut({ target }: PointerEvent): void {
  const cell = target instanceof Element ? target.closest('td') : null
  if (cell === null) return
  cell.title = cell.scrollWidth > cell.clientWidth ? textOf(cell) : ''
}

/** Without what stands below it, which is the text of other columns. */
const textOf = (cell: HTMLElement): string =>
  [...cell.childNodes]
    .filter((node) => !(node instanceof HTMLElement && 'beneath' in node.dataset))
    .map(({ textContent }) => textContent)
    .join('')
