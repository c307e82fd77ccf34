// Followed repositories: a push becomes a deploy, and its verdict goes back to the host, through the route and the worker.

import { sql } from 'kysely'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { askAt } from '../../../test/testkit/asking.ts'
import { startBitbucket } from '../../../test/testkit/bitbucket-host.ts'
import { run } from '../../../test/testkit/client.ts'
import { sast, upsert } from '../../../test/testkit/findings.ts'
import { ASSOCIATE, DEPLOYS, deliverTo, hooked, newFollowed as newFollowedAt } from '../../../test/testkit/followed.ts'
import { setPolicy } from '../../../test/testkit/gates.ts'
import { HOST_A, HOST_B, saved } from '../../../test/testkit/integrations.ts'
import { type Service, startService } from '../../../test/testkit/service.ts'
import { newCommit, pushOf, type startSourceHost } from '../../../test/testkit/source-host.ts'
import { newAsset, newDeploy, newWorld } from '../../../test/testkit/world.ts'
import { transaction } from '../../core/db/open.ts'
import { enqueue } from '../../core/jobs.ts'
import { askLook, FOLLOW_TASK, LOOK_TASK, REPORT_TASK, UNHOOK_TASK } from './jobs-of.ts'
import { reportDeploy } from './report.ts'

const ASSOCIATED = `query ($companyId: ID!, $assetId: ID) { associatedProjects(companyId: $companyId, assetId: $assetId) {
  collection { id watch failure lookedAt lastDeliveryAt } metadata { totalCount } } }`
const DISSOCIATE = 'mutation ($input: DissociateProjectInput!) { dissociateProject(input: $input) { id } }'

let service: Service

beforeAll(async () => {
  service = await startService({ MERLON_PUBLIC_URL: 'https://merlon.example.test' })
  await service.app.startWorker([FOLLOW_TASK, LOOK_TASK, REPORT_TASK, UNHOOK_TASK, 'judge-deploy', 'review-deploy'])
  return () => service.app.stop()
})

const deliver = (delivery: Parameters<typeof deliverTo>[1]): Promise<number> => deliverTo(service.url, delivery)

/** Jobs of a repository that wait or are under way. */
const waiting = async (companyId: string, id: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from graphile_worker._private_jobs
    where payload ->> 'companyId' = ${companyId} and payload ->> 'id' = ${id}`.execute(service.app.parts.db)
  return rows[0]?.count ?? 0
}

const newFollowed = async (
  ...given: [settings?: Record<string, unknown>, host?: Parameters<typeof startSourceHost>[0]]
) => {
  const followed = await newFollowedAt(service.url, ...given)
  const { fake } = followed
  const told = (commit: string, state: string) =>
    vi.waitFor(
      () => {
        const found = fake.statuses.findLast((status) => status.commit === commit && status.state === state)
        if (!found) throw new Error(`nothing told of ${commit}`)
        return found
      },
      { timeout: 60_000, interval: 50 },
    )
  const [, { mayHook = true } = {}] = given
  return { ...followed, told, associate: mayHook ? () => hooked(followed) : followed.associate }
}

describe('a repository that an asset is', () => {
  test('has a webhook made, and its default branch deployed and judged', async () => {
    const { associate, companyId, assetId, integrationId, fake, first, deployed, told } = await newFollowed()

    const { associateProject } = await associate()

    const deploy = await deployed(first)
    const status = await told(first, 'success')
    expect(associateProject).toEqual({
      associatedProject: {
        id: expect.any(String),
        externalProjectId: '1',
        name: 'acme/site',
        isSource: true,
        watch: 'HOOK',
        lookedAt: null,
        lastDeliveryAt: null,
        failure: null,
        asset: { id: assetId },
        integration: { id: integrationId },
      },
      webhook: null,
    })
    expect(fake.hooks).toMatchObject([
      { url: expect.stringMatching(/^https:\/\/merlon\.example\.test\/hooks\/\d+-[\w-]{43}$/) },
    ])
    expect(deploy).toMatchObject({
      branchName: 'main',
      diffState: 'PARSED',
      files: 1,
      lineage: 'FIRST',
      createdBy: { email: expect.stringContaining('@') },
    })
    expect(status).toMatchObject({
      name: `merlon-${assetId}`,
      target_url: `https://merlon.example.test/companies/${companyId}/deploys/${deploy.id}`,
      description: 'Passed',
    })
  })

  test('is deployed from its last deploy on when it is pushed to, once however often that is said', async () => {
    const { associate, companyId, assetId, key, fake, first, deploys, deployed, told } = await newFollowed()
    await associate()
    await deployed(first)
    const second = fake.push('main')
    const delivery = fake.delivery(pushOf('main', second, first), { id: 'msg-1' })

    const statuses = [await deliver(delivery), await deliver(delivery)]
    statuses.push(await deliver(fake.delivery(pushOf('main', second, first))))

    const deploy = await deployed(second)
    await told(second, 'success')
    const { associatedProjects } = await run(key, ASSOCIATED, { companyId, assetId })
    expect(statuses).toEqual([200, 200, 200])
    expect(deploy).toMatchObject({ previousCommit: first, lineage: 'FOLLOWS' })
    expect(await deploys()).toHaveLength(2)
    expect(fake.compared.filter((range) => range === `${first}..${second}`)).toHaveLength(1)
    expect(associatedProjects.collection).toMatchObject([
      { watch: 'HOOK', failure: null, lastDeliveryAt: expect.any(String) },
    ])
  })

  test('is deployed from where its branch stands, also after a deploy that a pipeline has sent late', async () => {
    const { associate, key, assetId, fake, first, deployed } = await newFollowed()
    await associate()
    await deployed(first)
    const second = fake.push('main')
    await deliver(fake.delivery(pushOf('main', second, first)))
    await deployed(second)
    await newDeploy(key, assetId, '', { currentCommit: first, branchName: 'main' })
    const third = fake.push('main')

    await deliver(fake.delivery(pushOf('main', third, second)))

    expect(await deployed(third)).toMatchObject({ previousCommit: second, lineage: 'FOLLOWS' })
  })

  test('is told nothing of a deploy that came late to a commit whose verdict it has', async () => {
    const { associate, companyId, key, assetId, fake, first, deployed, told } = await newFollowed()
    await associate()
    await deployed(first)
    await told(first, 'success')
    const second = fake.push('main')
    await deliver(fake.delivery(pushOf('main', second, first)))
    await deployed(second)
    const { id } = await newDeploy(key, assetId, 'No diff', { currentCommit: first, branchName: 'main' })

    await reportDeploy(service.app.parts, { companyId, id })

    expect(fake.statuses.filter(({ commit }) => commit === first).map(({ state }) => state)).not.toContain('failed')
  })

  test('is reported once the diff was reviewed, and not before', async () => {
    const { associate, companyId, key, assetId, fake, first, deployed, told } = await newFollowed()
    await associate()
    const { id } = await deployed(first)
    await told(first, 'success')
    const { db } = service.app.parts
    const setReview = (state: string, end: string | null) =>
      sql`update deploy_review set state = ${state}, finished_at = ${end} where deploy_id = ${id}`.execute(db)
    const states = () => fake.statuses.map(({ state }) => state)

    await setReview('RUNNING', null)
    await upsert(key, sast(Number(assetId), { severity: 'CRITICAL', deployId: id, branchName: 'main' }))
    await reportDeploy(service.app.parts, { companyId, id })
    const meanwhile = states()
    await setReview('DONE', new Date().toISOString())
    await reportDeploy(service.app.parts, { companyId, id })

    expect(meanwhile).toEqual(['success'])
    expect(states().slice(0, 2)).toEqual(['success', 'failed'])
  })

  test('starts a new branch where the default one stands, and tells its merge request, in one comment that changes', async () => {
    const { associate, companyId, assetId, key, fake, first, deployed, told } = await newFollowed()
    await associate()
    await deployed(first)
    await setPolicy({ key, companyId }, [
      { name: 'Nothing *bad*', subject: 'INTRODUCED', severities: ['HIGH'], limit: 0, decision: 'BLOCK' },
    ])
    const commit = fake.push('feature/x')
    fake.open({ iid: 7, source: 'feature/x', target: 'main', state: 'opened', commits: [] })

    await deliver(fake.delivery(pushOf('feature/x', commit)))
    const deploy = await deployed(commit)
    await told(commit, 'success')
    await vi.waitFor(() => expect(fake.notesOf(7)).toHaveLength(1), { timeout: 60_000 })
    const before = fake.notesOf(7)
    await upsert(key, sast(Number(assetId), { severity: 'HIGH', deployId: deploy.id, branchName: 'feature/x' }))
    await transaction(service.app.parts.db, (trx) => enqueue(trx, 'judge-deploy', { companyId, id: deploy.id }))
    const status = await told(commit, 'failed')

    await vi.waitFor(() => expect(fake.notesOf(7)[0]).toContain('Blocked'), { timeout: 60_000 })
    expect(deploy).toMatchObject({ branchName: 'feature/x', previousCommit: first, lineage: 'BRANCHES' })
    expect(before).toEqual([expect.stringContaining('**Merlon: Passed**')])
    expect(fake.notesOf(7)).toEqual([expect.stringContaining('**Nothing \\*bad\\***: 1 introduced finding')])
    expect(status.description).toContain('Blocked; 1 introduced finding of HIGH severity (none allowed)')
  })

  test('is not deployed from branches that its integration does not follow, or while it follows none', async () => {
    const { associate, companyId, key, fake, first, deploys, deployed } = await newFollowed({
      astBranchPattern: 'main',
    })
    await associate()
    await deployed(first)

    await deliver(fake.delivery(pushOf('feature/x', fake.push('feature/x'))))
    await saved(key, HOST_B, { companyId, astScansEnabled: false })
    await deliver(fake.delivery(pushOf('main', fake.push('main'), first)))
    await saved(key, HOST_B, { companyId, astScansEnabled: true })
    const last = fake.push('main')
    await deliver(fake.delivery(pushOf('main', last)))

    await deployed(last)
    expect((await deploys()).map(({ previousCommit, currentCommit }) => [previousCommit, currentCommit])).toEqual([
      [first, last],
      [expect.any(String), first],
    ])
  })

  test('whose host cannot be made to call is known to be asked, and a person may make the webhook', async () => {
    const { associate, companyId, assetId, key, first, deployed } = await newFollowed({}, { mayHook: false })

    const { associateProject } = await associate()

    await deployed(first)
    const { associatedProjects } = await run(key, ASSOCIATED, { companyId, assetId })
    expect(associateProject).toMatchObject({
      associatedProject: { watch: 'POLL' },
      webhook: {
        url: expect.stringContaining('https://merlon.example.test/hooks/'),
        secret: expect.stringMatching(/^whsec_/),
        token: expect.stringMatching(/^[0-9a-f]{64}$/),
        events: ['Push events', 'Merge request events'],
      },
    })
    expect(associatedProjects.collection).toMatchObject([{ watch: 'POLL', lookedAt: expect.any(String) }])
  })
})

describe('a repository that is looked at', () => {
  const looked = async (companyId: string, id: string) =>
    transaction(service.app.parts.db, (trx) => askLook(trx, { companyId, id }))

  test('is brought to where its branches stand, but for those that have not moved since it was associated', async () => {
    const { associate, companyId, fake, first, deployed, deploys } = await newFollowed({}, { mayHook: false })
    fake.push('old', { at: '2020-01-01T00:00:00Z' })
    const { associatedProject } = (await associate()).associateProject
    await deployed(first)
    const [main, fresh] = [fake.push('main'), fake.push('fresh')]

    await looked(companyId, associatedProject.id)

    await deployed(main)
    const newBranch = await deployed(fresh)
    const before = await deploys()
    await looked(companyId, associatedProject.id)
    await vi.waitFor(async () => expect(await waiting(companyId, associatedProject.id)).toBe(0), { timeout: 60_000 })
    expect(before.map(({ branchName }) => branchName).sort()).toEqual(['fresh', 'main', 'main'])
    expect([first, main]).toContain(newBranch.previousCommit)
    expect(await deploys()).toEqual(before)
  })

  test('whose history was rewritten goes on from the commit before', async () => {
    const { associate, fake, first, deployed, told } = await newFollowed()
    await associate()
    await deployed(first)
    const lost = fake.push('main')
    await deliver(fake.delivery(pushOf('main', lost, first)))
    await deployed(lost)
    fake.forget(lost)
    const rewritten = fake.push('main')

    await deliver(fake.delivery(pushOf('main', rewritten, first)))

    expect(await deployed(rewritten)).toMatchObject({ previousCommit: first })
    await told(rewritten, 'success')
  })

  test('whose merge brought no commit of its own has one deploy of it, and goes on where it stood', async () => {
    const { associate, fake, first, deployed, deploys, told } = await newFollowed()
    await associate()
    await deployed(first)
    const commit = fake.push('feature/x')
    await deliver(fake.delivery(pushOf('feature/x', commit)))
    await deployed(commit)
    await told(commit, 'success')

    fake.place('main', commit)
    await deliver(fake.delivery(pushOf('main', commit, first)))
    const next = fake.push('main')
    await deliver(fake.delivery(pushOf('main', next, commit)))

    expect(await deployed(next)).toMatchObject({ previousCommit: first, branchName: 'main' })
    expect(await deploys()).toHaveLength(3)
  })
})

test('a push to a repository of HostA becomes a deploy, and its verdict goes to commit and pull request', async () => {
  const { companyId, owner } = await newWorld()
  const { projectId, parent, commit, told, delivery } = await startBitbucket()
  const { id: assetId } = await newAsset(owner.key, companyId)
  const credential = { accessToken: `token-${commit}`, astScansEnabled: true }
  const { id: integrationId } = await saved(owner.key, HOST_A, { companyId, ...credential })
  const input = { assetId, integrationId, externalProjectId: projectId }
  const { associateProject } = await askAt(service.url, owner.key, ASSOCIATE, { input })
  const good = delivery()
  const forged = { ...good, headers: { ...good.headers, 'x-hub-signature': `sha256=${'0'.repeat(64)}` } }

  const statuses = [await deliver(forged), await deliver(good), await deliver(good)]

  await vi.waitFor(() => expect(told).toHaveLength(2), { timeout: 60_000 })
  const { deploysByAsset } = await run(owner.key, DEPLOYS, { id: assetId })
  expect(statuses).toEqual([403, 200, 200])
  expect(associateProject.associatedProject).toMatchObject({ name: 'acme/site', watch: 'HOOK' })
  expect(deploysByAsset.collection).toMatchObject([
    { previousCommit: parent, currentCommit: commit, branchName: 'main', diffState: 'PARSED', files: 1 },
  ])
  expect(told).toMatchObject([
    { key: `merlon-${assetId}`, state: 'SUCCESSFUL', description: 'Passed' },
    { content: { raw: expect.stringContaining('**Merlon: Passed**') } },
  ])
})

test('a repository is left alone once it is taken away', async () => {
  const { associate, companyId, assetId, key, fake, first, deployed, deploys } = await newFollowed()
  const { associatedProject } = (await associate()).associateProject
  await deployed(first)
  const delivery = fake.delivery(pushOf('main', fake.push('main'), first))

  const { dissociateProject } = await run(key, DISSOCIATE, { input: { id: associatedProject.id } })

  const { associatedProjects } = await run(key, ASSOCIATED, { companyId, assetId })
  expect([dissociateProject.id, associatedProjects.metadata.totalCount]).toEqual([associatedProject.id, 0])
  await vi.waitFor(() => expect(fake.hooks).toEqual([]), { timeout: 60_000 })
  expect(await deliver(delivery)).toBe(404)
  expect(await deploys()).toHaveLength(1)
})

describe('a delivery', () => {
  test('is refused without its proof, when it was altered, too late, or for an address that nobody gave', async () => {
    const { associate, fake, first, deployed, deploys } = await newFollowed()
    await associate()
    await deployed(first)
    const second = fake.push('main')
    const good = fake.delivery(pushOf('main', second, first))
    const late = fake.delivery(pushOf('main', second, first), { at: Math.floor(Date.now() / 1000) - 1_000 })
    const { 'webhook-signature': _, ...unsigned } = good.headers

    const refused = [
      await deliver({ ...good, headers: unsigned }),
      await deliver({ ...good, body: good.body.replace(second, newCommit()) }),
      await deliver(late),
      await deliver({ ...good, path: `${good.path.slice(0, -43)}${'A'.repeat(43)}` }),
      await deliver({ ...good, path: '/hooks/1' }),
    ]

    expect(refused).toEqual([403, 403, 403, 404, 404])
    expect(await deploys()).toHaveLength(1)
    expect(service.logged.join('')).not.toContain(good.path.slice(-43))
  })

  test('is proved as before once the company’s data key was rotated', async () => {
    const { associate, companyId, key, fake, first, deployed } = await newFollowed()
    await associate()
    await deployed(first)
    const rotate = 'mutation ($input: RotateDataKeyInput!) { rotateDataKey(input: $input) { reencrypted } }'

    const { rotateDataKey } = await run(key, rotate, { input: { companyId } })

    expect(rotateDataKey.reencrypted).toBe(2)
    expect(await deliver(fake.delivery(pushOf('main', fake.push('main'), first)))).toBe(200)
  })

  test('of an instance that does not sign is taken by its token', async () => {
    const { associate, fake, first, deployed } = await newFollowed({}, { signs: false })
    await associate()
    await deployed(first)
    const second = fake.push('main')
    const delivery = fake.delivery(pushOf('main', second, first))

    const statuses = [
      await deliver({ ...delivery, headers: { ...delivery.headers, 'x-gitlab-token': 'guess' } }),
      await deliver(delivery),
    ]

    expect(statuses).toEqual([403, 200])
    expect(await deployed(second)).toMatchObject({ previousCommit: first })
  })
})
