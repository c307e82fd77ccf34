// A user without a mouse, who moves by Tab; it records each stop at which the focus is lost or not visible.

import type { Locator, Page } from 'playwright-core'

/** The number of presses after which an element counts as unreachable. */
const MOST = 90

const NOWHERE = 'The focus is nowhere'

/** What is wrong with the focus; null if nothing is. */
const FAULT = `(() => {
  const at = document.activeElement
  if (at === null || at === document.body) return '${NOWHERE}'
  const name = (at.getAttribute('aria-label') || at.textContent || at.tagName).trim().slice(0, 60)
  const isRinged = (element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    return outlineStyle !== 'none' && parseFloat(outlineWidth) > 0
  }
  // the focus ring may be on an element drawn in place of a control, or around it
  const shown = [at, at.nextElementSibling, at.matches('input') ? at.parentElement : null]
    .filter((element) => element !== null).find(isRinged)
  if (shown === undefined) return 'The focus is not seen on ' + name
  const seen = shown.closest('tr') ?? shown
  const { left, top, width, height } = seen.getBoundingClientRect()
  if (width === 0 || height === 0) return 'The focus is on what is not seen: ' + name
  const inWindow = left < innerWidth && top < innerHeight && left + width > 0 && top + height > 0
  return inWindow ? null : 'The focus is outside of the window: ' + name
})()`

/**
 * Visible focusable elements that never received the focus. Of radio buttons with one name, one is enough, and so is one row of a table:
 * the others are reached with the arrow keys, and Tab returns to the last one that had the focus within it.
 */
const UNREACHED = `(() => {
  const stops = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
    .filter((stop) => stop.tabIndex >= 0 && !stop.disabled && stop.checkVisibility() && stop.closest('[inert]') === null)
  const reached = [...window.reached]
  const isReached = (stop) => window.reached.has(stop) ||
    (stop.type === 'radio' && reached.some(({ type, name }) => type === 'radio' && name === stop.name)) ||
    (stop.matches('[data-index]') && reached.some((row) => row.matches('[data-index]') && row.parentElement === stop.parentElement))
  return stops.filter((stop) => !isReached(stop)).map((stop) => stop.outerHTML.slice(0, 160))
})()`

const WHERE = `(() => {
  const path = []
  for (let at = document.activeElement; at && at !== document.body; at = at.parentElement) {
    const title = document.getElementById(at.getAttribute('aria-labelledby'))
    path.unshift(at.getAttribute('aria-label') ?? title?.textContent ?? at.tagName.toLowerCase())
  }
  return path.join(' > ')
})()`

export async function withKeyboard(page: Page) {
  const faults: string[] = []
  await page.exposeFunction('noteMouse', () => faults.push('A mouse was used'))
  await page.addInitScript('addEventListener("pointerdown", () => noteMouse(), true)')
  await page.addInitScript(
    `window.reached = new Set(); addEventListener('focusin', ({ target }) => reached.add(target))`,
  )

  const note = async () => {
    const fault = await page.evaluate<string | null>(FAULT)
    if (fault !== null && !faults.includes(fault)) faults.push(fault)
  }
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  /** Presses Tab until the target has the focus. */
  const tabTo = async (target: Locator, key = 'Tab') => {
    await target.waitFor({ state: 'attached' })
    const stops: string[] = []
    for (let presses = 0; presses < MOST; presses++) {
      await page.keyboard.press(key)
      if ((await target.and(page.locator(':focus')).count()) > 0) return note()
      stops.push(await page.evaluate<string>('document.activeElement.outerHTML.slice(0, 90)'))
      // after the last stop of the page, the focus moves to the browser's own controls
      if (!stops.at(-1)?.startsWith('<body')) await note()
    }
    throw new Error(`It is not reached by ${key}: ${target}\n${stops.join('\n')}`)
  }
  /**
   * Presses Tab from the first stop of the page beyond its last. Returns what went wrong on the way, and what was not
   * reached.
   */
  const walk = async (): Promise<string[]> => {
    const wrong: string[] = []
    for (let presses = 0; presses < MOST * 4; presses++) {
      await page.keyboard.press('Tab')
      const fault = await page.evaluate<string | null>(FAULT)
      if (fault === NOWHERE)
        return [...wrong, ...(await page.evaluate<string[]>(UNREACHED)).map((stop) => `Not reached: ${stop}`)]
      if (fault !== null) wrong.push(fault)
    }
    return [...wrong, 'There is no end']
  }
  return {
    walk,
    /** What went wrong so far. */
    faults,
    note,
    press,
    tabTo,
    /** The names of the elements around the focus, from the outermost to the innermost. */
    where: () => page.evaluate<string>(WHERE),
    type: (text: string) => page.keyboard.type(text),
    /** Moves to the target with Tab, then presses Enter. */
    enter: async (target: Locator) => {
      await tabTo(target)
      await press('Enter')
    },
    /** Moves to a field with Tab, then types. */
    fill: async (target: Locator, text: string) => {
      await tabTo(target)
      await press('Control+a')
      await page.keyboard.type(text)
    },
  }
}
