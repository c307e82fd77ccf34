// Reports a gate's verdict to the source host: a status on the commit, and a comment on its pull requests.

import { knownAddress, pages } from '../../core/console-links.ts'
import { sha256 } from '../../core/crypto.ts'
import { transaction } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import type { WorkParts } from '../context.ts'
import { findNewestDeploy, isOutdoneDeploy } from '../deploys/service.ts'
import { gateKey, loadLastingGates } from '../gates/service.ts'
import { isUnderReview } from '../reviews/service.ts'
import { keepingOutcome } from './follow.ts'
import { openSource } from './opened.ts'
import * as store from './store.ts'
import { commentOf, isPassed, titleOf } from './words.ts'

/**
 * Reports what has changed since the last report; safe to run twice. Waits until the deploy's diff has been reviewed: an earlier verdict
 * could pass code that nothing has examined.
 */
export async function reportDeploy(parts: WorkParts, { companyId, id }: { companyId: Id; id: Id }): Promise<void> {
  const { db } = parts
  const deploy = await findNewestDeploy(db, { companyId, id })
  const association = deploy && (await store.findSource(db, companyId, deploy.assetId))
  if (!deploy || !association || (await isUnderReview(db, { companyId, id }))) return
  if (await isOutdoneDeploy(db, deploy)) return
  await keepingOutcome(parts, association, async () => {
    const { source, session } = await openSource(parts, association)
    if (!session.settings.astScansEnabled) return
    const key = gateKey(deploy)
    const gate = (await loadLastingGates({ db }, [key])).get(key)
    if (!gate) return
    const url = `${knownAddress(parts.config)}${pages.deploy({ companyId, deployId: id })}`
    const { externalProjectId: projectId } = association
    const place = { projectId, branch: deploy.branchName ?? '', commit: deploy.currentCommit }
    const pullRequests = await source.findPullRequests(session, place)
    const report = {
      ...place,
      pullRequests,
      key: `merlon-${deploy.assetId}`,
      state: isPassed(gate) ? ('PASSED' as const) : ('FAILED' as const),
      title: titleOf(gate),
      summary: commentOf(gate, url),
      url,
    }
    const digest = sha256(JSON.stringify(report))
    if (await store.wasTold(db, companyId, id, digest)) return
    await source.reportCommit(session, report)
    await transaction(db, (trx) => store.noteTold(trx, companyId, id, digest))
  })
}
