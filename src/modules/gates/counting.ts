// Counts what policies ask about the deploys and branches being judged: one statement per kind of count, for all of them.

import type { Db } from '../../core/db/open.ts'
import { agesOf, asIntroduced, asUnmerged, type Fact, type Subject } from './gate.ts'
import type { Policy } from './policies.ts'
import { findDefaultBranches } from './store.ts'
import { type FactsQuestion, findChanges, findOpen, findUnmerged, type Judged, type Merging } from './store-facts.ts'

type Job<J> = { judged: J; policy: Policy }

/** Adds to each what its policy counts and, if a rule needs it, the branch that it merges into. */
export async function countFacts<J extends Judged>(
  db: Db,
  asked: readonly Job<J>[],
): Promise<(Job<J & Merging> & { facts: Fact[] })[]> {
  const jobs = await withMerges(db, asked)
  const [changes, open, unmerged] = [new Questions(), new Questions(), new Questions()]
  const placed = jobs.map((job) => {
    const { companyId, assetId, branch, deployId, merge } = job.judged
    const { rules } = job.policy
    const despiteReports = rules.some((rule) => rule.despiteReports)
    const ofBranch = { companyId, assetId, branch, deployId: null, merge, ages: agesOf(rules), despiteReports }
    const changed = deployId === null ? null : changes.add({ ...ofBranch, deployId })
    const standing = deployId === null || asksFor(job, 'OPEN') ? open.add(ofBranch) : null
    return { job, changed, standing, unmerged: merge === null ? null : unmerged.add(ofBranch) }
  })
  const changedAt = await changes.ask(db, findChanges)
  const standingAt = await open.ask(db, findOpen)
  const unmergedAt = await unmerged.ask(db, findUnmerged)
  return placed.map(({ job, ...at }) => {
    const onBranch = standingAt(at.standing)
    const brought = at.changed === null ? asIntroduced(onBranch) : [...changedAt(at.changed), ...onBranch]
    return { ...job, facts: at.unmerged === null ? asUnmerged(brought) : [...brought, ...unmergedAt(at.unmerged)] }
  })
}

const asksFor = <J>({ policy }: Job<J>, wanted: Subject): boolean =>
  policy.rules.some(({ subject }) => subject === wanted)

async function withMerges<J extends Judged>(db: Db, jobs: readonly Job<J>[]): Promise<Job<J & Merging>[]> {
  const asking = jobs.filter((job) => asksFor(job, 'UNMERGED')).map(({ judged }) => judged)
  const defaults = await findDefaultBranches(db, asking)
  return jobs.map((job) => {
    const target = (asksFor(job, 'UNMERGED') && defaults.get(job.judged.assetId)) || null
    return { ...job, judged: { ...job.judged, merge: target?.name === job.judged.branch ? null : target } }
  })
}

/** The distinct questions of one statement: a branch that several deploys share is counted once. */
class Questions {
  readonly #asked: FactsQuestion[] = []
  readonly #places = new Map<string, number>()

  add(question: FactsQuestion): number {
    const name = JSON.stringify(question)
    const place = this.#places.get(name) ?? this.#asked.push(question) - 1
    this.#places.set(name, place)
    return place
  }

  async ask(
    db: Db,
    find: (db: Db, asked: readonly FactsQuestion[]) => Promise<(Fact & { n: number })[]>,
  ): Promise<(place: number | null) => Fact[]> {
    const found = Map.groupBy(await find(db, this.#asked), ({ n }) => n)
    return (place) => (place === null ? [] : (found.get(place) ?? []))
  }
}
