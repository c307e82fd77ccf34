// The results of a deploy's review: findings of the deploy, which its gate counts, and a state that shows its progress.

import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { run } from '../../../test/testkit/client.ts'
import { DIFF, newHome } from '../../../test/testkit/deploys.ts'
import { deployed, parts, reviewed, shownDeploy, tokenOfKind, waitingReviews } from '../../../test/testkit/reviews.ts'
import { diffAdding } from '../../../test/testkit/secret-samples.ts'

const token = tokenOfKind('github-personal-token')
const leak = diffAdding([{ path: 'src/client.ts', lines: ['// a client', `open('${token}')`] }])

const GATE = `query ($id: ID!) { deploy(id: $id) { gate { decision } } }`
const SET = `mutation ($input: SetDeployReviewInput!) { setDeployReview(input: $input) { deployReviewSettings { assetId isOn } } }`

describe('the review of a deploy', () => {
  test('waits for its job when the deploy is answered', async () => {
    const home = await newHome()

    const { id } = await deployed(home, leak)

    const { review } = await shownDeploy(home, id)
    expect(review).toMatchObject({ state: 'PENDING', reason: null, startedAt: null, controlSyncStatusId: null })
    expect(await waitingReviews(id)).toBe(1)
  })

  test('brings a secret as a finding of the deploy, masked, under a run of the platform', async () => {
    const home = await newHome()
    const { id } = await deployed(home, leak)

    const deploy = await reviewed(home, id)

    expect(deploy.review).toMatchObject({ state: 'DONE', files: 1, findings: 1, created: 1, unread: [] })
    expect(deploy.introduced.collection).toMatchObject([
      {
        __typename: 'SecretFinding',
        title: 'GitHub personal access token in source code',
        severity: 'HIGH',
        detail: { fileName: 'src/client.ts', vulnerableLine: 2, codeSnippet: `open('ghp*****${token.slice(-2)}')` },
      },
    ])
    const RUN = 'query ($id: ID!) { controlSyncStatus(id: $id) { status integration successCount } }'
    const { controlSyncStatus } = await run(home.key, RUN, { id: deploy.review.controlSyncStatusId })
    expect(controlSyncStatus).toEqual({ status: 'SUCCEEDED', integration: 'PLATFORM_AST', successCount: 1 })
  })

  test('counts in its gate', async () => {
    const home = await newHome()
    const { id } = await deployed(home, leak)
    const before = (await run(home.key, GATE, { id })).deploy.gate

    await reviewed(home, id)

    expect(before.decision).toBe('PASS')
    expect((await run(home.key, GATE, { id })).deploy.gate.decision).toBe('BLOCK')
  })

  test('of a later deploy knows the secret again where it has moved to', async () => {
    const home = await newHome()
    const first = await deployed(home, leak)
    await reviewed(home, first.id)
    const moving = `diff --git a/src/client.ts b/src/client.ts\n--- a/src/client.ts\n+++ b/src/client.ts\n@@ -1,2 +1,3 @@\n+// more\n // a client\n-open('${token}')\n+connect('${token}')\n`
    const second = await deployed(home, moving, '2', '3')

    const deploy = await reviewed(home, second.id)

    expect(deploy.review).toMatchObject({ state: 'DONE', findings: 1, created: 0 })
    expect(deploy.introduced.collection).toEqual([])
  })

  test('leaves no value of a secret in any table', async () => {
    const home = await newHome()
    const { id } = await deployed(home, leak)
    await reviewed(home, id)
    const { db } = await parts()
    const tables = [
      'issue',
      'finding',
      'occurrence',
      'import',
      'import_row',
      'deploy_review',
      'audit_record',
      'issue_event',
    ]

    const found = await Promise.all(
      tables.map(async (table) => {
        const { rows } = await sql<{ text: string }>`
          select row_to_json(t)::text as text from ${sql.table(table)} t where company_id = ${home.companyId}`.execute(
          db,
        )
        return rows.filter(({ text }) => text.includes(token.slice(5, 25))).map(() => table)
      }),
    )

    expect(found.flat()).toEqual([])
  })

  test('that is run twice comes to the same', async () => {
    const home = await newHome()
    const { id } = await deployed(home, leak)

    const [first, again] = [await reviewed(home, id), await reviewed(home, id)]

    expect(again).toEqual(first)
  })

  test('goes on after its worker was killed', async () => {
    const home = await newHome()
    const { id } = await deployed(home, leak)
    const { db } = await parts()
    await sql`update deploy_review set state = 'RUNNING', attempts = 1 where deploy_id = ${id}`.execute(db)

    const deploy = await reviewed(home, id)

    expect(deploy.review).toMatchObject({ state: 'DONE', findings: 1 })
  })

  test('counts what it made before its worker was killed, when it is begun again', async () => {
    const home = await newHome()
    const { id } = await deployed(home, leak)
    const first = await reviewed(home, id)
    const { db } = await parts()
    await sql`update deploy_review set state = 'RUNNING', created = 0, finished_at = null where deploy_id = ${id}`.execute(
      db,
    )
    await sql`update scan set status = 'RUNNING', finished_at = null where id = ${first.review.controlSyncStatusId}`.execute(
      db,
    )

    const again = await reviewed(home, id)

    expect(again.review).toMatchObject({
      state: 'DONE',
      findings: 1,
      created: 1,
      controlSyncStatusId: first.review.controlSyncStatusId,
    })
  })

  test('of a deploy that the program itself added is made in the name of an owner of the company', async () => {
    const home = await newHome()
    const { id } = await deployed(home, leak)
    const { db } = await parts()
    await sql`update deploy set created_by = null where id = ${id}`.execute(db)

    const deploy = await reviewed(home, id)

    expect(deploy.review).toMatchObject({ state: 'DONE', findings: 1, created: 1 })
  })

  test('that takes too long fails with its reason, and nothing of it is in', async () => {
    const home = await newHome()
    const { id } = await deployed(home, leak)

    const deploy = await reviewed(home, id, 1)

    expect(deploy.review).toMatchObject({ state: 'FAILED', reason: 'The review took longer than 0.001 seconds' })
    expect(deploy.introduced.collection).toEqual([])
  })

  test('of a diff without a finding is done and brings none', async () => {
    const home = await newHome()
    const { id } = await deployed(home, DIFF)

    const deploy = await reviewed(home, id)

    expect(deploy.review).toMatchObject({ state: 'DONE', files: 2, findings: 0, created: 0 })
  })

  test('is not made of what is no diff', async () => {
    const home = await newHome()
    const { id } = await deployed(home, 'This is a text.\n')

    const deploy = await reviewed(home, id)

    expect(deploy.review).toBeNull()
  })
})

describe('the setting of reviews', () => {
  const set = async (
    { key, companyId }: { key: string; companyId: string },
    assetId: string | null,
    isOn: boolean | null,
  ) => (await run(key, SET, { input: { companyId, assetId, isOn } })).setDeployReview.deployReviewSettings

  test('is on unless it is said otherwise, for a company or for an asset of its own', async () => {
    const home = await newHome()

    const off = await set(home, null, false)
    const { review: ofCompany } = await shownDeploy(home, (await deployed(home, leak)).id)
    const on = await set(home, home.assetId, true)
    const { review: ofAsset } = await shownDeploy(home, (await deployed(home, leak, '2', '3')).id)
    const away = await set(home, home.assetId, null)

    expect(off).toEqual([{ assetId: null, isOn: false }])
    expect(ofCompany).toBeNull()
    expect(on).toEqual([
      { assetId: null, isOn: false },
      { assetId: home.assetId, isOn: true },
    ])
    expect(ofAsset).toMatchObject({ state: 'PENDING' })
    expect(away).toEqual([{ assetId: null, isOn: false }])
  })

  test('leaves one audit record each time', async () => {
    const home = await newHome()
    await set(home, home.assetId, false)
    const { db } = await parts()

    const { rows } = await sql`
      select object from audit_record where company_id = ${home.companyId} and object like 'DeployReviewSetting%'`.execute(
      db,
    )

    expect(rows).toEqual([{ object: `DeployReviewSetting ${home.assetId}` }])
  })
})
