// Deploys, through the endpoint: what is kept and read of a diff, lists, the review, and what is refused.

import { describe, expect, test } from 'vitest'
import { ask, type Data, refusal, run, unique, upload } from '../../../test/testkit/client.ts'
import { countStatements, serviceUrl } from '../../../test/testkit/service.ts'
import { emptyTree, newAsset, newDeploy, newPerson, newWorld } from '../../../test/testkit/world.ts'

const commit = (digit: string) => digit.repeat(40)

const SHOWN = `id status permittedStatus branchName assetId asset { id name } previousCommit currentCommit diffState diffReason
  createdAt createdBy { email } authoredAt commits { id message author authorEmail authoredAt } files added removed
  languages { name files added removed } lineage isCarried findings { moved renamed touched removed } diffPath commitHistoryPath`
const CREATE = `mutation ($input: CreateDeployInput!) { createDeploy(input: $input) { clientMutationId deploy { ${SHOWN} } } }`
// The words of pipelines in use: files are variables of their own, and the first need not be a diff.
const PIPELINE = `mutation ($assetId: ID!, $previousCommit: String!, $currentCommit: String!, $branchName: String, $diffContent: Upload!,
    $commitHistory: Upload) {
  createDeploy(input: { assetId: $assetId, previousCommit: $previousCommit, currentCommit: $currentCommit, branchName: $branchName,
    diffContent: $diffContent, commitHistory: $commitHistory }) { deploy { ${SHOWN} } } }`
const BY_ASSET = `query ($assetId: ID!, $page: Int, $limit: Int, $after: String, $branchName: String) {
  deploysByAsset(assetId: $assetId, page: $page, limit: $limit, after: $after, branchName: $branchName) {
    collection { ${SHOWN} } metadata { currentPage limitValue totalCount totalPages endCursor } } }`
const BY_PROJECT = `query ($id: ID!, $initialDate: ISO8601DateTime!, $finishDate: ISO8601DateTime!, $page: Int, $limit: Int) {
  deploysByProjectId(id: $id, initialDate: $initialDate, finishDate: $finishDate, page: $page, limit: $limit) {
    collection { id status branchName } metadata { currentPage limitValue totalCount } } }`
const DEPLOY = `query ($id: ID!) { deploy(id: $id) { ${SHOWN} } }`
const CHANGES = `query ($id: ID!, $pagination: PaginationInput) { deploy(id: $id) { changes(pagination: $pagination) {
  collection { oldPath newPath kind added removed language binary hunks { oldStart oldLines newStart newLines }
    findings { moved renamed touched removed } diff { text isCut } } metadata { totalCount totalPages endCursor } } } }`
const UPDATE = `mutation ($input: UpdateDeployStatusInput!) { updateDeployStatus(input: $input) { deploy { id status permittedStatus } } }`
const DELETE = 'mutation ($input: DeleteDeployInput!) { deleteDeploy(input: $input) { clientMutationId id } }'

const DIFF = [
  'diff --git a/src/app.ts b/src/app.ts',
  'index 1111111..2222222 100644',
  '--- a/src/app.ts',
  '+++ b/src/app.ts',
  '@@ -1,3 +1,4 @@',
  ' one',
  '-two',
  '+TWO',
  '+and a half',
  ' three',
  'diff --git a/notes.md b/notes.md',
  'new file mode 100644',
  'index 0000000..3333333',
  '--- /dev/null',
  '+++ b/notes.md',
  '@@ -0,0 +1 @@',
  '+# Notes',
  '',
].join('\n')

async function newHome(): Promise<{ key: string; email: string; companyId: string; assetId: string }> {
  const { companyId, owner } = await newWorld()
  const { id } = await newAsset(owner.key, companyId)
  return { key: owner.key, email: owner.email, companyId, assetId: id }
}

const inline = (content: string) => ({
  filename: 'change.diff',
  contentType: 'text/x-diff',
  base64: Buffer.from(content).toString('base64'),
})

const pairOf = (number: number) => ({
  previousCommit: commit('a'),
  currentCommit: number.toString(16).padStart(40, '0'),
})

describe('creating a deploy', () => {
  test('a pipeline sends a diff and a history as files, and gets what is read of them', async () => {
    const { key, email, assetId } = await newHome()
    const history = `commit ${commit('b')}\nAuthor: Ada <ada@example.test>\nDate: Mon Jan 2 15:04:05 2006 -0700\n\n    Begin\n`
    const variables = { assetId, previousCommit: emptyTree, currentCommit: commit('B'), branchName: 'main' }

    const { data, errors } = await upload(key, PIPELINE, variables, {
      diffContent: { content: DIFF, filename: 'diff.txt' },
      commitHistory: { content: history, filename: 'log.txt' },
    })

    expect(errors).toEqual([])
    expect(data.createDeploy.deploy).toMatchObject({
      status: 'PENDING',
      permittedStatus: ['IN_REVIEW', 'REVIEWED', 'DISCARDED', 'ARCHIVED'],
      branchName: 'main',
      assetId,
      asset: { id: assetId },
      previousCommit: emptyTree,
      currentCommit: commit('b'),
      diffState: 'PARSED',
      diffReason: null,
      createdBy: { email },
      authoredAt: '2006-01-02T22:04:05Z',
      commits: [{ id: commit('b'), message: 'Begin', author: 'Ada', authorEmail: 'ada@example.test' }],
      files: 2,
      added: 3,
      removed: 1,
      languages: [
        { name: 'TypeScript', files: 1, added: 2, removed: 1 },
        { name: 'Markdown', files: 1, added: 1, removed: 0 },
      ],
      lineage: 'FIRST',
      isCarried: true,
      findings: { moved: 0, renamed: 0, touched: 0, removed: 0 },
    })
  })

  test('a diff inside a JSON body is read the same way', async () => {
    const { key, assetId } = await newHome()
    const input = {
      clientMutationId: 'mine',
      assetId: Number(assetId),
      diffContent: inline(DIFF),
      previousCommit: emptyTree,
      currentCommit: commit('b'),
    }

    const { createDeploy } = await run(key, CREATE, { input })

    expect(createDeploy).toMatchObject({
      clientMutationId: 'mine',
      deploy: { diffState: 'PARSED', files: 2, branchName: null, commits: [], commitHistoryPath: null },
    })
  })

  test.each([
    ['JSON', JSON.stringify({ commits: [{ id: commit('b') }] }), 'NOT_A_DIFF'],
    ['text', 'nothing of the kind', 'NOT_A_DIFF'],
    ['a diff that ends within a hunk', DIFF.slice(0, DIFF.indexOf(' three')), 'TRUNCATED'],
    ['an empty file', '', 'PARSED'],
  ])('%s makes a deploy that says so', async (_, content, diffState) => {
    const { key, assetId } = await newHome()
    const variables = { assetId, previousCommit: emptyTree, currentCommit: commit('b') }

    const { data } = await upload(key, PIPELINE, variables, { diffContent: { content } })

    const { deploy } = data.createDeploy
    expect(deploy).toMatchObject({ status: 'PENDING', diffState, isCarried: diffState === 'PARSED' })
    expect(deploy.diffReason === null).toBe(diffState === 'PARSED')
  })

  test('the commits of a log are taken from its own headers where no history is sent', async () => {
    const { key, assetId } = await newHome()
    const log = `commit ${commit('c')}\nAuthor: A <a@example.test>\nDate:   2020-05-01 10:00:00 +0000\n\n    Fix\n\n${DIFF}`

    const { id } = await newDeploy(key, assetId, log)

    const { deploy } = await run(key, DEPLOY, { id })
    expect(deploy.commits).toMatchObject([{ id: commit('c'), message: 'Fix', author: 'A' }])
    expect(deploy.authoredAt).toBe('2020-05-01T10:00:00Z')
  })

  test('the same commits again are a conflict, in any case of their letters', async () => {
    const { key, assetId } = await newHome()
    const input = { assetId, diffContent: inline(DIFF), previousCommit: 'abcdef1', currentCommit: 'abcdef2' }
    await run(key, CREATE, { input })

    const failure = await refusal(key, CREATE, { input: { ...input, previousCommit: 'ABCDEF1' } })

    expect(failure.extensions.code).toBe('CONFLICT')
    expect(failure.message).toBe('A deploy with the same previous and current commit already exists')
  })

  test('of ten at once with the same commits one is made and the others are conflicts', async () => {
    const { key, assetId } = await newHome()
    const input = { assetId, diffContent: inline(DIFF), previousCommit: commit('a'), currentCommit: commit('b') }

    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(key, CREATE, { input })))

    const failures = answers.flatMap(({ errors }) => errors)
    const { deploysByAsset } = await run(key, BY_ASSET, { assetId })
    expect(failures.map(({ extensions }) => extensions.code)).toEqual(Array(9).fill('CONFLICT'))
    expect(new Set(failures.map(({ message }) => message))).toEqual(
      new Set(['A deploy with the same previous and current commit already exists']),
    )
    expect(deploysByAsset.metadata.totalCount).toBe(1)
  })

  test.each(['', 'abcdef', 'g'.repeat(40), 'a'.repeat(65), 'HEAD', 'abcdef1\n; drop'])(
    'the commit %j is refused by name',
    async (bad) => {
      const { key, assetId } = await newHome()
      const input = { assetId, diffContent: inline(DIFF), previousCommit: commit('a'), currentCommit: commit('b') }

      const previous = await refusal(key, CREATE, { input: { ...input, previousCommit: bad } })
      const current = await refusal(key, CREATE, { input: { ...input, currentCommit: bad } })

      expect(previous.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'input.previousCommit' })
      expect(current.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'input.currentCommit' })
    },
  )

  test('an asset of another company and one that is missing are refused alike, and a reader may not deploy', async () => {
    const mine = await newHome()
    const other = await newHome()
    const reader = await newPerson(mine.companyId, 'READER')
    const input = { diffContent: inline(DIFF), ...pairOf(1) }

    const foreign = await refusal(mine.key, CREATE, { input: { ...input, assetId: other.assetId } })
    const missing = await refusal(mine.key, CREATE, { input: { ...input, assetId: '2147483000' } })
    const reading = await refusal(reader.key, CREATE, { input: { ...input, assetId: mine.assetId } })

    expect([foreign, missing, reading].map(({ extensions }) => extensions.code)).toEqual([
      'NOT_FOUND',
      'NOT_FOUND',
      'FORBIDDEN',
    ])
    expect(foreign.message.replace(other.assetId, '#')).toBe(missing.message.replace('2147483000', '#'))
  })
})

describe('the changes of a deploy', () => {
  test('are listed by file with their regions and their part of the diff', async () => {
    const { key, assetId } = await newHome()
    const { id } = await newDeploy(key, assetId, DIFF)

    const { deploy } = await run(key, CHANGES, { id })

    const [first, second] = deploy.changes.collection
    expect(first).toMatchObject({
      oldPath: 'src/app.ts',
      newPath: 'src/app.ts',
      kind: 'MODIFIED',
      added: 2,
      removed: 1,
      language: 'TypeScript',
      binary: false,
      hunks: [{ oldStart: 2, oldLines: 1, newStart: 2, newLines: 2 }],
      diff: { text: DIFF.slice(0, DIFF.indexOf('diff --git a/notes')), isCut: false },
    })
    expect(second).toMatchObject({
      oldPath: null,
      newPath: 'notes.md',
      kind: 'ADDED',
      hunks: [{ oldStart: 0, newStart: 1 }],
    })
    expect(deploy.changes.metadata).toMatchObject({ totalCount: 2, totalPages: 1 })
  })

  test('are walked in pages, and twenty parts of the diff may be read at once', async () => {
    const { key, assetId } = await newHome()
    const diff = Array.from(
      { length: 45 },
      (_, index) => DIFF.replaceAll('app.ts', `${index}.ts`).split('diff --git a/notes')[0],
    )
    const { id } = await newDeploy(key, assetId, diff.join(''))

    const first = await run(key, CHANGES, { id, pagination: { perPage: 20 } })
    const after = first.deploy.changes.metadata.endCursor
    const second = await run(key, CHANGES, { id, pagination: { perPage: 20, after } })
    const byNumber = await run(key, CHANGES, { id, pagination: { perPage: 20, page: 3 } })
    const tooMany = await ask(key, CHANGES, { id, pagination: { perPage: 45 } })

    const paths = (answer: Data) => answer.deploy.changes.collection.map(({ newPath }: { newPath: string }) => newPath)
    expect(paths(first)).toEqual(Array.from({ length: 20 }, (_, index) => `src/${index}.ts`))
    expect(paths(second)).toEqual(Array.from({ length: 20 }, (_, index) => `src/${index + 20}.ts`))
    expect(paths(byNumber)).toEqual(['src/40.ts', 'src/41.ts', 'src/42.ts', 'src/43.ts', 'src/44.ts'])
    const unread = tooMany.data.deploy.changes.collection.filter(({ diff }: { diff: unknown }) => diff === null)
    expect(unread).toHaveLength(25)
    expect(tooMany.errors[0]?.extensions.code).toBe('BAD_USER_INPUT')
  })

  test('a long part of the diff is cut and says so', async () => {
    const { key, assetId } = await newHome()
    const lines = Array.from({ length: 5000 }, (_, index) => `+line ${index} of a file that is long enough`)
    const diff = ['--- /dev/null', '+++ b/long.txt', `@@ -0,0 +1,${lines.length} @@`, ...lines, ''].join('\n')
    const { id } = await newDeploy(key, assetId, `diff --git a/long.txt b/long.txt\nnew file mode 100644\n${diff}`)

    const { deploy } = await run(key, CHANGES, { id })

    const [{ diff: shown, added }] = deploy.changes.collection
    expect(added).toBe(5000)
    expect(shown.isCut).toBe(true)
    expect(shown.text.length).toBeLessThanOrEqual(100 * 1024)
    expect(shown.text.endsWith('\n')).toBe(true)
  })

  test('paths of any length and any character are kept, the longest ones cut', async () => {
    const { key, assetId } = await newHome()
    const paths = ['tab\\there', 'back\\\\slash', 'line\\nbreak', '\\303\\251t\\303\\251', `${'é'.repeat(1500)}`]
    const diff = paths.map((path) => `diff --git "a/${path}" "b/${path}"\nold mode 100644\nnew mode 100755\n`).join('')

    const { id } = await newDeploy(key, assetId, diff)

    const { deploy } = await run(key, CHANGES, { id })
    const kept = deploy.changes.collection.map(({ newPath }: { newPath: string }) => newPath)
    expect(kept).toEqual(['tab\there', 'back\\slash', 'line\nbreak', 'été', `${'é'.repeat(500)}…`])
  })

  test('a download gives the diff and the history as they were sent, and nothing that a browser would run', async () => {
    const { key, assetId } = await newHome()
    const other = await newHome()
    const variables = { assetId, previousCommit: emptyTree, currentCommit: commit('b') }
    const { data } = await upload(key, PIPELINE, variables, {
      diffContent: { content: '<script>alert(1)</script>', filename: "dé'iff.html", type: 'text/html' },
      commitHistory: { content: '[]' },
    })
    const { diffPath, commitHistoryPath } = data.createDeploy.deploy
    const get = async (path: string, as: string | null) =>
      fetch(`${await serviceUrl()}${path}`, { headers: as === null ? {} : { 'x-api-key': as } })

    const diff = await get(diffPath, key)
    const history = await get(commitHistoryPath, key)
    const refused = await Promise.all([get(diffPath, null), get(diffPath, other.key), get('/deploys/x/diff', key)])

    expect(await diff.text()).toBe('<script>alert(1)</script>')
    expect(await history.text()).toBe('[]')
    expect(Object.fromEntries(diff.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': expect.stringMatching(/^attachment; .*filename\*=UTF-8''d%C3%A9%27iff\.html$/),
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    expect(refused.map(({ status }) => status)).toEqual([401, 404, 400])
  })
})

describe('lists of deploys', () => {
  test("an asset's are newest first, of all branches or of one, and are walked by page or cursor", async () => {
    const { key, assetId } = await newHome()
    const made: string[] = []
    for (const number of [1, 2, 3, 4, 5]) {
      const branchName = number % 2 === 1 ? 'odd' : 'even'
      made.unshift((await newDeploy(key, assetId, '', { ...pairOf(number), branchName })).id)
    }

    const first = await run(key, BY_ASSET, { assetId, limit: 2 })
    const second = await run(key, BY_ASSET, { assetId, limit: 2, after: first.deploysByAsset.metadata.endCursor })
    const third = await run(key, BY_ASSET, { assetId, limit: 2, page: 3 })
    const odd = await run(key, BY_ASSET, { assetId, branchName: 'odd' })

    const ids = (answer: Data) => answer.deploysByAsset.collection.map(({ id }: { id: string }) => id)
    expect([...ids(first), ...ids(second), ...ids(third)]).toEqual(made)
    expect(ids(odd)).toEqual([made[0], made[2], made[4]])
    expect(first.deploysByAsset.metadata).toMatchObject({ currentPage: 1, limitValue: 2, totalCount: 5, totalPages: 3 })
  })

  test('a page takes as many statements for one deploy as for twenty', async () => {
    const [few, many] = [await newHome(), await newHome()]
    await newDeploy(few.key, few.assetId, DIFF, pairOf(1))
    for (let number = 1; number <= 20; number++) await newDeploy(many.key, many.assetId, DIFF, pairOf(number))
    const query = `query ($assetId: ID!) { deploysByAsset(assetId: $assetId, limit: 50) { collection { ${SHOWN}
      disposition(issueId: 1) changes { collection { newPath findings { touched } } } } } }`

    const one = await countStatements(() => run(few.key, query, { assetId: few.assetId }))
    const twenty = await countStatements(() => run(many.key, query, { assetId: many.assetId }))

    expect(twenty).toBe(one)
  })

  test("a project's are those of its assets within the two moments, both included", async () => {
    const { key, companyId, assetId } = await newHome()
    const [second, outside] = [await newAsset(key, companyId), await newAsset(key, companyId)]
    const { projectTypes } = await run(key, '{ projectTypes { collection { id } } }')
    const { createProject } = await run(
      key,
      'mutation ($input: CreateProjectInput!) { createProject(input: $input) { project { id } } }',
      {
        input: {
          companyId: Number(companyId),
          label: unique('Project'),
          goal: 'Know',
          scope: 'All',
          typeId: Number(projectTypes.collection[0].id),
          startDate: '2026-01-01',
          assetsIds: [Number(assetId), Number(second.id)],
        },
      },
    )
    const { id } = createProject.project
    const made = [await newDeploy(key, assetId), await newDeploy(key, second.id), await newDeploy(key, assetId)]
    await newDeploy(key, outside.id)
    const { deploy } = await run(key, DEPLOY, { id: made[1]?.id })
    const moment = deploy.createdAt
    const whole = { id, initialDate: '2020-01-01T00:00:00Z', finishDate: '2100-01-01T00:00:00Z' }

    const all = await run(key, BY_PROJECT, whole)
    const paged = await run(key, BY_PROJECT, { ...whole, page: 2, limit: 2 })
    const later = await run(key, BY_PROJECT, { ...whole, initialDate: new Date(Date.parse(moment)).toISOString() })
    const none = await run(key, BY_PROJECT, { ...whole, initialDate: '2099-01-01T00:00:00Z' })
    const backwards = await refusal(key, BY_PROJECT, { ...whole, finishDate: '2019-12-31T23:59:59Z' })

    const ids = (answer: Data) => answer.deploysByProjectId.collection.map((shown: { id: string }) => shown.id)
    const newestFirst = made.map((each) => each.id).reverse()
    expect(ids(all)).toEqual(newestFirst)
    expect(all.deploysByProjectId.collection[0]).toEqual({ id: newestFirst[0], status: 'PENDING', branchName: null })
    expect(all.deploysByProjectId.metadata).toEqual({ currentPage: 1, limitValue: 10, totalCount: 3 })
    expect(ids(paged)).toEqual(newestFirst.slice(2))
    expect(paged.deploysByProjectId.metadata).toEqual({ currentPage: 2, limitValue: 2, totalCount: 3 })
    expect(ids(later)).toEqual(newestFirst.slice(0, 2))
    expect(ids(none)).toEqual([])
    expect(backwards.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'finishDate' })
  })

  test('what belongs to another company and what is missing are refused alike', async () => {
    const mine = await newHome()
    const other = await newHome()
    const { id } = await newDeploy(other.key, other.assetId)
    const dates = { initialDate: '2020-01-01', finishDate: '2030-01-01' }

    const pairs = await Promise.all(
      [
        [DEPLOY, { id }, { id: '999999999' }],
        [BY_ASSET, { assetId: other.assetId }, { assetId: '999999999' }],
        [UPDATE, { input: { id, status: 'REVIEWED' } }, { input: { id: '999999999', status: 'REVIEWED' } }],
        [DELETE, { input: { id } }, { input: { id: '999999999' } }],
        [BY_PROJECT, { id: '999999998', ...dates }, { id: '999999999', ...dates }],
      ].map(async ([query, foreign, missing]) => [
        await refusal(mine.key, String(query), foreign as Record<string, unknown>),
        await refusal(mine.key, String(query), missing as Record<string, unknown>),
      ]),
    )

    for (const [foreign, missing] of pairs) {
      expect(foreign?.extensions.code).toBe('NOT_FOUND')
      expect(foreign?.message.replace(/\d+/, '#')).toBe(missing?.message.replace(/\d+/, '#'))
    }
  })
})

describe('the review of a deploy', () => {
  test('goes from one status to a permitted one, and no other', async () => {
    const { key, assetId } = await newHome()
    const { id } = await newDeploy(key, assetId)
    const become = (status: string) => run(key, UPDATE, { input: { id, status } })

    const reviewing = await become('IN_REVIEW')
    const again = await become('IN_REVIEW')
    const reviewed = await become('REVIEWED')
    const refused = await refusal(key, UPDATE, { input: { id, status: 'PENDING' } })
    const archived = await become('ARCHIVED')
    const final = await refusal(key, UPDATE, { input: { id, status: 'PENDING' } })

    expect(reviewing.updateDeployStatus.deploy.permittedStatus).toEqual(['PENDING', 'REVIEWED', 'DISCARDED'])
    expect(again.updateDeployStatus.deploy.status).toBe('IN_REVIEW')
    expect(reviewed.updateDeployStatus.deploy.permittedStatus).toEqual(['IN_REVIEW', 'ARCHIVED'])
    expect(refused.extensions.code).toBe('FAILED_PRECONDITION')
    expect(refused.message).toContain('IN_REVIEW, ARCHIVED')
    expect(archived.updateDeployStatus.deploy.permittedStatus).toEqual([])
    expect(final.extensions.code).toBe('FAILED_PRECONDITION')
  })

  test('takes an analyst, and is audited with the one that made the deploy', async () => {
    const { key, companyId, assetId } = await newHome()
    const developer = await newPerson(companyId, 'DEVELOPER')
    const { id } = await newDeploy(developer.key, assetId)

    const refused = await refusal(developer.key, UPDATE, { input: { id, status: 'REVIEWED' } })
    await run(key, UPDATE, { input: { id, status: 'REVIEWED' } })

    const { auditRecords } = await run(
      key,
      'query ($companyId: ID!) { auditRecords(companyId: $companyId) { collection { operation object before after } } }',
      { companyId },
    )
    expect(refused.extensions.code).toBe('FORBIDDEN')
    expect(auditRecords.collection.slice(0, 2)).toMatchObject([
      {
        operation: 'updateDeployStatus',
        object: `Deploy ${id}`,
        before: { status: 'PENDING' },
        after: { status: 'REVIEWED' },
      },
      { operation: 'createDeploy', object: `Deploy ${id}`, after: { status: 'PENDING' } },
    ])
  })
})

describe('deleting a deploy', () => {
  test('only the newest of a branch goes, and its commits may be deployed again', async () => {
    const { key, assetId } = await newHome()
    const older = await newDeploy(key, assetId, DIFF, pairOf(1))
    const newer = await newDeploy(key, assetId, DIFF, pairOf(2))

    const refused = await refusal(key, DELETE, { input: { id: older.id } })
    const { deleteDeploy } = await run(key, DELETE, { input: { id: newer.id, clientMutationId: 'x' } })
    const gone = await refusal(key, DEPLOY, { id: newer.id })
    const again = await newDeploy(key, assetId, DIFF, pairOf(2))

    expect(refused.extensions.code).toBe('FAILED_PRECONDITION')
    expect(deleteDeploy).toEqual({ clientMutationId: 'x', id: newer.id })
    expect(gone.extensions.code).toBe('NOT_FOUND')
    expect(again.id).not.toBe(newer.id)
  })
})
