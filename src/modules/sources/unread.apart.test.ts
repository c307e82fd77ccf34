// Diffs that cannot be read: no verdict is reported on a change that nobody could examine, through the route and the worker.

import { sql } from 'kysely'
import { beforeAll, expect, test, vi } from 'vitest'
import { askAt } from '../../../test/testkit/asking.ts'
import { startBitbucket } from '../../../test/testkit/bitbucket-host.ts'
import { run } from '../../../test/testkit/client.ts'
import type { Answer } from '../../../test/testkit/exchanges.ts'
import { HOST_A, saved } from '../../../test/testkit/integrations.ts'
import { type Service, startService } from '../../../test/testkit/service.ts'
import { cutInTheMiddle, webPage } from '../../../test/testkit/vendor-answers.ts'
import { newAsset, newDeploy, newWorld } from '../../../test/testkit/world.ts'
import { unknownOf } from '../gates/unknown.ts'
import { FOLLOW_TASK, LOOK_TASK, REPORT_TASK } from './jobs-of.ts'
import { isPassed, titleOf } from './words.ts'

const ASSOCIATE = `mutation ($input: AssociateProjectInput!) { associateProject(input: $input) {
  associatedProject { id } } }`
const ASSOCIATED = `query ($companyId: ID!, $assetId: ID) { associatedProjects(companyId: $companyId, assetId: $assetId) {
  collection { failure } } }`
const DEPLOYS = `query ($id: ID!) { deploysByAsset(assetId: $id) { collection { currentCommit diffState files } } }`

const TASKS = [FOLLOW_TASK, LOOK_TASK, REPORT_TASK, 'judge-deploy', 'review-deploy']

let service: Service

beforeAll(async () => {
  service = await startService({ MERLON_PUBLIC_URL: 'https://merlon.example.test' })
  await service.app.startWorker(TASKS)
  return () => service.app.stop()
})

/** A repository whose host gives this in the place of a diff, and was asked for it once. */
const newUnread = async (answer: Answer, said: string) => {
  const { companyId, owner } = await newWorld()
  const host = await startBitbucket()
  const whole = host.diff.answer
  host.diff.answer = answer
  const { id: assetId } = await newAsset(owner.key, companyId)
  const credential = { accessToken: `token-${host.commit}`, astScansEnabled: true }
  const { id: integrationId } = await saved(owner.key, HOST_A, { companyId, ...credential })
  const failure = async () =>
    (await run(owner.key, ASSOCIATED, { companyId, assetId })).associatedProjects.collection[0].failure
  const deploys = async () => (await run(owner.key, DEPLOYS, { id: assetId })).deploysByAsset.collection
  const input = { assetId, integrationId, externalProjectId: host.projectId }
  await askAt(service.url, owner.key, ASSOCIATE, { input })
  await vi.waitFor(async () => expect(await failure()).toContain(said), { timeout: 60_000 })
  // the next test's host has the same address, and would hear of what is left
  const settled = () =>
    vi.waitFor(
      async () => {
        const { rows } = await sql`
          select from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id
          where job.payload ->> 'companyId' = ${companyId} and task.identifier = any(${TASKS})`.execute(
          service.app.parts.db,
        )
        expect(rows).toHaveLength(0)
      },
      { timeout: 60_000, interval: 100 },
    )
  return { ...host, key: owner.key, assetId, whole, failure, deploys, settled }
}

const noDiffs: [string, Answer, string][] = [
  ['a page', webPage(), 'it is a web page, not data'],
  ['a sentence', { text: 'We are down for maintenance' }, 'what it sent is not a diff'],
  ['half of it', cutInTheMiddle(), 'cannot be reached'],
]

test.each(noDiffs)(
  '%s in the place of a diff makes no deploy and no verdict, and is asked for again',
  async (_, answer, said) => {
    const { commit, diff, told, whole, failure, deploys, settled } = await newUnread(answer, said)
    const before = [await deploys(), [...told]]

    diff.answer = whole
    await vi.waitFor(() => expect(told).toHaveLength(2), { timeout: 60_000 })
    await settled()

    expect(before).toEqual([[], []])
    expect(await deploys()).toEqual([{ currentCommit: commit, diffState: 'PARSED', files: 1 }])
    expect(told).toMatchObject([{ state: 'SUCCESSFUL', description: 'Passed' }, {}])
    expect(await failure()).toBeNull()
  },
)

const sent: [string, string, { state: string; description: string }, string][] = [
  [
    'no diff is not judged and does not pass',
    'nothing of the kind',
    { state: 'FAILED', description: 'Not judged; the diff cannot be read' },
    'is not judged, although no rule of the built-in policy is violated. The diff could not be read: The content holds no file',
  ],
  [
    'half of a diff is told with that',
    'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n-one\n',
    { state: 'SUCCESSFUL', description: 'Passed; the diff was read only in part' },
    'passes the built-in policy. The diff was read only in part: The diff cannot be read past line ',
  ],
]

test.each(sent)('a deploy that was sent with %s', async (_, content, status, comment) => {
  const { key, assetId, parent, commit, told, settled } = await newUnread(webPage(), 'it is a web page')

  await newDeploy(key, assetId, content, { branchName: 'main', previousCommit: parent, currentCommit: commit })
  await vi.waitFor(() => expect(told).toHaveLength(2), { timeout: 60_000 })
  await settled()

  expect(told).toMatchObject([status, { content: { raw: expect.stringContaining(comment) } }])
  expect(told[1]?.content.raw.includes('passes')).toBe(status.state === 'SUCCESSFUL')
})

test('the verdict on a deploy whose review gave up says so', () => {
  const read = { lineage: null, diffState: 'PARSED', diffReason: null } as const
  const unknown = unknownOf(read, { state: 'FAILED', reason: 'The diff no longer exists', isUnchecked: false }, [])
  const gate = { decision: 'PASS' as const, isJudged: true, unknown, sentence: '', reasons: [] }

  expect(titleOf(gate)).toBe('Passed; the review of the diff failed')
  expect(isPassed(gate)).toBe(true)
})
