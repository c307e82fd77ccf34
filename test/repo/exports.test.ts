// What a file exports is for other files: nothing is exported that only the file itself uses, or that is kept for tests alone.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sources } from './files.ts'

/** An export by its file and name; the name `*` stands for all of the file's. */
type Export = { path: string; name: string }

const isTest = (path: string) => /\.test\.ts$|^test\//.test(path)
const paths = sources()
const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
const texts = new Map(sources().map((path) => [path, withoutComments(readFileSync(path, 'utf8'))]))
const textOf = (path: string) => texts.get(path) ?? ''

const resolved = (from: string, to: string) =>
  new URL(to, `file:///${to.startsWith('.') ? from : ''}`).pathname.slice(1)

/** What `{ a, type B, c as d }` names: `inner` in the file that it is from, `outer` where it goes. */
const namesIn = (list: string) =>
  [...list.matchAll(/(?:type )?(\w+)(?: as (\w+))?/g)].map(([, inner = '', outer = inner]) => ({ inner, outer }))

function exportsOf(path: string): string[] {
  const text = textOf(path)
  const declared = text.matchAll(/^export (?:default |async )*(?:const|let|function\*?|class|type|interface) (\w+)/gm)
  const listed = text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)
  return [
    ...[...declared].map(([, name = '']) => name),
    ...[...listed].flatMap(([, list = '']) => namesIn(list).map(({ outer }) => outer)),
  ]
}

/** The members of an `import * as space` that a text uses; `*` where it uses the space itself. */
const membersOf = (space: string, text: string) =>
  [...text.replace(/ from '.*'/g, '').matchAll(new RegExp(`(?<!\\* as )\\b${space}\\b(?:\\.(\\w+))?`, 'g'))].map(
    ([, name]) => name ?? '*',
  )

/** What a file takes from others: by name, as a member of `* as`, or all of a file that it loads by its path, as a configuration does. */
function usesOf(path: string): Export[] {
  const text = textOf(path)
  const named = text.matchAll(/^(?:import|export)\b[^{'"*]*\{([^}]*)\} from '(\.[^']+)'/gm)
  const spaces = text.matchAll(/\* as (\w+) from '(\.[^']+)'/g)
  const loaded = text.matchAll(
    path.endsWith('.config.ts')
      ? /'([\w./-]+\.ts)'/g
      : /(?<! from )'(\.[\w./-]+\.(?:tsx?|mjs))'|(?<=pathToFileURL\()'([\w./-]+\.tsx?)'/g,
  )
  return [
    ...[...named].flatMap(([, list = '', target = '']) =>
      namesIn(list).map(({ inner }) => ({ path: resolved(path, target), name: inner })),
    ),
    ...[...spaces].flatMap(([, space = '', target = '']) =>
      membersOf(space, text).map((name) => ({ path: resolved(path, target), name })),
    ),
    ...[...loaded].map(([, near, far = '']) => ({ path: resolved(path, near ?? far), name: '*' })),
  ]
}

const keyOf = ({ path, name }: Export) => `${path} ${name}`
const usedBy = (users: readonly string[]) => new Set(users.flatMap(usesOf).map(keyOf))
const unused = (of: readonly string[], used: ReadonlySet<string>) =>
  of.flatMap((path) =>
    used.has(keyOf({ path, name: '*' }))
      ? []
      : exportsOf(path)
          .map((name) => keyOf({ path, name }))
          .filter((key) => !used.has(key)),
  )

test('every export is imported by another file', () => {
  const used = usedBy(sources())

  expect(unused(paths, used)).toEqual([])
})

test('nothing is kept for tests alone: what only they import is used in its own file as well', () => {
  const used = usedBy(sources().filter((path) => !isTest(path)))

  const kept = unused(
    paths.filter((path) => path.startsWith('src/')),
    used,
  ).filter((key) => {
    const [path = '', name = ''] = key.split(' ')
    return textOf(path).match(new RegExp(`\\b${name}\\b`, 'g'))?.length === 1
  })

  expect(kept).toEqual([])
})
