// Batches the database requests of single reports that one caller sends at the same time: each round is one statement or transaction.

import { isRefused } from '../../../core/db/open.ts'
import { type Gather, openGather } from '../../../core/gathering.ts'
import type { Id } from '../../../core/ids.ts'
import { auditWhere, may } from '../../access/service.ts'
import type { Context, Viewer } from '../../context.ts'
import { columnsOf, type IssueRecord } from '../store.ts'
import { changeOfIssue } from './changes.ts'
import type { Decision } from './decide.ts'
import type { Scan } from './scan.ts'
import { type AtOnce, isWritten, writeAtOnce } from './store-at-once.ts'
import { type RepeatAsk, type Repeated, repeatReports } from './store-repeat.ts'
import { findReported, type ReportAsk, type Reported } from './store-report.ts'
import type { Written } from './store-write.ts'

/** The shortest path is taken only for viewers of at most this many companies. */
const FEW = 10

/** Reports per round; few enough that their new findings do not trigger replanning (MANY_NEW in record.ts). */
const MOST_ASKED = 100
const MOST_WRITTEN = 40

/** A decision with its write, and the request that it was made for. */
type Writing = AtOnce & { context: Context; scan: Scan; decision: Decision; id: Id }

type Fields = readonly (keyof IssueRecord)[]

type Gathers = {
  repeat: Map<Fields, Gather<RepeatAsk, Repeated | null>>
  find: Gather<ReportAsk, Reported>
  /** by company */
  write: Map<Id, Gather<Writing, Written | null>>
}

/** By viewer object, which is cached for at most a second in one process, so that requests of different callers never share a round. */
const gathers = new WeakMap<Viewer, Gathers>()

function gathersOf({ db, viewer }: Context): Gathers {
  const find = () =>
    openGather<ReportAsk, Reported>({
      most: MOST_ASKED,
      run: (asks) => findReported(db, viewer, asks),
      isRefusal: isRefused,
    })
  return madeOnce(gathers, viewer, () => ({ repeat: new Map(), find: find(), write: new Map() }))
}

function madeOnce<K, V>(
  known: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  make: () => V,
): V {
  const before = known.get(key)
  if (before !== undefined) return before
  const made = make()
  known.set(key, made)
  return made
}

/** Takes in a repeat of a finding's last report if nothing has changed since; otherwise null, also for viewers of many companies. */
export async function repeatTogether(context: Context, ask: RepeatAsk, shown: Fields): Promise<Repeated | null> {
  const { memberships } = context.viewer
  if (memberships === null || memberships.size > FEW) return null
  const run = (asks: readonly RepeatAsk[]) => repeatEach(context, asks, shown)
  if (context.db.isTransaction) return (await run([ask]))[0] ?? null
  const { repeat } = gathersOf(context)
  return madeOnce(repeat, shown, () => openGather({ most: MOST_ASKED, run, isRefusal: isRefused }))(ask)
}

/** Equal requests are asked once and share the answer. */
async function repeatEach(context: Context, asks: readonly RepeatAsk[], shown: Fields): Promise<(Repeated | null)[]> {
  const permitted: Id[] = []
  for (const id of context.viewer.memberships?.keys() ?? []) {
    if (await may(context, 'issues:write', id)) permitted.push(id)
  }
  if (permitted.length === 0) return asks.map(() => null)
  const names = asks.map(({ reportKey, reportAsk, scanId }) => `${reportKey} ${reportAsk} ${scanId}`)
  const distinct = new Map(asks.map((ask, at) => [names[at], ask]))
  const repeated = await repeatReports(context.db, permitted, [...distinct.values()], columnsOf(shown))
  const answers = new Map([...distinct.keys()].map((name, at) => [name, repeated[at] ?? null]))
  return names.map((name) => answers.get(name) ?? null)
}

/** The origin of the report, and what is known of its finding. */
export async function findTogether(context: Context, ask: ReportAsk): Promise<Reported> {
  const { db, viewer } = context
  if (!db.isTransaction) return gathersOf(context).find(ask)
  const [found] = await findReported(db, viewer, [ask])
  return found ?? { scan: undefined, known: [], newId: null }
}

/** Writes the decision and its audit record; null if it was skipped, see store-at-once.ts. Never inside a transaction. */
export async function writeTogether(writing: Writing): Promise<Written | null> {
  const { companyId } = writing.scan
  const open = () =>
    openGather<Writing, Written | null>({
      most: MOST_WRITTEN,
      run: (all) => writeAll(companyId, all),
      holds: ({ lockKeys }) => lockKeys,
      isRefusal: isRefused,
    })
  return madeOnce(gathersOf(writing.context).write, companyId, open)(writing)
}

async function writeAll(companyId: Id, all: readonly Writing[]): Promise<(Written | null)[]> {
  const [first] = all
  if (!first) return []
  const { db, viewer, keyring } = first.context
  const changes = all.map(({ context, id, decision }) => ({ context, change: changeOfIssue(companyId, id, decision) }))
  const beside = auditWhere({ keyring }, changes, isWritten)
  const written = await writeAtOnce(db, companyId, viewer.userId, all, beside)
  const byPlace = new Map(written.map((one) => [one.n, one]))
  return all.map((_, n) => byPlace.get(n) ?? null)
}
