// Creating deploys, through the endpoint: what is kept and read of a diff, and what is refused.

import { describe, expect, test } from 'vitest'
import { ask, refusal, run, upload } from '../../../test/testkit/client.ts'
import { commit, DEPLOY, DIFF, inline, newHome, PIPELINE, pairOf, SHOWN } from '../../../test/testkit/deploys.ts'
import { emptyTree, newDeploy, newPerson } from '../../../test/testkit/world.ts'

const CREATE = `mutation ($input: CreateDeployInput!) { createDeploy(input: $input) { clientMutationId deploy { ${SHOWN} } } }`
const COUNT = 'query ($assetId: ID!) { deploysByAsset(assetId: $assetId) { metadata { totalCount } } }'

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

  test('a message that is cut in the middle of a character is kept up to it', async () => {
    const { key, assetId } = await newHome()
    const message = 'a'.repeat(1999)
    const history = JSON.stringify([{ sha: commit('b'), message: `${message}😀 and more`, author: 'Ada' }])
    const variables = { assetId, previousCommit: emptyTree, currentCommit: commit('b'), branchName: 'main' }

    const { data, errors } = await upload(key, PIPELINE, variables, {
      diffContent: { content: DIFF, filename: 'diff.txt' },
      commitHistory: { content: history, filename: 'log.json' },
    })

    expect(errors).toEqual([])
    expect(data.createDeploy.deploy.commits).toMatchObject([{ message: `${message}\ufffd`, author: 'Ada' }])
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

  test.each([
    ['whole and then shortened', 40, 10],
    ['shortened and then whole', 10, 40],
  ])('the same commits %s are a conflict', async (_, first, then) => {
    const { key, assetId } = await newHome()
    const at = (digits: number) => ({
      input: {
        assetId,
        diffContent: inline(DIFF),
        previousCommit: commit('a').slice(0, digits),
        currentCommit: commit('b').slice(0, digits),
      },
    })
    await run(key, CREATE, at(first))

    const failure = await refusal(key, CREATE, at(then))

    expect(failure.extensions.code).toBe('CONFLICT')
  })

  test('of ten at once with the same commits one is made and the others are conflicts', async () => {
    const { key, assetId } = await newHome()
    const input = { assetId, diffContent: inline(DIFF), previousCommit: commit('a'), currentCommit: commit('b') }

    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(key, CREATE, { input })))

    const failures = answers.flatMap(({ errors }) => errors)
    const { deploysByAsset } = await run(key, COUNT, { assetId })
    expect(failures.map(({ extensions }) => extensions.code)).toEqual(Array(9).fill('CONFLICT'))
    expect(new Set(failures.map(({ message }) => message))).toEqual(
      new Set(['A deploy with the same previous and current commit already exists']),
    )
    expect(deploysByAsset.metadata.totalCount).toBe(1)
  })

  test('one file as diff and as history at once is refused as a fault of the request', async () => {
    const { key, assetId } = await newHome()
    const twice = `mutation ($file: Upload!, $assetId: ID!, $from: String!, $to: String!) { createDeploy(input:
      { assetId: $assetId, previousCommit: $from, currentCommit: $to, diffContent: $file, commitHistory: $file })
      { deploy { id } } }`
    const variables = { file: inline(DIFF), assetId, from: commit('a'), to: commit('b') }

    const failure = await refusal(key, twice, variables)

    const { deploysByAsset } = await run(key, COUNT, { assetId })
    expect(failure.extensions.code).toBe('BAD_USER_INPUT')
    expect(deploysByAsset.metadata.totalCount).toBe(0)
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
