// The data directory is closed to other accounts from the moment it is made, and a path that cannot be one is refused.

import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeDataDirectory } from './data-directory.ts'

const directory = mkdtempSync(join(tmpdir(), 'merlon-data-'))
afterAll(() => rmSync(directory, { recursive: true }))

test('a data directory that is made can be listed by its owner alone', () => {
  const made = makeDataDirectory(join(directory, 'a', 'b'))

  expect(statSync(made).mode & 0o066).toBe(0)
})

test('a directory that is there stays as it is', () => {
  const before = statSync(directory).mode

  makeDataDirectory(directory)

  expect(statSync(directory).mode).toBe(before)
})

test('a file in its place is refused by the name of the setting', () => {
  const file = join(directory, 'file')
  writeFileSync(file, '')

  expect(() => makeDataDirectory(file)).toThrow(/ cannot be made or used \(EEXIST\): set MERLON_DATA /)
  expect(() => makeDataDirectory(join(file, 'below'))).toThrow(/ \(ENOTDIR\): set MERLON_DATA /)
})

test.runIf(existsSync('/proc/self'))('a place in which nothing can be made is refused, and not tried for ever', () => {
  expect(() => makeDataDirectory('/proc/none')).toThrow(/^The data directory \/proc\/none cannot .* set MERLON_DATA /)
})
