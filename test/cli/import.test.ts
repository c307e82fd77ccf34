// `merlon import`, run as its own process against the service.

import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../testkit/client.ts'
import { newReportHome, result, results, sarif } from '../testkit/reports.ts'
import { merlon, merlonJson } from './command.ts'
import { newRepository } from './repository.ts'

async function newFolder(files: Record<string, string>) {
  const home = await newReportHome()
  const cwd = mkdtempSync(join(tmpdir(), 'merlon-reports-'))
  mkdirSync(join(cwd, 'out', 'deep'), { recursive: true })
  for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, name), content)
  return { ...home, here: { key: home.key, cwd } }
}

test('a report is sent, and what it came to is said with the rows that were left out', async () => {
  const { here } = await newFolder({ 'a.sarif': sarif([...results(2), 'nonsense', result(1)]) })

  const { code, out } = await merlon(['import', 'a.sarif'], here)

  expect(code).toBe(0)
  expect(out).toMatch(/^a\.sarif: import \d+ \(sarif\), 4 rows: 2 new, 1 the same as another row, 1 left out\n/)
  expect(out).toContain('  left out runs[0].results[2]: It is not an object\n')
  expect(out).toContain('  merged runs[0].results[3]: The same finding as runs[0].results[0]\n')
})

test('standard input and many files are sent one after another', async () => {
  const { here } = await newFolder({ 'a.sarif': sarif(results(2)), 'b.sarif': sarif(results(1, 7)) })

  const outcomes = await merlonJson(['import', '-', 'a.sarif', 'b.sarif'], { ...here, input: sarif(results(2)) })

  expect(outcomes.map((one: { file: string }) => one.file)).toEqual(['-', 'a.sarif', 'b.sarif'])
  expect(outcomes.map((one: { import: { result: object } }) => one.import.result)).toMatchObject([
    { created: 2 },
    { unchanged: 2 },
    { created: 1 },
  ])
})

test('a folder is searched, and what is no report in it is passed over', async () => {
  const files = { 'out/a.sarif': sarif(results(1)), 'out/deep/b.sarif': sarif(results(1, 5)), 'out/package.json': '{}' }
  const { here } = await newFolder(files)
  const empty = await newFolder({ 'out/package.json': '{}' })

  const { code, out } = await merlon(['import', 'out'], here)
  const nothing = await merlon(['import', 'out'], empty.here)

  expect(code).toBe(0)
  expect(out).toContain('out/a.sarif: import')
  expect(out).toContain('out/deep/b.sarif: import')
  expect(out).toContain('out/package.json: passed over: ')
  expect(nothing.code).toBe(2)
})

test('a report in a folder that is refused is no file that is passed over', async () => {
  const files = { 'out/a.sarif': sarif(results(1)), 'out/b.sarif': sarif(['nonsense']), 'out/package.json': '{}' }
  const { here } = await newFolder(files)

  const { code, out } = await merlon(['import', 'out'], here)

  expect(code).toBe(1)
  expect(out).toContain('out/b.sarif: Only 0 of 1 rows')
  expect(out).toContain('out/package.json: passed over: ')
})

test('a report that breaks off goes in as far as it goes, and is told to', async () => {
  const { here } = await newFolder({ 'a.sarif': sarif(results(3)).slice(0, -150) })

  const { code, out } = await merlon(['import', 'a.sarif'], here)

  expect(code).toBe(0)
  expect(out).toContain('2 rows: 2 new\n  The report is not complete: ')
})

test('what is absent is closed where that is asked, for each of many files by itself', async () => {
  const { here } = await newFolder({ 'a.sarif': sarif(results(2)), 'b.sarif': sarif(results(2, 7)) })
  const both = ['import', 'a.sarif', 'b.sarif', '--close-absent']
  await merlonJson(both, here)

  writeFileSync(join(here.cwd, 'b.sarif'), sarif(results(1, 7)))
  const outcomes = await merlonJson(both, here)

  expect(outcomes.map((one: { import: { result: object } }) => one.import.result)).toMatchObject([
    { unchanged: 2, closed: 0 },
    { unchanged: 1, closed: 1 },
  ])
})

test('branch and commit are those that are checked out', async () => {
  const home = await newReportHome()
  const repository = newRepository()
  const commit = repository.commit({ 'a.js': 'eval(input1)\n' })
  writeFileSync(join(repository.directory, 'a.sarif'), sarif(results(1)))

  await merlonJson(['import', 'a.sarif'], { key: home.key, cwd: repository.directory })

  const { imports } = await run(
    home.key,
    'query ($id: ID!) { imports(companyId: $id) { collection { branchName commitRef } } }',
    { id: home.companyId },
  )
  const branch = repository.git('symbolic-ref', '--short', 'HEAD').trim()
  expect(imports.collection).toEqual([{ branchName: branch, commitRef: commit }])
})

test('a report that is not there, and one that cannot be read, say so', async () => {
  const { here } = await newFolder({ 'a.txt': 'what is this?' })

  const missing = await merlon(['import', 'b.sarif'], here)
  const unreadable = await merlon(['import', 'a.txt', '--json'], here)

  expect(missing).toMatchObject({ code: 2, err: 'There is no file b.sarif\n' })
  expect(unreadable.code).toBe(1)
  expect(JSON.parse(unreadable.out)).toMatchObject([{ code: 'BAD_USER_INPUT' }])
})
