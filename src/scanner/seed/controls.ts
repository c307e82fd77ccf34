// A page's controls and fields. These functions run in the page, so they can use nothing but their arguments.

/**
 * A control that can be pressed. `says`: all texts that tell what it does. `label`: the visible text. `mark`: identifies equal controls on
 * all pages. `isNew`: it was not there when the page was first examined.
 */
export type Control = { at: number; mark: string; says: string; label: string; isNew: boolean }

/** An empty field. `hints`: its names, from the one that is sent to the text beside it. */
export type Blank = { at: number; hints: string[]; type: string; longest: number; least: string; options: string[] }

type Part = {
  tagName: string
  type?: string
  value?: string
  checked?: boolean
  disabled?: boolean
  readOnly?: boolean
  required?: boolean
  noValidate?: boolean
  form?: Part | null
  labels?: Iterable<Part> | null
  textContent: string | null
  parentElement: Part | null
  getAttribute: (name: string) => string | null
  getClientRects: () => { length: number }
  querySelectorAll: (selector: string) => ArrayLike<Part>
  matches: (selector: string) => boolean
  closest: (selector: string) => Part | null
  contains: (other: Part) => boolean
  dispatchEvent: (event: object) => void
  click?: () => void
  requestSubmit?: () => void
}
type Made = new (name: string, options: { bubbles: boolean; cancelable?: boolean }) => object

// the page's, not this process's
declare const document: Part
declare const getComputedStyle: (part: Part) => { cursor: string }
declare const Event: Made
declare const MouseEvent: Made
declare const window: { merlonParts?: Parts } & Record<string, { prototype: object } | undefined>

type Parts = {
  controls: Part[]
  blanks: Part[]
  seen: WeakSet<Part>
  pressed: WeakSet<Part>
  shown: WeakSet<Part> | undefined
}

/** The visible controls, forms without a button, and lists whose choice may trigger something. */
export const controlsIn = (): Control[] => {
  const MOST = 400
  const MOST_LOOKED_AT = 3_000
  const BUTTONS =
    'button, input[type=submit], input[type=button], input[type=image], [role=button], [role=tab], [role=menuitem], [role=link], summary, a:not([href]), a[href="#"], a[href^="javascript:"], a[onclick], [onclick]'
  const FIELDS = 'input:not([type=hidden]):not([type=submit]):not([type=button]), select, textarea'
  const cut = (text: string | null | undefined, most: number) =>
    (text ?? '').replace(/\s+/g, ' ').trim().slice(0, most).replace(/\d+/g, '0')
  const isShown = (part: Part) => part.getClientRects().length > 0
  const parts = Array.from(document.querySelectorAll(BUTTONS)).filter((part) => isShown(part) || part.closest('form'))
  const others = Array.from(document.querySelectorAll('div, span, li, td, tr, i, svg, img, p, label, h1, h2, h3'))
  for (const part of others.slice(0, MOST_LOOKED_AT)) {
    if (part.closest('a[href]') || part.closest(BUTTONS) || !isShown(part)) continue
    const isPointed = getComputedStyle(part).cursor === 'pointer'
    if (isPointed && (!part.parentElement || getComputedStyle(part.parentElement).cursor !== 'pointer'))
      parts.push(part)
  }
  const hasButton = (form: Part) => parts.some((part) => part.type === 'submit' && part.closest('form') === form)
  for (const form of Array.from(document.querySelectorAll('form'))) if (!hasButton(form)) parts.push(form)
  for (const list of Array.from(document.querySelectorAll('select')))
    if (!list.closest('form') && isShown(list)) parts.push(list)
  const before = window.merlonParts
  const pressed = before?.pressed ?? new WeakSet()
  const kept = parts.filter((part) => !pressed.has(part)).slice(0, MOST)
  const known = before?.seen ?? new WeakSet(kept)
  const fresh = new Set(kept.filter((part) => !known.has(part)))
  window.merlonParts = { controls: kept, blanks: before?.blanks ?? [], seen: known, pressed, shown: before?.shown }
  const told = ['id', 'name', 'class', 'aria-label', 'title', 'onclick', 'formaction', 'action', 'data-action']
  return kept.map((part, at) => {
    const label = part.tagName === 'FORM' ? '' : cut(part.textContent, 80) || cut(part.value, 80)
    const own = told.map((name) => cut(part.getAttribute(name), 200)).join(' ')
    const icons = Array.from(part.querySelectorAll('i, svg, img, span'))
      .slice(0, 5)
      .map((icon) => ['class', 'alt', 'title', 'data-icon'].map((name) => cut(icon.getAttribute(name), 60)).join(' '))
    let around: Part | null = part.closest('form') ?? part
    for (
      let up = 0;
      up < 4 && around && around.tagName !== 'FORM' && around.querySelectorAll(FIELDS).length === 0;
      up += 1
    )
      around = around.parentElement
    const fields = Array.from(around?.querySelectorAll(FIELDS) ?? [])
      .slice(0, 20)
      .map((field) => field.getAttribute('name') ?? field.getAttribute('id') ?? field.getAttribute('placeholder') ?? '')
    const says = part.tagName === 'FORM' ? own : `${label} ${own} ${icons.join(' ')}`
    return { at, mark: `${part.tagName} ${says} (${fields.join(' ')})`, says, label, isNew: fresh.has(part) }
  })
}

/** Whether there are links, forms or buttons that were not there when the page was last examined. */
export const hasMore = (): boolean => {
  const parts = Array.from(document.querySelectorAll('button, form, a[href], input, textarea'))
  const seen = window.merlonParts?.shown
  const isMore = parts.some((part) => !seen?.has(part))
  if (window.merlonParts) window.merlonParts.shown = new WeakSet(parts)
  return isMore && seen !== undefined
}

/** The empty fields, including hidden ones. Ticks required boxes and makes required choices. */
export const blanksIn = (): Blank[] => {
  const all = Array.from(document.querySelectorAll('input, textarea, select')).slice(0, 300)
  const unfilled = all.filter(({ disabled, readOnly }) => !disabled && !readOnly)
  const groups = new Set<string>()
  for (const field of unfilled) {
    const name = field.getAttribute('name') ?? ''
    if (field.type === 'checkbox' && !field.checked && field.required) field.click?.()
    if (field.type !== 'radio' || groups.has(name)) continue
    groups.add(name)
    const same = unfilled.filter((one) => one.type === 'radio' && one.getAttribute('name') === name)
    if (!same.some(({ checked }) => checked)) field.click?.()
  }
  const written = new Set([
    'submit',
    'button',
    'image',
    'reset',
    'hidden',
    'file',
    'checkbox',
    'radio',
    'range',
    'color',
  ])
  const blanks = unfilled.filter(({ type, value }) => !written.has(type ?? '') && value === '')
  if (window.merlonParts) window.merlonParts.blanks = blanks
  const names = ['name', 'formcontrolname', 'id', 'placeholder', 'aria-label']
  return blanks.map((field, at) => ({
    at,
    hints: [
      ...names.map((name) => field.getAttribute(name)),
      ...Array.from(field.labels ?? []).map(({ textContent }) => textContent),
    ].flatMap((text) => (text ? [text.trim().slice(0, 80)] : [])),
    type: field.type ?? '',
    longest: Number(field.getAttribute('maxlength') ?? 1000),
    least: field.getAttribute('min') ?? '',
    options: Array.from(field.querySelectorAll('option'))
      .slice(0, 50)
      .flatMap(({ value, disabled }) => (value && !disabled ? [value] : [])),
  }))
}

/** Fills in a field as a person would, with the events by which scripts notice it. */
export const fillIn = (values: readonly string[]): void => {
  for (const [at, field] of (window.merlonParts?.blanks ?? []).entries()) {
    const kind = { SELECT: 'HTMLSelectElement', TEXTAREA: 'HTMLTextAreaElement' }[field.tagName] ?? 'HTMLInputElement'
    const { set } = Object.getOwnPropertyDescriptor(window[kind]?.prototype ?? {}, 'value') ?? {}
    set?.call(field, values[at] ?? '')
    for (const name of ['input', 'change', 'blur']) field.dispatchEvent(new Event(name, { bubbles: true }))
  }
}

/** False if the control is gone. */
export const pressAt = (at: number): boolean => {
  const part = window.merlonParts?.controls[at]
  if (!part || !document.contains(part)) return false
  window.merlonParts?.pressed.add(part)
  if (part.tagName === 'SELECT') {
    const other = Array.from(part.querySelectorAll('option')).find(({ value }) => value && value !== part.value)
    if (!other) return false
    part.value = other.value
    for (const name of ['input', 'change']) part.dispatchEvent(new Event(name, { bubbles: true }))
    return true
  }
  const form = part.closest('form')
  // send even what the page's own validation would refuse
  if (form) form.noValidate = true
  if (part.tagName === 'FORM') {
    part.requestSubmit?.()
    return true
  }
  part.disabled &&= false
  for (const name of ['pointerdown', 'mousedown', 'pointerup', 'mouseup'])
    part.dispatchEvent(new MouseEvent(name, { bubbles: true, cancelable: true }))
  if (part.click) part.click()
  else part.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
  return true
}
