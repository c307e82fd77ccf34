// Shows how paths name languages, and how counts are written.

import { expect, test } from 'vitest'
import { languageOf } from './language.ts'
import { numstat } from './numstat.ts'
import type { DiffFile } from './types.ts'

test.each([
  ['src/app.ts', 'TypeScript'],
  ['web/Page.TSX', 'TSX'],
  ['views/a.blade.php', 'Blade'],
  ['a/b.php', 'PHP'],
  ['Dockerfile', 'Dockerfile'],
  ['docker/Dockerfile.dev', 'Dockerfile'],
  ['x/CMakeLists.txt', 'CMake'],
  ['go.mod', 'Go Module'],
  ['.gitignore', 'Ignore List'],
  ['Main.kt', 'Kotlin'],
  ['infra/main.tf', 'HCL'],
  ['archive.unknown', null],
  ['constructor', null],
  ['', null],
])('%s is %s', (path, language) => {
  expect(languageOf(path)).toBe(language)
})

const file: DiffFile = {
  oldPath: 'a',
  newPath: 'b',
  kind: 'RENAMED',
  binary: false,
  oldMode: null,
  newMode: null,
  added: 3,
  removed: 1,
  language: null,
  hunks: [],
}

test('counts are written as git writes them', () => {
  expect(numstat(file)).toBe('3\t1\t\0a\0b')
  expect(numstat({ ...file, oldPath: 'b' })).toBe('3\t1\tb')
  expect(numstat({ ...file, newPath: null, binary: true })).toBe('-\t-\ta')
})
