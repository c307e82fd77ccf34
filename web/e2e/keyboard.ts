// Somebody who works without a mouse: goes from stop to stop by Tab, and notes each at which the focus is lost or cannot be seen.

import type { Locator, Page } from 'playwright-core'

/** Presses after which what is looked for cannot be reached. */
const MOST = 90

const NOWHERE = 'The focus is nowhere'

/** What is wrong with where the focus is; null where nothing is. */
const FAULT = `(() => {
  const at = document.activeElement
  if (at === null || at === document.body) return '${NOWHERE}'
  const name = (at.getAttribute('aria-label') || at.textContent || at.tagName).trim().slice(0, 60)
  const isRinged = (element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    return outlineStyle !== 'none' && parseFloat(outlineWidth) > 0
  }
  // what is drawn in the place of a control, or around it, may have its ring
  const shown = [at, at.nextElementSibling, at.matches('input') ? at.parentElement : null]
    .filter((element) => element !== null).find(isRinged)
  if (shown === undefined) return 'The focus is not seen on ' + name
  const seen = shown.closest('tr') ?? shown
  const { left, top, width, height } = seen.getBoundingClientRect()
  if (width === 0 || height === 0) return 'The focus is on what is not seen: ' + name
  const inWindow = left < innerWidth && top < innerHeight && left + width > 0 && top + height > 0
  return inWindow ? null : 'The focus is outside of the window: ' + name
})()`

/** What of the page takes the focus and did not get it, of those that are shown; one of the radio buttons of a name is enough. */
const UNREACHED = `(() => {
  const stops = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
    .filter((stop) => stop.tabIndex >= 0 && !stop.disabled && stop.checkVisibility() && stop.closest('[inert]') === null)
  const isReached = (stop) => window.reached.has(stop) ||
    (stop.type === 'radio' && stops.some((other) => other.name === stop.name && window.reached.has(other)))
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
  /** Presses Tab until the focus is on it. */
  const tabTo = async (target: Locator, key = 'Tab') => {
    await target.waitFor({ state: 'attached' })
    const stops: string[] = []
    for (let presses = 0; presses < MOST; presses++) {
      await page.keyboard.press(key)
      if ((await target.and(page.locator(':focus')).count()) > 0) return note()
      stops.push(await page.evaluate<string>('document.activeElement.outerHTML.slice(0, 90)'))
      // past the last stop of a page lies the browser's own
      if (!stops.at(-1)?.startsWith('<body')) await note()
    }
    throw new Error(`It is not reached by ${key}: ${target}\n${stops.join('\n')}`)
  }
  /** Presses Tab from the first stop of the page to beyond its last; what is wrong on the way, and what is not reached. */
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
    /** What went wrong on the way. */
    faults,
    note,
    press,
    tabTo,
    /** What the focus is in, by name, from the outermost to the innermost. */
    where: () => page.evaluate<string>(WHERE),
    type: (text: string) => page.keyboard.type(text),
    /** Tab to it, then Enter. */
    enter: async (target: Locator) => {
      await tabTo(target)
      await press('Enter')
    },
    /** Tab to a field, then type. */
    fill: async (target: Locator, text: string) => {
      await tabTo(target)
      await press('Control+a')
      await page.keyboard.type(text)
    },
  }
}
