// Who is told that a deploy was judged anew, whatever the verdict came to.

import type { Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'

type Follower = (trx: Trx, deploy: { companyId: Id; id: Id; assetId: Id }) => Promise<void>

const followers: Follower[] = []

/** Said once by a module that shows verdicts elsewhere; it is called in the transaction that notes the verdict. */
export function provideVerdictFollower(follower: Follower): void {
  followers.push(follower)
}

export async function tellFollowers(trx: Trx, deploy: { companyId: Id; id: Id; assetId: Id }): Promise<void> {
  for (const follower of followers) await follower(trx, deploy)
}
