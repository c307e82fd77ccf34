// What deploys introduced, touched and fixed, asked of a list of deploys.

import { describe, expect, test } from 'vitest'
import { type Data, run } from '../../../test/testkit/client.ts'
import { changed, deployed, lines, newCodeHome, without } from '../../../test/testkit/code-home.ts'
import { sast, upsert } from '../../../test/testkit/findings.ts'
import { countStatements } from '../../../test/testkit/service.ts'
import { emptyTree } from '../../../test/testkit/world.ts'

const FINDINGS = ['introduced(pagination: { perPage: 2 })', 'touched', 'fixed']
  .map((list) => `${list} { collection { id title severity } metadata { totalCount totalPages limitValue endCursor } }`)
  .join(' ')
const LIST = `query ($assetId: ID!, $limit: Int) { deploysByAsset(assetId: $assetId, limit: $limit) {
  collection { id ${FINDINGS} } } }`
const ONE = `query ($id: ID!) { deploy(id: $id) { id ${FINDINGS} } }`

/** Six deploys, each with a file and three findings of its own; each later one touches a finding of the one before, and removes another. */
async function newStory() {
  const home = await newCodeHome()
  const { repository, key, assetId } = home
  let before = emptyTree
  for (let number = 1; number <= 6; number += 1) {
    const last = `f${number - 1}.ts`
    const files = number === 1 ? {} : { [last]: without(changed(lines(last), 5), 10) }
    const after = repository.commit({ ...files, [`f${number}.ts`]: lines(`f${number}.ts`) })
    const { id: deployId } = await deployed(home, repository.diff(before, after), before, after, 'main')
    for (const [line, severity] of [
      [5, 'LOW'],
      [10, 'CRITICAL'],
      [15, 'MEDIUM'],
    ] as const) {
      const place = {
        fileName: `f${number}.ts`,
        vulnerableLine: line,
        firstLine: line,
        codeSnippet: `${number} ${line}`,
      }
      await upsert(
        key,
        sast(Number(assetId), { ...place, title: `${number} ${line}`, severity, branchName: 'main', deployId }),
      )
    }
    before = after
  }
  return home
}

const titlesOf = ({ collection }: Data): string[] => collection.map(({ title }: Data) => title)

describe('findings of the deploys of a list', () => {
  test('are those that each deploy gives alone, the worst first', async () => {
    const { key, assetId } = await newStory()

    const { deploysByAsset } = await run(key, LIST, { assetId })

    const [last] = deploysByAsset.collection
    expect(titlesOf(last.introduced)).toEqual(['6 10', '6 15'])
    expect(last.introduced.metadata).toMatchObject({ totalCount: 3, totalPages: 2, limitValue: 2 })
    expect([titlesOf(last.touched), titlesOf(last.fixed)]).toEqual([['5 5'], ['5 10']])
    expect(deploysByAsset.collection).toHaveLength(6)
    for (const listed of deploysByAsset.collection) {
      expect(listed).toEqual((await run(key, ONE, { id: listed.id })).deploy)
    }
  })

  test('take as many statements for six deploys as for two', async () => {
    const { key, assetId } = await newStory()
    const listed = (limit: number) => countStatements(() => run(key, LIST, { assetId, limit }))

    const two = await listed(2)

    expect(await listed(6)).toBe(two)
  })
})
