// Runs a scan: seeds, sessions, a first pass with normal values, checks one operation after the other, and always an end with a name.

import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { nothingAllowed } from '../core/outbound-address.ts'
import { checks as allChecks } from './checks/index.ts'
import { likenessOf } from './compare.ts'
import { exhaustion, sightingOf } from './exhaustion.ts'
import { openFindings } from './findings.ts'
import { firstPass } from './first-pass.ts'
import { freshTokens } from './fresh-tokens.ts'
import { openTransport } from './http.ts'
import { identityOf, openLaboratory } from './laboratory.ts'
import type { Pages } from './login/page.ts'
import { signIn } from './login/sign-in.ts'
import { openListener } from './out-of-band.ts'
import { type Ending, type Outcome, ScanStopped, SendFailed } from './outcome.ts'
import { openPace } from './pace.ts'
import { openPassive } from './passive.ts'
import { pointsOf, requestOf, textOf } from './points.ts'
import { reached } from './reach.ts'
import { routeOf } from './routes.ts'
import { runChecks } from './run-checks.ts'
import { isInScope, isNamedInScope } from './scope.ts'
import { SeedFault } from './seed/fault.ts'
import { identityIn, seedsOf } from './seed/index.ts'
import { openSeen } from './seen.ts'
import { openSession } from './session.ts'
import { openTelling } from './telling.ts'
import type { Baseline, Budget, Check, Context, Identity, Operation, Profile, ScanOptions, Scope } from './types.ts'
import { openValueBank } from './values.ts'

export const defaultBudget: Budget = {
  requests: 100_000,
  time: 3_600_000,
  rate: 200,
  concurrency: 6,
  timeout: 20_000,
  largest: 1024 * 1024,
}

/** Who sends when no identity is given: nobody, but with cookies. */
const visitor: Identity = { name: 'visitor', headers: [], cookies: [], query: [] }

/** 40 random bits between two letters. */
const word = () => {
  const id = randomUUID()
  return `m${id.slice(0, 8)}${id.slice(9, 11)}x`
}

const ranks = { BASIC: 0, BALANCED: 1, DEEP: 2 } as const satisfies Record<Profile, number>

/** Scans a target. Never rejects: what goes wrong is the outcome's state, and what was found stands. */
export async function scan(options: ScanOptions): Promise<Outcome> {
  const began = performance.now()
  const findings = openFindings()
  const budget = { ...defaultBudget, ...options.budget }
  const pace = openPace(budget, options.signal)
  const target = URL.parse(options.target)
  let operations: Operation[] = []
  const skipped: { operation: string; reason: string }[] = []
  const notes: string[] = []
  const coveredCwes = new Set<number>()
  const looked: string[] = []
  let failures = () => 0
  const telling = openTelling((standing) => {
    const [requests, found] = [pace.requests(), findings.all().length]
    options.events?.onProgress?.({ ...standing, operations: operations.length, requests, findings: found })
  })
  const closers: (() => void | Promise<void>)[] = [pace.close, telling.stop]

  const work = async (): Promise<Ending> => {
    if (target === null || !/^https?:$/.test(target.protocol))
      throw new ScanStopped('TARGET_REFUSED', 'it is no address of HTTP')
    target.hash = ''
    const scope: Scope = {
      origins: [...new Set([target.origin, ...(options.scope?.origins ?? [])])],
      include: options.scope?.include ?? [],
      exclude: options.scope?.exclude ?? [],
    }
    const allowed = options.allowed ?? nothingAllowed
    const transport = openTransport({ allowed, connections: budget.concurrency, signal: pace.signal })
    closers.push(transport.close)
    const own = options.identities.length === 0 && options.schema ? identityIn(options.schema.text) : null
    const identities = own ? [own] : options.identities
    const main = openSession(identities[0] ?? visitor)
    const sessions = new Map([[main.identity.name, main]])
    for (const identity of identities.slice(1)) sessions.set(identity.name, openSession(identity))
    const pages: Pages = options.browser === false ? null : { target, scope, signal: pace.signal }
    const laboratory = openLaboratory({
      transport,
      pace,
      budget,
      scope,
      target,
      scanId: options.scanId ?? randomBytes(8).toString('hex'),
      sessions,
      main,
      signIn: async (session) => (await signIn(session, laboratory.send, pages, pace.signal)) === null,
      onOutage: (outage) => report(exhaustion, sightingOf(outage)),
    })
    failures = laboratory.failures
    const chosen = allChecks.filter((check) => isChosen(check, options))
    const outOfBand = chosen.some(({ usesListener }) => usesListener)
      ? await openListener(options.listener ?? null, (sentence) => void notes.push(sentence))
      : null
    if (outOfBand) closers.push(outOfBand.close)
    const seen = openSeen()
    const bank = openValueBank()
    const baselines = new Map<string, Promise<Baseline | null>>()
    const secrets = () => [...sessions.values()].flatMap((session) => session.secrets())

    const report: Context['report'] = (check, sighting) => {
      const { operation, point, cause } = sighting
      const route = operation && point ? routeOf(operation, point, operations) : null
      const finding = findings.add(check, { ...sighting, cause: cause ?? route ?? undefined }, secrets)
      if (finding) options.events?.onFinding?.(finding)
    }
    const attempt: Context['attempt'] = async (operation, changes = [], more = {}) => {
      if (laboratory.isGivenUp(operation.key)) return null
      try {
        const sender = identityOf({ ...more, operation })
        const tokens = operation.tokens ? await freshTokens(operation, changes, laboratory.send, sender) : []
        const values = changes.map(({ value }) => textOf(value))
        return await laboratory.send(requestOf(operation, [...changes, ...tokens]), { ...more, operation, values })
      } catch (error) {
        if (error instanceof SendFailed) return null
        throw error
      }
    }
    const baseline: Context['baseline'] = (operation) => {
      const known = baselines.get(operation.key)
      if (known) return known
      const made = (async () => {
        const exchange = await attempt(operation)
        const again = exchange ? await attempt(operation) : null
        return exchange && again ? { exchange, again, likeness: likenessOf(exchange, again) } : null
      })()
      baselines.set(operation.key, made)
      // none while the target is silent does not mean none later
      void made.then((one) => one ?? baselines.delete(operation.key)).catch(() => {})
      return made
    }
    const context: Context = {
      profile: options.profile,
      target,
      scope,
      get operations() {
        return operations
      },
      identities,
      requestOf,
      pointsOf,
      send: laboratory.send,
      attempt,
      baseline,
      seen: seen.find,
      word,
      number: (digits) => {
        const low = 10 ** (digits - 1)
        const number = randomInt(low, low * 10)
        return digits > 1 && number % 10 === 0 ? number + randomInt(1, 10) : number
      },
      asBrowser: options.browser === false ? null : main.credentials,
      outOfBand,
      report,
      signal: pace.signal,
    }

    const passive = chosen.filter((check) => check.kind === 'passive')
    laboratory.onExchange(openPassive(passive, context))

    const people = [...sessions.values()].filter(({ identity }) => identity.login)
    telling.enter('sign-in', people.length)
    for (const session of people) {
      const fault = await signIn(session, laboratory.send, pages, pace.signal)
      if (fault !== null) throw new ScanStopped('LOGIN_FAILED', fault)
      telling.advance()
    }
    telling.enter('seeds')
    const seeds = await seedsOf({
      options,
      target,
      scope,
      sessions: [...sessions.values()],
      send: laboratory.send,
      credentials: main.credentials,
      signal: pace.signal,
      ask: laboratory.ask,
      note: (sentence) => void notes.push(sentence),
    })
    const askable = (given: readonly Operation[]) =>
      given.filter((operation) => {
        const reason = reasonToSkip(operation, options, scope)
        if (reason) skipped.push({ operation: operation.key, reason })
        return reason === null
      })
    operations = askable(seeds.operations)
    if (operations.length === 0) throw new ScanStopped('NOTHING_TO_SCAN')
    const everybody = { sessions: [...sessions.values()], main }
    const askOnce = (given: Operation[]) => {
      telling.enter('first-pass', given.length)
      return firstPass({ operations: given, ...everybody, context, bank, seen, onAsked: telling.advance })
    }
    operations = await reached(operations, { seeds, askable, askOnce, seen, context })
    for (const check of chosen) for (const cwe of check.cwes) coveredCwes.add(cwe)
    looked.push(exhaustion.id, ...chosen.filter(({ usesListener }) => !usesListener || outOfBand).map(({ id }) => id))
    for (const session of sessions.values()) session.holdPreferences()
    await runChecks({
      checks: chosen,
      context,
      operations: () => operations,
      forget: (operation) => baselines.delete(operation.key),
      telling,
      concurrency: budget.concurrency,
    })
    if (outOfBand) {
      telling.enter('out-of-band')
      await outOfBand.settle(pace.signal)
    }
    for (const operation of operations) {
      const reason = laboratory.isGivenUp(operation.key) ? 'it stopped answering' : 'it answered nothing'
      if (laboratory.isGivenUp(operation.key) || !seen.find(operation))
        skipped.push({ operation: operation.key, reason })
    }
    return 'COMPLETED'
  }

  let state: Ending
  let reason: string | null = null
  try {
    state = await work()
  } catch (error) {
    const ended = pace.stopped() ?? error
    ;({ state, reason } = readEnd(ended))
  }
  pace.stop(new ScanStopped(state))
  for (const close of closers.reverse()) await close()
  return {
    state,
    reason,
    findings: findings.all(),
    operations: operations.map(({ key }) => key),
    skipped,
    notes,
    coveredCwes: [...coveredCwes].sort((a, b) => a - b),
    looked,
    requests: pace.requests(),
    failures: failures(),
    ms: Math.round(performance.now() - began),
  }
}

function readEnd(error: unknown): { state: Ending; reason: string | null } {
  if (error instanceof ScanStopped) return { state: error.state, reason: error.message }
  if (error instanceof SeedFault) return { state: 'BAD_SCHEMA', reason: error.message }
  if (error instanceof SendFailed) {
    return {
      state: error.reason === 'FORBIDDEN_ADDRESS' ? 'TARGET_REFUSED' : 'TARGET_UNREACHABLE',
      reason: error.message,
    }
  }
  return { state: 'FAILED', reason: error instanceof Error ? error.message : String(error) }
}

function isChosen(check: Check, { profile, checks }: ScanOptions): boolean {
  if (checks) return checks.includes(check.id)
  return !check.isOnRequest && ranks[check.profile] <= ranks[profile]
}

function reasonToSkip(operation: Operation, { profile, allowDestructive }: ScanOptions, scope: Scope): string | null {
  if (!isInScope(requestOf(operation).url, scope) || !isNamedInScope(operation.key, scope)) return 'it is out of scope'
  if (operation.isDestructive && !allowDestructive) return 'it destroys, and was not asked for'
  if (profile === 'BASIC' && operation.kind !== 'read') return 'the profile only reads'
  return null
}
