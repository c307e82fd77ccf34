// Decides the outcome of a set of reports: reads the known findings and matches them, bucket by bucket.

import { randomBytes } from 'node:crypto'
import type { Db, Trx } from '../../../core/db/open.ts'
import type { IssueRecord } from '../store.ts'
import { type Decision, decideKnown, decideNew, type Observation } from './decide.ts'
import type { Extent, Match } from './evidence.ts'
import { birthKeyOf, bucketOf, type Finding, identityOf } from './finding.ts'
import { matchBucket } from './identity.ts'
import { ruleFor, withinTitle } from './rules.ts'
import type { Scan } from './scan.ts'
import { candidateOf, carryToHead, observedOf, type ScannedFinding } from './standing.ts'
import { findKnown, type KnownFinding, type Wanted } from './store-known.ts'

/**
 * MATCH: each finding is matched with the known ones. CREATE: each becomes a new one. WHOLE and PARTIAL as in Extent. `isAudited`: each
 * change gets an audit record; an import writes one for all of them itself. `seen`: issues that the same report has contained already.
 * `isAlone`: the asset has no findings of other tools. `shown`: the fields of the issue to read at least; all by default.
 */
export type RecordOptions = {
  mode: 'MATCH' | 'CREATE'
  extent: Extent
  isAudited: boolean
  seen?: Pick<ReadonlySet<string>, 'has'>
  shown?: readonly (keyof IssueRecord)[]
  isAlone?: boolean
}

/** A reported finding, with its index in the call. */
export type Task = ScannedFinding & { index: number }

/** `repeats`: the index of an equal report in the same call, whose outcome also applies to this one. */
export type Decided = { index: number; scan: Scan; decision: Decision; repeats: number | null }

/** Buckets whose known findings are read together: they may be a hundred times as many as what a report has in them. */
const MOST_BUCKETS = 100

/**
 * Matches every task within its bucket. One statement, one more for each further MOST_BUCKETS whole buckets, and one more if a scan is of an
 * older commit. `attempt` counts from 0: later attempts give a new finding another birth key, in case another finding had the first one.
 */
export async function decide(
  db: Db | Trx,
  tasks: readonly Task[],
  options: RecordOptions,
  attempt: number,
): Promise<Decided[]> {
  const companyId = tasks[0]?.scan.companyId ?? ''
  const carried = await carryToHead(db, companyId, tasks)
  const entries = carried.map((entry, n) => ({ ...entry, n, index: tasks[n]?.index ?? n }))
  if (options.mode === 'CREATE') return decideEntries(entries, [], options, attempt)
  const decided: Decided[] = []
  for (const part of options.extent === 'WHOLE' ? partsOf(entries) : [entries]) {
    const wanted = wantedOf(
      part.map(({ observation }) => observation),
      options.extent,
      attempt,
    )
    const known = await findKnown(db, companyId, scopesOf(part), wanted)
    decided.push(...decideEntries(part, known, options, attempt))
  }
  return decided
}

function partsOf(entries: readonly Entry[]): Entry[][] {
  const buckets = Map.groupBy(entries, ({ scan, observation }) => bucketOf(scan.assetId, observation.finding))
  const all = [...buckets.values()]
  return all.flatMap((_, at) => (at % MOST_BUCKETS === 0 ? [all.slice(at, at + MOST_BUCKETS).flat()] : []))
}

type Entry = { n: number; index: number; scan: Scan; observation: Observation }

/** As decide, for data that is already read and carried. */
export function decideEntries(
  entries: readonly Entry[],
  known: readonly KnownFinding[],
  options: RecordOptions,
  attempt: number,
): Decided[] {
  const rules = new Map(entries.map(({ scan }) => [scan.assetId, scan.rules]))
  const knownByBucket = Map.groupBy(known, (one) =>
    bucketOf(one.assetId, {
      type: one.type,
      toolName: one.tool,
      rule: one.rule,
      ...withinTitle(ruleFor(rules.get(one.assetId) ?? null, one.tool), one.title),
    }),
  )
  const decided: Decided[] = []
  const buckets = Map.groupBy(entries, ({ scan, observation }) => bucketOf(scan.assetId, observation.finding))
  for (const [bucket, members] of buckets) {
    decided.push(...decideBucket(members, knownByBucket.get(bucket) ?? [], options, attempt))
  }
  return decided
}

function decideBucket(
  members: readonly Entry[],
  known: readonly KnownFinding[],
  options: RecordOptions,
  attempt: number,
): Decided[] {
  const identities = new Map(
    members.map((one) => {
      const { scan, observation } = one
      return [one, identityOf(scan.assetId, scan.branch, scan.commit, observation.finding)]
    }),
  )
  const identityOfEntry = (entry: Entry): string => identities.get(entry) ?? ''
  const isNew = options.mode === 'CREATE'
  const distinct = new Map(members.toReversed().map((one) => [identityOfEntry(one), one]))
  const firsts = isNew ? [...members] : [...distinct.values()].reverse()
  const rows = distinguishing(firsts, known, options)
  const born = new Set(known.map(({ birthKey }) => birthKey))
  const scan = firsts.find((one) => !one.scan.isExact)?.scan ?? firsts[0]?.scan
  const candidates = scan ? rows.map((one) => candidateOf(one, scan, options.seen?.has(one.id))) : []
  const rowOf = new Map(candidates.map((candidate, at) => [candidate, rows[at]]))
  const ownLast = candidates.toSorted((one, other) => Number(one.isOwnBranch) - Number(other.isOwnBranch))
  const byBirth = new Map(ownLast.map((candidate) => [rowOf.get(candidate)?.birthKey, candidate]))
  const again = firsts.map((entry) => byBirth.get(keptKeyOf(entry, identityOfEntry(entry)) ?? undefined))
  const taken = new Set(again.map((candidate) => candidate?.issueId))
  const left = firsts.filter((_, at) => !again[at])
  const free = candidates.filter(({ issueId }) => !taken.has(issueId))
  const observed = left.map(({ observation }) => observedOf(observation))
  const found = matchBucket(observed, free, options.extent, firsts[0]?.observation.finding.counts)[Symbol.iterator]()
  const matches = again.map((candidate): Match | undefined =>
    candidate ? { matchedBy: 'FINGERPRINT', candidate } : found.next().value,
  )
  const decided = firsts.map((entry, at): Decided => {
    const match: Match = matches[at] ?? { matchedBy: 'NEW', candidate: null }
    const one = match.candidate ? rowOf.get(match.candidate) : undefined
    const key = one ? '' : isNew ? randomBytes(32).toString('hex') : birth(identityOfEntry(entry), born, attempt)
    const decision = one
      ? decideKnown(entry.n, entry.scan, entry.observation, match, one)
      : decideNew(entry.n, entry.scan, entry.observation, key)
    return { index: entry.index, scan: entry.scan, decision, repeats: null }
  })
  if (firsts.length === members.length) return decided
  const spoken = new Map(firsts.map((entry, at) => [identityOfEntry(entry), decided[at]]))
  const chosen = new Set(firsts)
  const repeated = members.filter((entry) => !chosen.has(entry))
  return [...decided, ...repeated.flatMap((entry) => repeat(entry, spoken.get(identityOfEntry(entry))))]
}

/** Exported findings are already distinct, so none of them may match a finding that the same file has contained. */
function distinguishing(entries: readonly Entry[], known: readonly KnownFinding[], { seen }: RecordOptions) {
  const isKept = entries.some(({ observation: { finding } }) => finding.kept !== undefined)
  return isKept && seen ? known.filter(({ id }) => !seen.has(id)) : [...known]
}

/** The birth key that an exported finding got when the same file was imported before; null for a scanner's finding. */
const keptKeyOf = ({ observation: { finding } }: Entry, identity: string): string | null =>
  finding.kept ? birthKeyOf(identity, 0) : null

/** The same report twice in one call becomes one finding. */
const repeat = ({ index, scan }: Entry, first: Decided | undefined): Decided[] =>
  first ? [{ index, scan, decision: first.decision, repeats: first.decision.write.n }] : []

function birth(identity: string, born: Set<string>, from: number): string {
  for (let turn = from; ; turn++) {
    const key = birthKeyOf(identity, turn)
    if (born.has(key)) continue
    born.add(key)
    return key
  }
}

const scopesOf = (tasks: readonly Pick<Task, 'scan'>[]) => {
  const scopes = tasks.map(({ scan: { assetId, branch, breakId, breakAt } }) => ({ assetId, branch, breakId, breakAt }))
  return [...new Map(scopes.map((scope) => [JSON.stringify(scope), scope])).values()]
}

/** A bucket of up to this many findings, and up to so many for each observation, is read as a whole. */
const SMALL_BUCKET = 1000
const MOST_FOR_EACH = 4

/**
 * What to read from the database to match the observations. Of a bucket that is much larger than a whole report, only findings that share
 * something with it, so that a small report reads little. Later attempts read whole buckets, because among them is the finding that has a
 * new one's birth key already.
 */
export function wantedOf(all: readonly Observation[], extent?: 'PARTIAL'): Extract<Wanted, { extent: 'PARTIAL' }>
export function wantedOf(all: readonly Observation[], extent: Extent, attempt: number): Wanted
export function wantedOf(all: readonly Observation[], extent: Extent = 'PARTIAL', attempt = 0): Wanted {
  const distinct = (values: readonly (string | null | undefined)[]) => [
    ...new Set(values.filter((value): value is string => value !== null && value !== undefined)),
  ]
  const buckets = {
    types: distinct(all.map(({ finding }) => finding.type)),
    rules: distinct(all.map(({ finding }) => (finding.within === undefined ? finding.rule : null))),
    titles: distinct(all.map(({ finding }) => (finding.within === undefined ? null : finding.fields.title))),
  }
  if (extent === 'WHOLE' && (attempt > 0 || !all.every(isFoundByShared))) return { extent, ...buckets, beyond: null }
  const shared = {
    toolIds: distinct(all.map(({ finding }) => finding.fields.originalIssueIdFromTool)),
    fingerprints: distinct(all.map(({ finding }) => finding.fields.fingerprint)),
    partialFingerprints: distinct(all.map(({ finding }) => finding.fields.partialFingerprint)),
    paths: distinct(all.flatMap(({ finding, place }) => pathsOf(finding, place.path))),
    snippetHashes: distinct(all.map(({ finding }) => finding.snippet?.hash)),
  }
  if (extent === 'PARTIAL') return { extent, ...buckets, ...shared }
  return { extent, ...buckets, beyond: { ...shared, most: Math.max(SMALL_BUCKET, MOST_FOR_EACH * all.length) } }
}

/** Exported findings are recognised by the key with which they were created, and what has no path by its token alone. */
const isFoundByShared = ({ finding, place }: Observation): boolean =>
  finding.kept === undefined && (place.path !== null || place.token === null)

/** A component without a file is looked up by name alone, because all such components share the empty path. */
const pathsOf = ({ place, snippet }: Finding, carried: string | null): (string | null)[] =>
  place.path === '' && place.token !== null && snippet !== null ? [] : [place.path, carried]
