// Fills in the fields and presses the controls of scripted pages: many applications send most requests only then.

import type { Page, Request } from 'playwright-core'
import { answerOf, PageStuck } from '../browser.ts'
import { type Blank, blanksIn, type Control, controlsIn, fillIn, hasMore, pressAt } from './controls.ts'
import { asksForReset, commandsHarm, isDestructive, valueByName } from './names.ts'
import type { ShownPage } from './shown-page.ts'

/** Presses the controls on the shown page that were not pressed before. Rejects with PageStuck. */
type Press = (page: Page, signal: AbortSignal) => Promise<void>

type Bounds = {
  /** the most presses in total, and on one page */
  presses: number
  pressesOnPage: number
  /** the most milliseconds in total */
  time: number
}

/** `isWide`: nothing describes the target. */
export const boundsOf = (isWide: boolean): Bounds =>
  isWide ? { presses: 150, pressesOnPage: 30, time: 40_000 } : { presses: 40, pressesOnPage: 15, time: 12_000 }

/** How often equal controls are pressed, because on another page they may do something else. */
const MOST_SAME = 2
/** Milliseconds within which a script starts a request, and within which it gets the response. */
const BEGINS = 120
const ANSWERED = 1_000
const LOADED = 400

/** `onChange` is called if the page shows more after a press, or another page is shown. */
export function openPressing(bounds: Bounds, shown: ShownPage, onChange: (page: Page) => Promise<void>): Press {
  const pressed = new Map<string, number>()
  let presses = 0
  let spent = 0
  const mayPress = ({ mark, says, label }: Control) =>
    (pressed.get(mark) ?? 0) < MOST_SAME && !commandsHarm(label) && !isDestructive('POST', says) && !asksForReset(says)

  const pressAll = async (first: Page, signal: AbortSignal) => {
    let page = first
    let open = unansweredBy(page)
    const { href } = new URL(page.url())
    const done = new Set<string>()
    const look = async () => {
      await answerOf(page.evaluate(controlsIn))
      await answerOf(page.evaluate(hasMore))
    }
    shown.touch()
    await look()
    for (let onPage = 0; onPage < bounds.pressesOnPage && presses < bounds.presses && !signal.aborted; onPage += 1) {
      const began = performance.now()
      const blanks = await answerOf(page.evaluate(blanksIn))
      await answerOf(page.evaluate(fillIn, blanks.map(valueFor)))
      await chooseFiles(page)
      const controls = await answerOf(page.evaluate(controlsIn))
      // press what has just appeared, such as a dialog, first
      const fresh = controls.filter((one) => !done.has(one.mark) && mayPress(one))
      const next = fresh.find(({ isNew }) => isNew) ?? fresh[0]
      if (next === undefined || spent > bounds.time) return
      done.add(next.mark)
      pressed.set(next.mark, (pressed.get(next.mark) ?? 0) + 1)
      presses += 1
      if (await answerOf(page.evaluate(pressAt, next.at))) await settled(page, open)
      const isElsewhere = new URL(page.url()).href !== href
      if (isElsewhere || (await answerOf(page.evaluate(hasMore)))) await onChange(page)
      if (isElsewhere) {
        page = await shown.open(page.context(), href)
        open = unansweredBy(page)
        await page.waitForTimeout(LOADED)
        shown.touch()
        await look()
      }
      spent += performance.now() - began
    }
  }
  return (page, signal) =>
    pressAll(page, signal).catch((error) => {
      if (error instanceof PageStuck) throw error
      // a page that has been closed has nothing more to press
    })
}

/** The page's requests that have not been answered yet, now and later. */
function unansweredBy(page: Page): ReadonlySet<Request> {
  const open = new Set<Request>()
  page.on('request', (request) => void open.add(request))
  page.on('requestfinished', (request) => void open.delete(request))
  page.on('requestfailed', (request) => void open.delete(request))
  return open
}

const MOST_FILES = 10
const TEXT = { name: 'merlon.txt', mimeType: 'text/plain', buffer: Buffer.from('merlon') }
/** One transparent pixel. */
const PICTURE = {
  name: 'merlon.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  ),
}

/** Chooses a file in each empty file field, including those behind buttons. */
async function chooseFiles(page: Page): Promise<void> {
  const empty = await answerOf(page.$$('input[type=file]:not([disabled])'))
  for (const field of empty.slice(0, MOST_FILES)) {
    const accepts = await answerOf(field.getAttribute('accept'))
    const isChosen = await answerOf(
      field.evaluate((one: { files?: { length: number } }) => (one.files?.length ?? 0) > 0),
    )
    if (!isChosen) await answerOf(field.setInputFiles(/image|png|jpe?g|gif/i.test(accepts ?? '') ? PICTURE : TEXT))
  }
}

async function settled(page: Page, open: ReadonlySet<Request>): Promise<void> {
  await page.waitForTimeout(BEGINS)
  for (const end = performance.now() + ANSWERED; open.size > 0 && performance.now() < end; ) {
    await page.waitForTimeout(BEGINS / 2)
  }
}

/** Types of fields that only accept values of a certain form. */
const FORMS: Readonly<Record<string, string>> = {
  date: '2026-01-15',
  'datetime-local': '2026-01-15T10:00',
  month: '2026-01',
  week: '2026-W03',
  time: '10:00',
}
const MADE_UP = valueByName('')

function valueFor({ hints, type, longest, least, options }: Blank): string {
  const [option] = options
  if (option !== undefined) return option
  const form = FORMS[type]
  if (form !== undefined) return form
  if (type === 'number') return Number(least) > 1 ? least : '1'
  const format = type === 'email' || type === 'url' || type === 'password' ? type : ''
  const values = hints.map((hint) => valueByName(hint, format))
  return (values.find((value) => value !== MADE_UP) ?? values[0] ?? MADE_UP).slice(0, Math.max(1, longest))
}
