// Which paths of a report become those of the repository, and how long it is looked for.

import { describe, expect, test } from 'vitest'
import { inRepository } from './in-repository.ts'
import { knowingFiles } from './known-files.ts'
import type { Row } from './types.ts'

async function* rowsOf(paths: readonly string[]): AsyncGenerator<Row> {
  for (const fileName of paths) {
    yield {
      kind: 'OBSERVATION',
      at: fileName,
      observation: { kind: 'CODE', type: 'SAST_FINDING', toolName: 'A', ruleId: 'a', title: 'A', fileName },
    }
  }
}

/** The paths as they are read where a repository has these files, and how often it was looked for. */
async function read(paths: readonly string[], files: readonly string[], path: string | null = null) {
  const tell = knowingFiles(files)
  let looks = 0
  const find = async (written: string) => {
    looks += 1
    return tell(written)
  }
  const inside: (string | undefined)[] = []
  for await (const row of inRepository(rowsOf(paths), { find, path })) {
    if (row.kind === 'OBSERVATION' && row.observation.kind === 'CODE') inside.push(row.observation.fileName)
  }
  return { inside, looks }
}

describe('a repository', () => {
  test('that files tell to be the root of the machine has none of the machine’s own directories', async () => {
    const paths = ['/src/shop/cart.py', '/usr/include/e.h', '/github/workspace/a.py', '/src/b.py']

    const { inside } = await read(paths, ['src/shop/cart.py'])

    expect(inside).toEqual(['src/shop/cart.py', '/usr/include/e.h', 'a.py', 'src/b.py'])
  })

  test('that lies in many places by its files is looked for a few times only', async () => {
    const paths = Array.from({ length: 500 }, (_, index) => `/builder${index}/src/cart.py`)

    const { inside, looks } = await read(paths, ['src/cart.py'])

    expect(looks).toBe(20)
    expect([inside.length, inside[0], inside.at(-1)]).toEqual([500, 'src/cart.py', 'builder499/src/cart.py'])
  })

  test('has none of the files of an image, nor of those of it that were not seen', async () => {
    const image = 'shop:1.2'
    const fileName = '/app/src/cart.py'
    const step = { path: fileName, line: 1 }
    const found = { kind: 'CODE', type: 'SAST_FINDING', toolName: 'A', ruleId: 'a', title: 'A', fileName } as const
    const flow = { flow: [step, { ...step, line: 2 }], source: `${fileName}:1`, sink: `${fileName}:2` }
    const checkout = { path: '/app', directory: 'services', find: async () => '/app/' }
    async function* given(): AsyncGenerator<Row> {
      yield { kind: 'OBSERVATION', at: '0', observation: { ...found, ...flow, image, otherPlaces: [{ fileName }] } }
      yield { kind: 'UNSEEN_FILE', at: '1', fileName, image, reason: `A did not read ${fileName}` }
      yield { kind: 'OBSERVATION', at: '2', observation: found }
    }

    const rows = await Array.fromAsync(inRepository(given(), checkout))

    const inside = 'app/src/cart.py'
    expect(rows).toMatchObject([
      {
        observation: {
          fileName: inside,
          otherPlaces: [{ fileName: inside }],
          flow: [{ path: inside }, { path: inside }],
          source: `${inside}:1`,
          sink: `${inside}:2`,
        },
      },
      { fileName: inside, reason: `A did not read ${inside}` },
      { observation: { fileName: 'src/cart.py' } },
    ])
  })

  test.each([
    ['C:\\shop', 'c:/shop/a.py'],
    ['c:/shop/', 'C:\\shop\\a.py'],
    ['C:\\work\\.\\..\\shop', 'C:/shop/a.py'],
    ['C:/../shop', 'C:/shop/a.py'],
    ['/work/./app/../shop/', '/work/shop/a.py'],
    ['\\\\server\\app\\..\\shop', '//server/shop/a.py'],
  ])('in %s has %s, however its directory is written', async (checkout, path) => {
    const { inside } = await read([path], [], checkout)

    expect(inside).toEqual(['a.py'])
  })
})
