// A deploy of thousands of small files, which are held as bytes while they arrive: nothing of them is lost.

import { expect, test } from 'vitest'
import { run, upload } from '../../../test/testkit/client.ts'
import { deployed, newCodeHome, placesOf } from '../../../test/testkit/code-home.ts'
import { PIPELINE } from '../../../test/testkit/deploys.ts'
import { emptyTree } from '../../../test/testkit/world.ts'

const THOUSANDS = 6_000

const pathOf = (number: number) => `src/größe ${number % 7}/${'nested/'.repeat(number % 4)}file${number}.ts`

test('a deploy of thousands of small files lists each where the diff has it, and sums them up', async () => {
  const { key, assetId } = await newCodeHome()
  const added = (number: number) =>
    `diff --git a/${pathOf(number)} b/${pathOf(number)}\nnew file mode 100644\nindex 0000000..${number}\n--- /dev/null\n` +
    `+++ b/${pathOf(number)}\n@@ -0,0 +1,${(number % 3) + 1} @@\n${`+line ${number}\n`.repeat((number % 3) + 1)}`
  const content = Array.from({ length: THOUSANDS }, (_, number) => added(number)).join('')
  const variables = { assetId, previousCommit: emptyTree, currentCommit: 'b'.repeat(40) }

  const { data } = await upload(key, PIPELINE, variables, { diffContent: { content } })

  const query = `query ($id: ID!) { deploy(id: $id) { changes(pagination: { page: 1441, perPage: 3 }) {
    collection { oldPath newPath added diff { text isCut } } metadata { totalCount } } } }`
  const { deploy } = data.createDeploy
  const { changes } = (await run(key, query, { id: deploy.id })).deploy
  expect(content.length).toBeGreaterThan(1024 * 1024)
  expect(deploy).toMatchObject({ diffState: 'PARSED', files: THOUSANDS, added: THOUSANDS * 2, removed: 0 })
  expect(deploy.languages).toEqual([{ name: 'TypeScript', files: THOUSANDS, added: THOUSANDS * 2, removed: 0 }])
  expect(changes.metadata.totalCount).toBe(THOUSANDS)
  expect(changes.collection).toEqual(
    [4_320, 4_321, 4_322].map((number) => ({
      oldPath: null,
      newPath: pathOf(number),
      added: (number % 3) + 1,
      diff: { text: added(number), isCut: false },
    })),
  )
})

test('it carries a finding of any of them, and one of a copy', async () => {
  const home = await newCodeHome()
  const change = (number: number) =>
    `diff --git a/${pathOf(number)} b/${pathOf(number)}\nindex 1..2 100644\n--- a/${pathOf(number)}\n+++ b/${pathOf(number)}\n` +
    `@@ -1 +1,${(number % 5) + 2} @@\n line\n${'+more\n'.repeat((number % 5) + 1)}`
  const numbers = Array.from({ length: THOUSANDS }, (_, number) => number)
  const moved = `diff --git a/copied.ts b/taken.ts\nsimilarity index 100%\ncopy from copied.ts\ncopy to taken.ts\ndiff --git a/copied.ts b/copied.ts\ndeleted file mode 100644\nindex 1..0000000\n--- a/copied.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-line\n`
  await deployed(home, '', emptyTree, 'a'.repeat(40))
  const ids = [
    await home.finding(pathOf(5_999), 9),
    await home.finding(pathOf(3), 9),
    await home.finding('copied.ts', 1),
  ]

  await deployed(home, `${moved}${numbers.map(change).join('')}`, 'a'.repeat(40), 'b'.repeat(40))

  expect(await placesOf(home, ids)).toEqual([
    [pathOf(5_999), 14, 'MOVED'],
    [pathOf(3), 13, 'MOVED'],
    ['taken.ts', 1, 'RENAMED'],
  ])
})
