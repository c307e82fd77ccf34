// Whether a review in a thread of its own tells the same, and ends at its bounds.

import { expect, test } from 'vitest'
import { chanceOf, diffAdding, tokenOf } from '../../test/testkit/secret-samples.ts'
import { kinds } from './secrets/kinds/index.ts'
import { ReviewFault, reviewInThread } from './threaded.ts'

const key = Buffer.alloc(32)

async function* pieces(text: string, size = 1000) {
  for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size))
}

const github = kinds.find(({ id }) => id === 'github-personal-token')
const line = `const token = '${github === undefined ? '' : tokenOf(github, chanceOf(3))}'`
const fill = Array.from({ length: 200 }, (_, number) => `line ${number}`)

test('A diff is reviewed in a thread, piece by piece', async () => {
  const diff = diffAdding([
    { path: 'a.ts', lines: [...fill, line] },
    { path: 'b.ts', lines: fill },
  ])

  const { found, result, untold } = await reviewInThread(pieces(diff), { key, timeout: 30_000 })

  expect(result).toMatchObject({ state: 'PARSED', files: 2 })
  expect(untold).toBe(0)
  expect(found).toMatchObject([{ kind: 'OBSERVATION', observation: { fileName: 'a.ts', line: 201 } }])
})

test('What is past the bound of findings is counted', async () => {
  const diff = diffAdding(['a', 'b', 'c'].map((name) => ({ path: `${name}.ts`, lines: [line] })))

  const { found, untold } = await reviewInThread(pieces(diff), { key, timeout: 30_000, mostFound: 2 })

  expect([found.length, untold]).toEqual([2, 1])
})

test('A review that takes too long is ended and says so', async () => {
  async function* endless(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('diff')
    await new Promise(() => {})
  }

  await expect(reviewInThread(endless(), { key, timeout: 500 })).rejects.toThrow(ReviewFault)
})

test('A review that is called off ends', async () => {
  const signal = AbortSignal.abort(new Error('called off'))

  await expect(reviewInThread(pieces(''), { key, timeout: 30_000, signal })).rejects.toThrow('called off')
})
