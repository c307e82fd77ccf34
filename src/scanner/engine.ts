// Runs a scan: seeding, sessions, a first pass with normal values, then the checks for each operation; it always ends in a named state.

import { defaultBudget } from './budget.ts'
import { reasonToSkip } from './chosen.ts'
import { type Equipment, openEquipment, targetOf } from './equipment.ts'
import { exhaustion } from './exhaustion.ts'
import { firstPass } from './first-pass.ts'
import { signIn } from './login/sign-in.ts'
import { settleTokenWays } from './login/token-way.ts'
import type { ScanOptions } from './options.ts'
import { type Ending, type Outcome, ScanStopped } from './outcome.ts'
import { ownAccountsAmong } from './own-accounts.ts'
import { openPace } from './pace.ts'
import { reached } from './reach.ts'
import { openRecord, readEnd, type ScanRecord } from './record.ts'
import { withoutRecorded } from './recorded-credentials.ts'
import { withNobody } from './resets.ts'
import { runChecks } from './run-checks.ts'
import { notFoundPageOf } from './seed/behind-paths.ts'
import { type Seeds, seedsOf } from './seed/index.ts'
import type { Operation } from './types.ts'
import { leaveOutUnseen, listOf } from './unseen.ts'
import { openValueBank } from './values.ts'

/** Scans a target. Never rejects: failures become the state of the outcome, which has the findings until then. */
export async function scan(options: ScanOptions): Promise<Outcome> {
  const budget = { ...defaultBudget, ...options.budget }
  const pace = openPace(budget, options.signal)
  const record = openRecord(options, pace)
  const closers: (() => void | Promise<void>)[] = [pace.close, record.telling.stop]
  const closing = (close: () => void | Promise<void>) => void closers.push(close)

  let end: { state: Ending; reason: string | null } = { state: 'COMPLETED', reason: null }
  try {
    const target = targetOf(options)
    const equipment = await openEquipment(target, { options, budget, pace, record, closing })
    await signInAll(equipment, record)
    const seeds = await seedsFor(target, options, equipment, record)
    await askAll(seeds, options, equipment, record)
    await check(equipment, record, budget.concurrency)
  } catch (error) {
    end = readEnd(pace.stopped() ?? error)
  }
  pace.stop(new ScanStopped(end.state))
  for (const close of closers.reverse()) await close()
  return record.outcome(end.state, end.reason)
}

async function signInAll({ sessions, laboratory, pages, context }: Equipment, { telling }: ScanRecord): Promise<void> {
  const people = sessions.filter(({ identity }) => identity.login)
  telling.enter('sign-in', people.length)
  for (const session of people) {
    const fault = await signIn(session, laboratory.send, pages, context.signal)
    if (fault !== null) throw new ScanStopped('LOGIN_FAILED', fault)
    telling.advance()
  }
}

async function seedsFor(
  target: URL,
  options: ScanOptions,
  { scope, sessions, main, laboratory, context }: Equipment,
  { telling, notes }: ScanRecord,
): Promise<Seeds> {
  telling.enter('seeds')
  return seedsOf({
    options,
    target,
    scope,
    sessions,
    send: laboratory.send,
    credentials: main.credentials,
    signal: context.signal,
    ask: laboratory.ask,
    note: (sentence) => void notes.push(sentence),
  })
}

/** The first pass over the operations that may be sent, and over those that they lead to. */
async function askAll(seeds: Seeds, options: ScanOptions, equipment: Equipment, record: ScanRecord): Promise<void> {
  const { scope, sessions, main, seen, context } = equipment
  const bank = openValueBank()
  const askable = (given: readonly Operation[]) => {
    const kept = given.filter((operation) => {
      const reason = reasonToSkip(operation, options, scope)
      if (reason) record.skipped.push({ operation: operation.key, reason })
      return reason === null
    })
    const asked = kept.map((operation) => withoutRecorded(operation, context.identities))
    return options.allowDestructive ? asked : asked.map(withNobody)
  }
  const askOnce = (operations: Operation[]) => {
    record.telling.enter('first-pass', operations.length)
    return firstPass({ operations, sessions, main, context, bank, seen, onAsked: record.telling.advance })
  }
  const seeded = askable(seeds.operations)
  const hasOnlyPages = !options.schema && options.profile !== 'BASIC'
  const first = seeded.length === 0 && hasOnlyPages ? askable(await notFoundPageOf(context)) : seeded
  record.operations = first
  if (first.length === 0) throw new ScanStopped('NOTHING_TO_SCAN')
  await settleTokenWays(sessions, first, context)
  record.operations = await reached(first, { seeds, askable, askOnce, seen, context })
  const accounts = ownAccountsAmong(record.operations, seen)
  if (accounts === null) return
  record.notes.push(accounts.note)
  record.accountPassword = accounts.password
}

async function check(equipment: Equipment, record: ScanRecord, concurrency: number): Promise<void> {
  const { checks, sessions, laboratory, asking, seen, context, settle } = equipment
  for (const { cwes } of checks) for (const cwe of cwes) record.coveredCwes.add(cwe)
  const isEquipped = checks.filter(({ usesListener }) => !usesListener || settle !== null)
  record.looked.push(exhaustion.id, ...isEquipped.map(({ id }) => id))
  for (const session of sessions) session.holdPreferences()
  await runChecks({
    checks,
    context,
    operations: () => record.operations,
    forget: asking.forget,
    looked: (check, operation) => {
      const { key } = operation
      const isAnswered = seen.find(operation) !== undefined && !laboratory.wasSilent(key)
      if (isAnswered && (check.isRefutedByLimit || !laboratory.isLimited(key)))
        record.coverage.noteLook(check, operation)
    },
    telling: record.telling,
    concurrency,
  })
  if (settle) {
    record.telling.enter('out-of-band')
    await settle()
  }
  leaveOutUnseen(record, sessions, seen)
  const silent: Operation[] = []
  for (const operation of record.operations) {
    const isGivenUp = laboratory.isGivenUp(operation.key)
    if (laboratory.isHurried(operation.key)) record.coverage.leaveOut(operation)
    if (isGivenUp || !seen.find(operation))
      record.skipped.push({
        operation: operation.key,
        reason: isGivenUp ? 'it stopped responding' : 'it did not respond',
      })
    if (!isGivenUp && !seen.find(operation)) silent.push(operation)
  }
  if (silent.length > 0) record.notes.push(`Operations that did not respond were not tested: ${listOf(silent)}`)
}
