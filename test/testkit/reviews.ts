// Shared by the tests of reviews: a deploy that adds files, its review by the worker's own function, and its outcome.

import { sql } from 'kysely'
import { runReview } from '../../src/modules/reviews/jobs.ts'
import { kinds } from '../../src/review/secrets/kinds/index.ts'
import { type Data, run } from './client.ts'
import { commit, inline, type newHome, PIPELINE } from './deploys.ts'
import { chanceOf, tokenOf } from './secret-samples.ts'
import { services } from './service.ts'

type Home = Awaited<ReturnType<typeof newHome>>

const REVIEW = `review { state reason files packages findings created unread { path area reason } controlSyncStatusId
  createdAt startedAt finishedAt }`

const SHOWN = `query ($id: ID!) { deploy(id: $id) { id ${REVIEW}
  introduced { collection { id ... on Issue { __typename title severity status
    ... on SecretFinding { detail { fileName vulnerableLine codeSnippet } } ... on ScaFinding { component: detail { package affectedVersion patchedVersion cve fileName } } } } } } }`

export const parts = async () => {
  const [service] = await services()
  if (!service) throw new Error('No service was started')
  return service.app.parts
}

/** A deploy of this diff on main; each commit is one digit repeated. */
export async function deployed(home: Home, diff: string, from = '1', to = '2'): Promise<Data> {
  const input = { assetId: home.assetId, previousCommit: commit(from), currentCommit: commit(to), branchName: 'main' }
  return (await run(home.key, PIPELINE, { ...input, diffContent: inline(diff), commitHistory: null })).createDeploy
    .deploy
}

/** Runs the deploy's review, and resolves to the deploy as it is then. */
export async function reviewed(home: Home, id: string, longest?: number): Promise<Data> {
  await runReview(await parts(), { companyId: home.companyId, id }, longest)
  return shownDeploy(home, id)
}

export const shownDeploy = async ({ key }: Home, id: string): Promise<Data> => (await run(key, SHOWN, { id })).deploy

/** A token of the kind, the same in every run. */
export function tokenOfKind(id: string): string {
  const kind = kinds.find((each) => each.id === id)
  if (!kind) throw new Error(`There is no kind ${id}`)
  return tokenOf(kind, chanceOf(11))
}

/** The number of jobs waiting to review a deploy. */
export async function waitingReviews(id: string): Promise<number> {
  const { db } = await parts()
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from graphile_worker._private_jobs as job
    join graphile_worker._private_tasks as task on task.id = job.task_id
    where task.identifier = 'review-deploy' and job.payload ->> 'id' = ${id}`.execute(db)
  return rows[0]?.count ?? 0
}
