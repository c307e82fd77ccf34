// Findings in the lines of a deploy's diff, before and after it, and the files that have some before the others.

import { describe, expect, test } from 'vitest'
import { type Data, refusal, run } from '../../../test/testkit/client.ts'
import { type CodeHome, changed, deployed, lines, newCodeHome, without } from '../../../test/testkit/code-home.ts'
import { newHome } from '../../../test/testkit/deploys.ts'
import { sast, upsert } from '../../../test/testkit/findings.ts'
import { countStatements } from '../../../test/testkit/service.ts'
import { emptyTree, newDeploy } from '../../../test/testkit/world.ts'

const CHANGES = `query ($id: ID!, $findingsFirst: Boolean, $pagination: PaginationInput) { deploy(id: $id) {
  changes(findingsFirst: $findingsFirst, pagination: $pagination) {
    collection { newPath placedFindings { kind isFixed oldLine newLine issue { id } } } metadata { totalCount endCursor } } } }`

const changesOf = async (key: string, id: string, more: Data = {}) =>
  (await run(key, CHANGES, { id, ...more })).deploy.changes

const placedIn = async (key: string, id: string): Promise<Record<string, Data[]>> => {
  const { collection } = await changesOf(key, id, { pagination: { perPage: 50 } })
  return Object.fromEntries(
    collection.map(({ newPath, placedFindings }: Data) => [
      newPath,
      placedFindings.map(({ issue, ...rest }: Data) => ({ id: issue.id, ...rest })),
    ]),
  )
}

let snippets = 0

/** A finding of code of its own in main, where it stood at the commit. */
const reported = async (home: CodeHome, fileName: string, line: number, more: Data = {}): Promise<string> => {
  const place = { fileName, vulnerableLine: line, firstLine: line, codeSnippet: `query${snippets++}(text)` }
  const { issue } = await upsert(home.key, sast(Number(home.assetId), { ...place, branchName: 'main', ...more }))
  return issue.id
}

/** A deploy that touches, moves, removes, renames and introduces a finding each, all on main. */
async function newStory() {
  const home = await newCodeHome()
  const { repository } = home
  const all = { 'a.ts': lines('a'), 'b.ts': lines('b'), 'c.ts': lines('c') }
  const before = repository.commit(all)
  await deployed(home, repository.diff(emptyTree, before), emptyTree, before, 'main')
  const touched = await reported(home, 'a.ts', 5)
  const moved = await reported(home, 'a.ts', 15)
  const removed = await reported(home, 'b.ts', 3, { codeSnippet: 'query(removed)' })
  const renamed = await reported(home, 'c.ts', 2)
  const changedA = changed(lines('a'), 5).toSpliced(9, 0, 'new', 'new')
  const after = repository.commit({
    'a.ts': changedA,
    'b.ts': without(lines('b'), 3),
    'c.ts': null,
    'lib/c.ts': lines('c'),
    'n.ts': lines('n', 6),
    'z.ts': lines('z', 2),
  })
  const { id: deployId } = await deployed(home, repository.diff(before, after), before, after, 'main')
  const introduced = await reported(home, 'n.ts', 4, { deployId })
  return { ...home, after, changedA, deployId, touched, moved, removed, renamed, introduced }
}

describe('findings in the files of a deploy', () => {
  test('stand in the lines that they were in before and are in after, with what was done to them', async () => {
    const { key, deployId, touched, moved, removed, renamed, introduced } = await newStory()

    const placed = await placedIn(key, deployId)

    expect(placed).toEqual({
      'a.ts': [
        { id: touched, kind: 'TOUCHED', isFixed: false, oldLine: 5, newLine: 5 },
        { id: moved, kind: 'MOVED', isFixed: false, oldLine: 15, newLine: 17 },
      ],
      'b.ts': [{ id: removed, kind: 'REMOVED', isFixed: true, oldLine: 3, newLine: null }],
      'lib/c.ts': [{ id: renamed, kind: 'RENAMED', isFixed: false, oldLine: 2, newLine: 2 }],
      'n.ts': [{ id: introduced, kind: 'INTRODUCED', isFixed: false, oldLine: null, newLine: 4 }],
      'z.ts': [],
    })
  })

  test('stay there for that deploy, whatever later ones do', async () => {
    const { deployId, after, changedA, ...home } = await newStory()
    const before = await placedIn(home.key, deployId)
    const next = home.repository.commit({ 'a.ts': ['first', ...changedA], 'n.ts': ['first', ...lines('n', 6)] })

    const later = await deployed(home, home.repository.diff(after, next), after, next, 'main')

    expect(await placedIn(home.key, deployId)).toEqual(before)
    expect((await placedIn(home.key, later.id))['a.ts']).toEqual([
      { id: home.touched, kind: 'MOVED', isFixed: false, oldLine: 5, newLine: 6 },
      { id: home.moved, kind: 'MOVED', isFixed: false, oldLine: 17, newLine: 18 },
    ])
  })

  test('are not removed once a report of the same commit has them again', async () => {
    const { deployId, removed, ...home } = await newStory()

    const again = await reported(home, 'b.ts', 7, { codeSnippet: 'query(removed)' })

    expect(again).toBe(removed)
    expect((await placedIn(home.key, deployId))['b.ts']).toEqual([
      { id: removed, kind: 'TOUCHED', isFixed: false, oldLine: 3, newLine: 7 },
    ])
  })

  test('are those of a branch that began with the deploy as well', async () => {
    const home = await newCodeHome()
    const before = home.repository.commit({ 'a.ts': lines('a') })
    await deployed(home, home.repository.diff(emptyTree, before), emptyTree, before, 'main')
    const id = await reported(home, 'a.ts', 15)
    const after = home.repository.commit({ 'a.ts': ['first', ...lines('a')] })

    const fork = await deployed(home, home.repository.diff(before, after), before, after, 'feature')

    expect((await placedIn(home.key, fork.id))['a.ts']).toEqual([
      { id, kind: 'MOVED', isFixed: false, oldLine: 15, newLine: 16 },
    ])
  })
})

describe('files with findings', () => {
  test('come first over all pages: introduced ones, then touched and removed ones, then moved ones, then the rest', async () => {
    const { key, deployId } = await newStory()
    const order: string[] = []

    for (let after: string | null | undefined; after !== null; ) {
      const { collection, metadata } = await changesOf(key, deployId, {
        findingsFirst: true,
        pagination: { perPage: 2, after },
      })
      order.push(...collection.map(({ newPath }: Data) => newPath))
      after = metadata.endCursor
      expect(metadata.totalCount).toBe(5)
    }
    const second = await changesOf(key, deployId, { findingsFirst: true, pagination: { perPage: 2, page: 2 } })

    expect(order).toEqual(['n.ts', 'a.ts', 'b.ts', 'lib/c.ts', 'z.ts'])
    expect(second.collection.map(({ newPath }: Data) => newPath)).toEqual(['b.ts', 'lib/c.ts'])
  })

  test('a cursor of the other order is refused', async () => {
    const { key, deployId } = await newStory()
    const plain = await changesOf(key, deployId, { pagination: { perPage: 2 } })

    const failure = await refusal(key, CHANGES, {
      id: deployId,
      findingsFirst: true,
      pagination: { perPage: 2, after: plain.metadata.endCursor },
    })

    expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'after' })
  })

  test('a page of deploys and files takes as many statements whatever its size', async () => {
    const { key, assetId } = await newHome()
    const file = (index: number) => `--- /dev/null\n+++ b/src/${index}.ts\n@@ -0,0 +1 @@\n+one\n`
    for (let number = 0; number < 6; number++) {
      await newDeploy(key, assetId, Array.from({ length: 8 }, (_, index) => file(index)).join(''))
    }
    const page = (deploys: number, files: number) =>
      run(
        key,
        `query ($assetId: ID!, $deploys: Int, $files: Int) { deploysByAsset(assetId: $assetId, limit: $deploys) { collection {
          changes(findingsFirst: true, pagination: { perPage: $files }) { collection { placedFindings { kind issue { id } } } } } } }`,
        { assetId, deploys, files },
      )

    const few = await countStatements(() => page(1, 1))
    const many = await countStatements(() => page(6, 8))

    expect(many).toBe(few)
  })
})
