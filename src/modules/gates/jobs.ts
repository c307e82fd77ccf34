// The worker's tasks for gates: judges a deploy when its findings have changed, and emits an event when it becomes blocked or passes again.

import { type Db, transaction } from '../../core/db/open.ts'
import { type Id, idsIn } from '../../core/ids.ts'
import type { WorkParts } from '../context.ts'
import { JUDGE_ALL_TASK, JUDGE_TASK, tell } from '../events/service.ts'
import type { Task } from '../types.ts'
import { askForVerdicts } from './asking.ts'
import { gateKey, loadLastingGates } from './service.ts'
import { findJudged, listJudged, listTimedOwners, saveVerdict, saveVerdicts } from './store-verdicts.ts'

/** Deploys judged in one transaction. */
const AT_ONCE = 500

type Judging = Pick<WorkParts, 'db' | 'upward'>

/** Judges the deploy and stores the verdict; an event is emitted for a blocking verdict, and for the first later one that does not block. */
async function judgeDeploy({ db, upward }: Judging, companyId: Id, id: Id): Promise<void> {
  await transaction(db, async (trx) => {
    const deploy = await findJudged(trx, companyId, id)
    if (deploy === null) return
    const key = gateKey(deploy)
    const gate = (await loadLastingGates({ db: trx }, [key])).get(key)
    if (!gate) return
    const { decision, sentence, isJudged } = gate
    const before = await saveVerdict(trx, companyId, id, decision)
    await upward.followVerdict(trx, deploy)
    const isBlocked = decision === 'BLOCK'
    if ((before === 'BLOCK') === isBlocked) return
    const { assetId, branchName } = deploy
    const data = {
      assetId,
      ...(branchName === null ? {} : { branchName }),
      decision,
      isJudged,
      sentence: sentence.slice(0, 1000).toWellFormed(),
    }
    await tell(trx, { companyId, kind: isBlocked ? 'deploy.gate_blocked' : 'deploy.gate_passed', objectId: id, data })
  })
}

/**
 * Judges all deploys of an asset or of a company, and stores the verdicts that have changed. Events are emitted only for the newest deploy of
 * a branch: a changed policy is no news about what was deployed long ago.
 */
async function judgeDeploys(parts: Judging, companyId: Id, assetId: Id | null): Promise<void> {
  let below: Id | null = null
  for (;;) {
    const { last, heads } = await transaction(parts.db, async (trx) => {
      const deploys = await listJudged(trx, { companyId, assetId, below }, AT_ONCE)
      const gates = await loadLastingGates({ db: trx }, deploys.map(gateKey))
      const changed = deploys.flatMap((deploy) => {
        const decision = gates.get(gateKey(deploy))?.decision
        return decision === undefined || decision === deploy.before ? [] : [{ ...deploy, decision }]
      })
      const quiet = changed.filter(({ isHead }) => !isHead)
      if (quiet.length > 0) await saveVerdicts(trx, companyId, quiet)
      return { last: deploys.at(-1)?.id ?? null, heads: changed.filter(({ isHead }) => isHead) }
    })
    for (const { id } of heads) await judgeDeploy(parts, companyId, id)
    if (last === null) return
    below = last
  }
}

/** Judges again where rules depend on the age of findings, because time alone then changes verdicts. */
async function judgeByTime(db: Db): Promise<void> {
  for (const owner of await listTimedOwners(db)) await transaction(db, (trx) => askForVerdicts(trx, owner))
}

export const tasks: readonly Task[] = [
  {
    name: JUDGE_TASK,
    run: async (parts, payload) => {
      const key = idsIn(payload, 'companyId', 'id')
      if (key) await judgeDeploy(parts, key.companyId, key.id)
    },
  },
  {
    name: JUDGE_ALL_TASK,
    run: async (parts, payload) => {
      const company = idsIn(payload, 'companyId')
      if (company) await judgeDeploys(parts, company.companyId, idsIn(payload, 'assetId')?.assetId ?? null)
    },
  },
  { name: 'judge-by-time', cron: '37 * * * *', run: ({ db }) => judgeByTime(db) },
]
