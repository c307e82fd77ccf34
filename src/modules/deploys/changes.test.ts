// The changes of a deploy and its files, through the endpoint and as downloads.

import { describe, expect, test } from 'vitest'
import { ask, type Data, run, upload } from '../../../test/testkit/client.ts'
import { commit, DIFF, newHome, PIPELINE } from '../../../test/testkit/deploys.ts'
import { serviceUrl } from '../../../test/testkit/service.ts'
import { emptyTree, newDeploy } from '../../../test/testkit/world.ts'

const CHANGES = `query ($id: ID!, $pagination: PaginationInput) { deploy(id: $id) { changes(pagination: $pagination) {
  collection { oldPath newPath kind added removed language binary hunks { oldStart oldLines newStart newLines }
    findings { moved renamed touched removed } diff { text isCut } } metadata { totalCount totalPages endCursor } } } }`

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

  test('paths of any length and any character are kept, of the longest ones the end', async () => {
    const { key, assetId } = await newHome()
    const paths = ['tab\\there', 'back\\\\slash', 'line\\nbreak', '\\303\\251t\\303\\251', `${'é'.repeat(1500)}`]
    const diff = paths.map((path) => `diff --git "a/${path}" "b/${path}"\nold mode 100644\nnew mode 100755\n`).join('')

    const { id } = await newDeploy(key, assetId, diff)

    const { deploy } = await run(key, CHANGES, { id })
    const kept = deploy.changes.collection.map(({ newPath }: { newPath: string }) => newPath)
    expect(kept).toEqual(['tab\there', 'back\\slash', 'line\nbreak', 'été', 'é'.repeat(500)])
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
