// A scan's equipment, opened for one target: sessions, the laboratory, a listener, and what checks are given.

import { randomBytes } from 'node:crypto'
import { nothingAllowed } from '../core/outbound-address.ts'
import { type Asking, openAsking } from './asking.ts'
import type { Check, Context, OutOfBand } from './check.ts'
import { checks as allChecks } from './checks/index.ts'
import { isChosen } from './chosen.ts'
import { type Secrets, secretsAmong } from './evidence.ts'
import { exhaustion, sightingOf } from './exhaustion.ts'
import { openTransport } from './http.ts'
import { type Laboratory, openLaboratory } from './laboratory.ts'
import type { Pages } from './login/page.ts'
import { signIn } from './login/sign-in.ts'
import type { ScanOptions } from './options.ts'
import { openListener } from './out-of-band.ts'
import { ScanStopped } from './outcome.ts'
import type { Pace } from './pace.ts'
import { openPassive } from './passive.ts'
import { pointsOf, requestOf } from './points.ts'
import { number, word } from './random-values.ts'
import type { ScanRecord } from './record.ts'
import { routeOf } from './routes.ts'
import { signInScope } from './scope.ts'
import { identityIn } from './seed/index.ts'
import { ownPasswords } from './seed/own-password.ts'
import { openSeen, type Seen } from './seen.ts'
import { openSession, type Session } from './session.ts'
import { MOST_SIGN_INS } from './session-keeper.ts'
import type { Budget, Identity, Scope } from './types.ts'

export type Equipment = {
  scope: Scope
  sessions: readonly Session[]
  /** the session of requests without an identity */
  main: Session
  /** opens pages for sign-ins that need scripts; null if no browser may be used */
  pages: Pages
  laboratory: Laboratory
  checks: readonly Check[]
  asking: Asking
  seen: Seen
  context: Context
  /** Waits for late out-of-band requests; null without a listener. */
  settle: (() => Promise<void>) | null
}

type Work = {
  options: ScanOptions
  budget: Budget
  pace: Pace
  record: ScanRecord
  /** collects what to close at the end, in reverse order */
  closing: (close: () => void | Promise<void>) => void
}

/** The identity of requests if none is given: anonymous, but with cookies. */
const visitor: Identity = { name: 'visitor', headers: [], cookies: [], query: [] }

/** The address to scan. Throws ScanStopped if it is not an HTTP address. */
export function targetOf(options: ScanOptions): URL {
  const target = URL.parse(options.target)
  if (target === null || !/^https?:$/.test(target.protocol))
    throw new ScanStopped('TARGET_REFUSED', 'it is not an HTTP address')
  target.hash = ''
  return target
}

export async function openEquipment(target: URL, { options, budget, pace, record, closing }: Work): Promise<Equipment> {
  const scanId = options.scanId ?? randomBytes(8).toString('hex')
  const scope = scopeOf(scanId, target, options)
  const allowed = options.allowed ?? nothingAllowed
  const transport = openTransport({
    allowed,
    connections: budget.concurrency,
    signal: pace.signal,
  })
  closing(transport.close)

  const { identities, main, sessions, secrets } = openSessions(options, record)
  const report = reporting(options, record, secrets)
  const note = (sentence: string) => void record.notes.push(sentence)
  const pages: Pages =
    options.browser === false ? null : { target, scope: signInScope(scope), allowed, signal: pace.signal }
  const laboratory = openLaboratory({
    transport,
    pace,
    budget,
    scope,
    target,
    scanId,
    sessions,
    main,
    signIn: async (session) => (await signIn(session, laboratory.send, pages, pace.signal)) === null,
    onEnded: ({ identity }) => {
      record.coverage.spoil()
      note(endOf(identity))
    },
    onOutage: (outage) => report(exhaustion, sightingOf(outage)),
  })
  record.failures = laboratory.failures

  const checks = allChecks.filter((check) => isChosen(check, options))
  const listener = checks.some(({ usesListener }) => usesListener)
    ? await openListener(options.listener ?? null, note)
    : null
  if (listener) closing(listener.close)
  const asking = openAsking(laboratory)
  const seen = openSeen()
  const outOfBand: OutOfBand | null = listener
  const context: Context = {
    profile: options.profile,
    allowsDestructive: options.allowDestructive === true,
    target,
    scope,
    allowed,
    get operations() {
      return record.operations
    },
    identities,
    requestOf,
    pointsOf,
    send: laboratory.send,
    attempt: asking.attempt,
    baseline: asking.baseline,
    seen: seen.find,
    signedIn: ({ name }) => sessions.get(name)?.opened ?? null,
    cookies: () => main.credentials().cookies,
    pathOfCookie: main.pathOf,
    acrossSites: main.acrossSites,
    word,
    number,
    asBrowser: options.browser === false ? null : main.credentials,
    certificateFaults: transport.certificateFaults,
    outOfBand,
    report,
    signal: pace.signal,
  }
  laboratory.onExchange(record.coverage.noteAnswer)
  laboratory.onExchange(
    openPassive(
      checks.filter((check) => check.kind === 'passive'),
      context,
    ),
  )
  return {
    scope,
    sessions: [...sessions.values()],
    main,
    pages,
    laboratory,
    checks,
    asking,
    seen,
    context,
    settle: listener && (() => listener.settle(pace.signal)),
  }
}

const scopeOf = (scanId: string, target: URL, { scope }: ScanOptions): Scope => ({
  scanId,
  origins: [...new Set([target.origin, ...(scope?.origins ?? [])])],
  include: scope?.include ?? [],
  exclude: scope?.exclude ?? [],
})

/** A session for each identity by its name, the first of them `main`, and what of theirs no finding may show. */
function openSessions({ identities: given, schema }: ScanOptions, record: ScanRecord) {
  const own = given.length === 0 && schema ? identityIn(schema.text) : null
  const identities = own ? [own] : given
  const main = openSession(identities[0] ?? visitor)
  const sessions = new Map([[main.identity.name, main]])
  for (const identity of identities.slice(1)) sessions.set(identity.name, openSession(identity))
  const secrets = () => {
    const opened = [...sessions.values()]
    const values = [...ownPasswords, ...opened.flatMap((session) => session.secrets())]
    return secretsAmong(values, record.operations, new Set(opened.flatMap((session) => session.choices())))
  }
  return { identities, main, sessions, secrets }
}

/** Records what checks report, and tells whoever follows the scan of each new finding. */
const reporting =
  ({ events }: ScanOptions, record: ScanRecord, secrets: () => Secrets): Context['report'] =>
  (check, sighting) => {
    const { operation, point, cause } = sighting
    const route = operation && point ? routeOf(operation, point, record.operations) : null
    const finding = record.findings.add(check, { ...sighting, cause: cause ?? route ?? undefined }, secrets)
    if (finding) events?.onFinding?.(finding)
  }

/** A sentence on why the scan went on without the identity. */
const endOf = ({ name, login }: Identity): string =>
  login
    ? `The target ended more sessions than the scan opens again (${MOST_SIGN_INS}): from then on requests were sent without credentials, not as ${name}`
    : `The target no longer accepted the credentials of ${name}: from then on requests were sent without credentials`
