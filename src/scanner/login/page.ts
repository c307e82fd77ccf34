// Signs in on a page whose form is made by scripts: Chromium fills it in, and its cookies and storage become the session.

import type { Locator, Page, Request } from 'playwright-core'
import { type Browsing, withPage } from '../browser.ts'
import { readJson } from '../json-leaves.ts'
import { replaceHeader } from '../points.ts'
import type { Session } from '../session.ts'
import type { Json, Login, Stored } from '../types.ts'
import { codeOf } from './code.ts'
import { tokenIn } from './token.ts'

/** How pages may be opened in a Chromium; null: they may not. */
export type Pages = Omit<Browsing, 'credentials' | 'onRequest'> | null

type FormLogin = Extract<Login, { type: 'FORM' }>

/** Milliseconds for the form to show, and for it to go when it was sent. */
const PATIENCE = 8_000
const LOOK = 200
const NAMED =
  'input[autocomplete=username], input[type=email], input[name*=user i], input[name*=mail i], input[name*=login i], input[id*=user i], input[id*=mail i]'
const USERNAME = `${NAMED}, input[type=text], input[type=tel], input:not([type])`
const CODE =
  'input[autocomplete=one-time-code], input[name*=otp i], input[name*=code i], input[id*=otp i], input[id*=code i]'
const BUTTON = 'button, input[type=submit], input[type=button], [role=button]'
const SIGN_IN_BUTTON = /\b(sign|log)[ -]?(in|on)\b/i
/** Buttons beside the one that signs in, among them those of other providers. */
const OTHER_BUTTON =
  /forgot|lost|reset|show|hide|regist|sign[ -]?up|create|cancel|google|facebook|apple|microsoft|github|\bsso\b/i
const PASSWORD = 'input[type=password]'
/** One that shows what is typed. */
const OPEN_PASSWORD = ['passw', 'pwd'].flatMap((word) =>
  ['name', 'id'].flatMap((named) => ['[type=text]', ':not([type])'].map((kind) => `input${kind}[${named}*=${word} i]`)),
)
const STORED = '({ local: { ...localStorage }, session: { ...sessionStorage } })'

/** Null when somebody is signed in, else why not, in a sentence; undefined when there is no browser. */
export async function byPage(
  login: FormLogin,
  session: Session,
  browsing: NonNullable<Pages>,
): Promise<string | null | undefined> {
  const seen: string[] = []
  const onRequest: Browsing['onRequest'] = (route) => {
    const request = route.request()
    const { authorization } = request.headers()
    if (authorization) seen.push(authorization)
    const body = request.postData()
    if (body?.includes(login.password) && ['xhr', 'fetch'].includes(request.resourceType())) {
      const type = request.headers()['content-type'] ?? 'application/json'
      session.openedBy = { method: request.method(), url: request.url(), headers: [['Content-Type', type]], body }
    }
    return true
  }
  const end = await withPage({ ...browsing, credentials: { headers: {}, cookies: [] }, onRequest }, async (page) => {
    const fault = await fillIn(page, login, session)
    if (fault !== null) return { fault }
    const cookies = (await page.context().cookies()).map(({ name, value }) => [name, value] as const)
    const stored = storedIn(await page.evaluate(STORED).catch(() => null))
    return { fault, cookies, stored, url: page.url(), token: tokenIn(unfolded({ ...stored.local, ...stored.session })) }
  })
  if (end === null) return undefined
  if (end.fault !== null) return end.fault
  session.keepCookies(end.cookies)
  if (end.url.split('#', 1).join('') !== login.url.split('#', 1).join('')) session.landedAt = end.url
  session.stored = end.stored
  const authorization = seen.at(-1) ?? (end.token === null ? null : `Bearer ${end.token}`)
  session.gained.length = 0
  if (authorization !== null) replaceHeader(session.gained, 'Authorization', authorization)
  return null
}

/** Null when the form was taken, else why not. */
async function fillIn(page: Page, login: FormLogin, session: Session): Promise<string | null> {
  await page.goto(login.url, { timeout: PATIENCE, waitUntil: 'domcontentloaded' }).catch(() => null)
  const password = await passwordOf(page, login.passwordSelector)
  if (password === null) return 'the page shows no password field'
  const username = login.usernameSelector
    ? page.locator(login.usernameSelector).first()
    : await nameFieldOf(page, password)
  try {
    await username.fill(login.username, { timeout: PATIENCE })
    await password.fill(login.password, { timeout: PATIENCE })
    if (login.submitSelector) await page.locator(login.submitSelector).first().click({ timeout: PATIENCE })
    else await pressEnter(page, password)
  } catch {
    return 'the form could not be filled in with these selectors'
  }
  const code = page.locator(CODE).first()
  for (const end = performance.now() + PATIENCE; performance.now() < end; await page.waitForTimeout(LOOK)) {
    if (await password.isVisible().catch(() => false)) continue
    if (!login.totp || !(await code.isVisible().catch(() => false))) break
    await code.fill(codeOf(session, login.totp)).catch(() => {})
    await code.press('Enter').catch(() => {})
    await code.waitFor({ state: 'hidden', timeout: PATIENCE }).catch(() => {})
    break
  }
  await page.waitForTimeout(LOOK * 2)
  return (await password.isVisible().catch(() => false)) ? 'the form did not accept the password' : null
}

/** The field of a password when it shows: by its kind, or by its name where it shows what is typed; null when none does. */
async function passwordOf(page: Page, selector: string | undefined): Promise<Locator | null> {
  const any = page.locator(selector ?? [PASSWORD, ...OPEN_PASSWORD].join(', ')).first()
  const isThere = await any.waitFor({ state: 'visible', timeout: PATIENCE }).then(
    () => true,
    () => false,
  )
  if (!isThere) return null
  const usual = page.locator(PASSWORD).first()
  return selector === undefined && (await usual.isVisible().catch(() => false)) ? usual : any
}

/** Enter sends what stands in a form; fields without one have a button behind them that says what is done. */
async function pressEnter(page: Page, password: Locator): Promise<void> {
  const isInForm = await password.evaluate(hasForm)
  if (isInForm) return password.press('Enter')
  const open = new Set<Request>()
  page.on('request', (request) => void open.add(request))
  page.on('requestfinished', (request) => void open.delete(request))
  page.on('requestfailed', (request) => void open.delete(request))
  await password.press('Enter')
  await page.waitForTimeout(LOOK * 5)
  for (const end = performance.now() + PATIENCE; open.size > 0 && performance.now() < end; ) {
    await page.waitForTimeout(LOOK)
  }
  if (await password.isVisible().catch(() => false))
    await (await buttonBehind(page, password))?.click({ timeout: PATIENCE })
}

/** The button that says that it signs in, else the first that sends, else the first; none that says that it does something else. */
async function buttonBehind(page: Page, password: Locator): Promise<Locator | undefined> {
  const field = await password.elementHandle()
  const found: { button: Locator; rank: number }[] = []
  for (const button of await page.locator(BUTTON).all()) {
    const isBehind = await button.evaluate(isAfterIn, field).catch(() => false)
    if (!isBehind || !(await button.isVisible().catch(() => false))) continue
    const { label, sends } = await button.evaluate(saidOf)
    if (!OTHER_BUTTON.test(label)) found.push({ button, rank: SIGN_IN_BUTTON.test(label) ? 0 : sends ? 1 : 2 })
  }
  return found.sort((one, other) => one.rank - other.rank)[0]?.button
}

type Owned = { form: unknown }

/** Runs in the page. */
const hasForm = (field: unknown): boolean => (field as Owned).form !== null

type Placed = { compareDocumentPosition: (other: unknown) => number }

/** Runs in the page; 4 is DOCUMENT_POSITION_FOLLOWING. */
const isBeforeIn = (field: Placed, other: unknown): boolean => (field.compareDocumentPosition(other) & 4) !== 0

/** As above; 2 is DOCUMENT_POSITION_PRECEDING. */
const isAfterIn = (button: Placed, field: unknown): boolean => (button.compareDocumentPosition(field) & 2) !== 0

type Labelled = {
  textContent: string | null
  value?: string
  type?: string
  getAttribute: (name: string) => string | null
}

/** As above. */
const saidOf = (button: Labelled): { label: string; sends: boolean } => ({
  label: [button.textContent, button.value, button.getAttribute('aria-label'), button.getAttribute('title')].join(' '),
  sends: button.type === 'submit',
})

/** The last field before the password whose name says whose it takes, else the last before it: a search box may stand above both. */
async function nameFieldOf(page: Page, password: Locator): Promise<Locator> {
  for (const selector of [NAMED, USERNAME]) {
    const fields = page.locator(selector)
    for (let at = (await fields.count()) - 1; at >= 0; at -= 1) {
      const field = fields.nth(at)
      const isBefore = await field.evaluate(isBeforeIn, await password.elementHandle()).catch(() => false)
      if (isBefore && (await field.isVisible().catch(() => false))) return field
    }
  }
  return page.locator(USERNAME).first()
}

/** What pages store is text, often of JSON. */
const unfolded = (stored: Readonly<Record<string, string>>): Json =>
  Object.fromEntries(Object.entries(stored).map(([name, value]) => [name, readJson(value) ?? value]))

function storedIn(given: unknown): Stored {
  const textsOf = (part: unknown) =>
    Object.fromEntries(
      Object.entries(part ?? {}).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
    )
  const { local, session } = { local: null, session: null, ...(given ?? {}) }
  return { local: textsOf(local), session: textsOf(session) }
}
