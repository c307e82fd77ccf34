// What the worker does for gates: judges a deploy when what it brought has changed, and tells when it comes to be blocked or passes again.

import { type Db, transaction } from '../../core/db/open.ts'
import { type Id, idsIn } from '../../core/ids.ts'
import { JUDGE_TASK, tell } from '../events/service.ts'
import type { Task } from '../types.ts'
import { tellFollowers } from './followers.ts'
import { gateKey, loadGates } from './service.ts'
import { findJudged, saveVerdict } from './store-verdicts.ts'

/** Judges the deploy and notes the verdict; an event tells of one that blocks, and of the first one after it that does not. */
async function judgeDeploy(db: Db, companyId: Id, id: Id): Promise<void> {
  await transaction(db, async (trx) => {
    const deploy = await findJudged(trx, companyId, id)
    if (deploy === null) return
    const key = gateKey(deploy)
    const gate = (await loadGates({ db: trx }, [key])).get(key)
    if (!gate) return
    const { decision, sentence } = gate
    const before = await saveVerdict(trx, companyId, id, decision)
    await tellFollowers(trx, deploy)
    const isBlocked = decision === 'BLOCK'
    if ((before === 'BLOCK') === isBlocked) return
    const { assetId, branchName } = deploy
    const data = {
      assetId,
      ...(branchName === null ? {} : { branchName }),
      decision,
      sentence: sentence.slice(0, 1000),
    }
    await tell(trx, { companyId, kind: isBlocked ? 'deploy.gate_blocked' : 'deploy.gate_passed', objectId: id, data })
  })
}

export const tasks: readonly Task[] = [
  {
    name: JUDGE_TASK,
    run: async ({ db }, payload) => {
      const key = idsIn(payload, 'companyId', 'id')
      if (key) await judgeDeploy(db, key.companyId, key.id)
    },
  },
]
