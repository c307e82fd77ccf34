// Checks whether passwords and codes can be guessed without any limit.

import type { Context, OperationCheck } from '../check.ts'
import { likenessOf, steadyText } from '../compare.ts'
import { headerOf, mediaTypeOf } from '../http.ts'
import { textsOf } from '../page-texts.ts'
import { quietly } from '../probing.ts'
import { get } from '../requests.ts'
import type { Change, Exchange, Json, Operation, Point } from '../types.ts'
import { leafName } from '../values.ts'

/** Guesses per operation: more than any effective limit allows in so short a time. */
const GUESSES = 25

/** Server faults between guesses that are ignored, since they stop nobody. */
const MOST_FAULTS = 3

/** Two refusals with at least this likeness say the same. */
const ALIKE = 0.9

const SIGN_IN =
  /(log-?in|log_in|sign-?in|sign_in|signin|authenticate|auth|session|token|verify|otp|pin|2fa|mfa|passcode)([^a-z]|$)/i
const SIGN_UP =
  /(sign-?up|register|registration|create-?user|(user|account|member)s?\/(create|new|add)|reset|forgot|change|change-?password|log-?out|refresh|revoke)/i

export const isPassword = ({ name, value, schema }: Point): boolean =>
  (schema?.format === 'password' || /^(password|passwd|pass|pwd|userpassword|passphrase)$/.test(leafName(name))) &&
  !isOfProgram(name) &&
  typeof value !== 'object'

/** The client secret of an application (RFC 6749, 2.3.1), as opposed to a person's password. */
const isOfProgram = (name: string): boolean => /^(client|app|application)(secret|key)$/.test(leafName(name))

const isCode = ({ name }: Point): boolean =>
  /^(pin|pincode|otp|otpcode|passcode|mfacode|totp|verificationcode|securitycode|code)$/.test(leafName(name))

export const isUser = ({ name }: Point): boolean =>
  /^(user|username|login|email|mail|emailaddress|userid|uid|account|name|phone|number)$/.test(leafName(name))

const isFilled = ({ name }: Point, { filled = [] }: Operation): boolean => filled.includes(name)

/** The password or code field of a sign-in operation, which is what to guess. */
export function guessedPoint(operation: Operation, context: Context): Point | undefined {
  if (operation.kind === 'delete' || operation.isDestructive || SIGN_UP.test(lastPart(operation))) return undefined
  const points = context.pointsOf(operation)
  const password = points.find(isPassword)
  const isNamed = SIGN_IN.test(operation.key)
  // Where a code is asked for too, the password is the new one.
  const code = isNamed ? points.find(isCode) : undefined
  if (code !== undefined) return code
  // Two passwords are those of somebody who chooses one.
  if (
    points.filter(isPassword).length === 1 &&
    password !== undefined &&
    (isNamed || points.length <= 4) &&
    points.some(isUser)
  ) {
    // whose name the page fills in is signed in already
    const isOpenForm =
      operation.source === 'form' && !points.some((point) => isUser(point) && isFilled(point, operation))
    return isNamed || isOpenForm || refusesCredentials(operation, context) ? password : undefined
  }
  return undefined
}

/** Says that the name or password is wrong, as opposed to malformed. */
const WRONG =
  /(password|credentials?)\W{0,3}(is |are |was )?(not correct|incorrect|wrong)|(incorrect|wrong|bad) (user ?name|password|credentials)|invalid credentials/i
/** Also says so in operations that create nothing, where `invalid` cannot mean malformed. */
const WRONG_TO_READ =
  /(user ?name|password|credentials?)\W{0,3}(is |are |was )?(not valid|invalid)|invalid (user ?name|password)/i

/** Whether an operation that is not named like a sign-in first answered that the name or password is wrong. */
function refusesCredentials(operation: Operation, context: Context): boolean {
  const text = context.seen(operation, context.identities[0])?.text.slice(0, 20_000) ?? ''
  return WRONG.test(text) || (operation.kind === 'read' && WRONG_TO_READ.test(text))
}

const lastPart = ({ key, path }: Operation): string => (key.includes('#') ? key : path.split('/').slice(-2).join('/'))

/** A CAPTCHA in the form or the answer, not a link to a page about CAPTCHAs. */
const CAPTCHA =
  /\b(name|id|class|src|data-\w{1,20})=["']?[^"'>]{0,200}captcha|"\w{0,20}captcha\w{0,20}"\s{0,3}:|(solve|enter|complete|type|wrong|invalid|incorrect|missing|requires?)\W{1,3}(\w{1,20}\W{1,3}){0,3}captcha|captcha\W{1,3}(\w{1,20}\W{1,3}){0,3}(required|invalid|wrong|missing|incorrect|failed)/i

export const isLimit = ({ answer, text }: Exchange): boolean =>
  [403, 420, 423, 429, 503].includes(answer.status) ||
  CAPTCHA.test(text.slice(0, 20_000)) ||
  /too many|rate.?limit|locked|try again (later|in)|temporarily/i.test(saidBy(answer, text.slice(0, 20_000)))

/** The visible text of a page; a CSS class may be named `locked`. */
const saidBy = (answer: Exchange['answer'], text: string): string =>
  mediaTypeOf(answer) === 'text/html' ? textsOf(text).join('\n') : text

/** Says that no account has such a name or password. */
const UNKNOWN =
  /(user|account|member)( ?name)?( was| is)? (not (found|exist|known)|unknown)|(user|account|member)( ?name)? (does ?n.t|does not) exist|no such (user|account)|(unknown|invalid|incorrect|wrong) (user|account|password|credentials)/i

const isFault = ({ answer }: Exchange): boolean => [500, 502, 504].includes(answer.status)

/** Whether somebody of the scan signed in with the operation: what it then fails on is what it was sent. */
const hasSignedIn = ({ origin, path }: Operation, { identities }: Context): boolean =>
  identities.some(({ login }) => {
    const url = URL.parse(login?.type === 'TOKEN' ? login.request.url : (login?.url ?? ''))
    return url !== null && url.origin === origin && url.pathname === path
  })

/** Whether an answer refuses what was guessed, and not the request as such. */
const isRefusal = ({ answer, text }: Exchange): boolean => {
  if ([404, 405, 415, 500, 501, 502, 504].includes(answer.status))
    return (
      (answer.status === 404 && /user|account|password/i.test(text)) ||
      (answer.status === 500 && UNKNOWN.test(text.slice(0, 50_000)))
    )
  if (answer.status === 401) return true
  if (isRedirect(answer.status)) return true
  return /incorrect|invalid|wrong|fail|not (found|match|exist|correct|the code)|does ?n.t (exist|match)|unauthori[sz]ed|bad credentials|denied|null|false|error/i.test(
    text.slice(0, 50_000),
  )
}

/** Whether the answer let somebody in, with the account that a form of the same scan had made, and not as guesses are answered. */
const isLetIn = ({ answer }: Exchange, guess: Exchange): boolean =>
  (isRedirect(answer.status) || (answer.status < 400 && headerOf(answer, 'set-cookie') !== '')) &&
  !isRedirect(guess.answer.status)

/** Whether the account that is guessed at was made by the scan with a password that opens it after all guesses. */
async function isStillLetIn(
  operation: Operation,
  secret: Point,
  user: Point | undefined,
  refusal: Exchange,
  context: Context,
): Promise<boolean> {
  const password = user === undefined ? undefined : passwordOfMade(user.value, context)
  if (password === undefined) return false
  const exchange = await context.attempt(operation, [{ point: secret, value: password }], { isAlone: true })
  return exchange !== null && exchange.answer.status < 400 && likenessOf(exchange, refusal) < ALIKE
}

/** The password with which the scan has made an account of that name. */
function passwordOfMade(name: Json, context: Context): Json | undefined {
  for (const operation of context.operations) {
    const answer = operation.kind === 'create' ? context.seen(operation)?.answer : undefined
    if (answer === undefined || answer.status >= 300) continue
    const points = context.pointsOf(operation)
    const password = points.find(isPassword)
    if (password !== undefined && points.some((point) => isUser(point) && point.value === name)) return password.value
  }
  return undefined
}

const isRedirect = (status: number): boolean => status >= 300 && status < 400

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

export const guessing: OperationCheck = {
  kind: 'operation',
  id: 'unlimited-guessing',
  title: 'No brute-force protection',
  cwes: [307],
  severity: 'MEDIUM',
  solution: 'Count failed attempts per account and per address, and slow down or block after a few.',
  profile: 'BALANCED',
  isRefutedByLimit: true,
  async *probe(operation, context) {
    const secret = guessedPoint(operation, context)
    if (secret === undefined) return
    const user = context.pointsOf(operation).find(isUser)
    // The scan's own accounts are not locked out for the sake of a question.
    const isOwn = isOwnName(user, context)
    const stranger =
      typeof user?.value === 'string' && user.value.includes('@') ? `${context.word()}@example.com` : context.word()
    const guesses = await guess(operation, context, () => [
      { point: secret, value: isCode(secret) ? String(context.number(4)) : context.word() },
      ...(user !== undefined && (isOwn || user.value === '') ? [{ point: user, value: stranger }] : []),
    ])
    if (guesses === null || guesses.first.answer.status !== guesses.last.answer.status) return
    const { first, last, times } = guesses
    // an account that the scan has made since is another matter: its own password tells whether it is still let in
    const isOther = !isOwn && isRefusedOtherwise(context.seen(operation), first)
    if (isOther && !(await isStillLetIn(operation, secret, user, last, context))) return
    if (isSlowedDown(times) || shapeOf(first, stranger) !== shapeOf(last, stranger)) return
    // a page that says the same without any guess looks at none
    const page =
      secret.place === 'query' ? await quietly(context.send(get(last.request.url.split('?')[0] ?? ''))) : null
    const isSame = page !== null && page.answer.status === last.answer.status
    if (isSame && shapeOf(page, stranger) === shapeOf(last, stranger)) return
    yield {
      detail: `${GUESSES} guesses within ${Math.ceil(times.reduce((sum, ms) => sum + ms, 0) / 1000)} s all got the same response: no block, no delay.`,
      proof: [last.text.slice(0, 80)],
      exchange: last,
      operation,
      point: secret,
    }
  },
}

function isOwnName(user: Point | undefined, { identities }: Context): boolean {
  const value = user?.value
  return (
    typeof value === 'string' &&
    identities.some(({ name, login }) => name === value || (login && 'username' in login && login.username === value))
  )
}

/** The first and the last response, and the time of each in milliseconds. */
type Guesses = { first: Exchange; last: Exchange; times: readonly number[] }

/** Null if not all guesses were made and refused: one was let in, or a limit was met. */
async function guess(
  operation: Operation,
  context: Context,
  changesOf: () => readonly Change[],
): Promise<Guesses | null> {
  const opens = hasSignedIn(operation, context)
  const refused: Exchange[] = []
  for (let faults = 0; refused.length < GUESSES; ) {
    const exchange = await context.attempt(operation, changesOf(), { isAlone: true })
    if (exchange === null || isLimit(exchange)) return null
    if (!isRefusal(exchange) && !(opens && isFault(exchange))) {
      faults += 1
      if (isFault(exchange) && refused.length > 0 && faults <= MOST_FAULTS) continue
      return null
    }
    refused.push(exchange)
  }
  const [first, last] = [refused[0], refused.at(-1)]
  return first && last ? { first, last, times: refused.map(({ answer }) => answer.ms) } : null
}

/** Whether a guess is refused otherwise than the first time that the operation was asked, which then met its limit before, unless it was let in. */
function isRefusedOtherwise(usual: Exchange | undefined, guessed: Exchange): boolean {
  if (usual === undefined) return false
  const isAsUsual = usual.answer.status === guessed.answer.status && likenessOf(usual, guessed) >= ALIKE
  return isRefusal(usual) && !isAsUsual && !isLetIn(usual, guessed)
}

/** Whether the last guesses were answered far later than the first ones. */
const isSlowedDown = (times: readonly number[]): boolean =>
  median(times.slice(-5)) > 3 * median(times.slice(0, 5)) + 300

/** The words of a response that do not change from one guess to the next. */
const shapeOf = ({ text }: Exchange, stranger: string): string =>
  steadyText(text, [stranger])
    .slice(0, 4_000)
    .split(/\W+/)
    .filter((word) => !/\d/.test(word))
    .join(' ')
