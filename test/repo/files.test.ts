// The rules for every file of the project: its length, its first sentence, nothing unfinished, and no dead link.

import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { descriptions, linesOf, projectFiles, sources } from './files.ts'

test('no source has more than 400 lines, and nine in ten have fewer than 250', () => {
  const lengths = [...sources(), ...descriptions()].map((path) => ({ path, lines: linesOf(path).length }))

  const long = lengths.filter(({ lines }) => lines > 400)
  const middling = lengths.filter(({ lines }) => lines >= 250)

  expect(long).toEqual([])
  expect(middling.length / lengths.length).toBeLessThan(0.1)
})

test('every source opens with a sentence on what it answers for', () => {
  const silent = sources().filter((path) => {
    const opening = linesOf(path).find((line) => line !== '' && !line.startsWith('#!')) ?? ''
    return !/^\/\/ \S.+|^\/\*\*? ?\S?/.test(opening)
  })

  expect(silent).toEqual([])
})

test('no test is skipped or stands alone, and nothing is left to do', () => {
  const unfinished = sources().filter(
    (path) =>
      path !== 'test/repo/files.test.ts' &&
      /\.(skip|only|todo)\(|\b(TODO|FIXME|XXX)\b/.test(readFileSync(path, 'utf8')),
  )

  expect(unfinished).toEqual([])
})

test('every link of the documents leads somewhere', () => {
  const dead = projectFiles()
    .filter((path) => path.endsWith('.md'))
    .flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
        .map(([, target = '']) => new URL(target, `file:///${path}`).pathname.slice(1))
        .filter((target) => !existsSync(target))
        .map((target) => `${path} → ${target}`),
    )

  expect(dead).toEqual([])
})

test('the lockfile names no registry host', () => {
  const lockfile = readFileSync('package-lock.json', 'utf8')

  expect(lockfile).not.toMatch(/"resolved"/)
})

test('the lockfile has every optional package that another names, without which a clone cannot be installed', () => {
  const { packages }: { packages: Record<string, { optionalDependencies?: object }> } = JSON.parse(
    readFileSync('package-lock.json', 'utf8'),
  )

  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !packages[`${path}/node_modules/${name}`] && !packages[`node_modules/${name}`])
      .map((name) => `${path} → ${name}`),
  )

  expect(missing).toEqual([])
})
