// Shows how paths name languages.

import { expect, test } from 'vitest'
import { languageOf } from './language.ts'

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
