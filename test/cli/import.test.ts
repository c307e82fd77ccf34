// `merlon import`, run as its own process against the service.

import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../testkit/client.ts'
import { LARGE } from '../testkit/large-reports.ts'
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

/** A report that SonarQube's users have as a page. */
const SONARQUBE = `<!DOCTYPE html><html><head><title>SonarQube Vulnerability Report</title></head><body>
<table><thead><tr><th>Rule</th><th>Severity</th><th>Component</th><th>Line</th><th>Description</th><th>Message</th><th>Key</th></tr></thead>
<tbody><tr><td>java:S2076</td><td>BLOCKER</td><td>src/A.java</td><td>7</td><td>Commands</td><td>Do not.</td><td>K1</td></tr></tbody></table>
<table><thead><tr><th>Rule</th><th>Description</th></tr></thead></table></body></html>`

test('a report is sent, and what it came to is said with the rows that were left out', async () => {
  const { here } = await newFolder({ 'a.sarif': sarif([...results(2), 'nonsense', result(1)]) })

  const { code, out } = await merlon(['import', 'a.sarif'], here)

  expect(code).toBe(0)
  expect(out).toMatch(/^a\.sarif: import \d+ \(sarif\), 4 rows: 2 new, 1 merged, 1 left out\n/)
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
  const pages = { 'out/index.html': '<!DOCTYPE html><html><body>Hello</body></html>', 'out/sonar.html': SONARQUBE }
  const { here } = await newFolder({ ...files, ...pages })
  const empty = await newFolder({ 'out/package.json': '{}' })

  const { code, out, err } = await merlon(['import', 'out'], here)
  const forPrograms = await merlon(['import', 'out', '--json'], here)
  const nothing = await merlon(['import', 'out'], empty.here)

  expect(code).toBe(0)
  expect(out).toContain('out/a.sarif: import')
  expect(out).toContain('out/deep/b.sarif: import')
  expect(out).toMatch(/^out\/sonar\.html: import \d+ \(sonarqube\), 1 row: 1 new$/m)
  expect(err).toContain('out/index.html: skipped: ')
  expect(err).toContain('out/package.json: skipped: ')
  expect(forPrograms).toMatchObject({ code: 0, err })
  expect(nothing.code).toBe(2)
})

test('a report in a folder that is refused is no file that is passed over', async () => {
  const files = {
    'out/a.sarif': sarif(results(1)),
    'out/b.sarif': sarif(['nonsense']),
    'out/large.json': '{ "private": true }'.padEnd(LARGE),
    'out/package.json': '{ "private": true }',
  }
  const { here } = await newFolder(files)

  const { code, out, err } = await merlon(['import', 'out'], here)
  const forPrograms = await merlon(['import', 'out', '--json'], here)

  expect(code).toBe(1)
  expect(err).toMatch(
    /^out\/b\.sarif: Only 0 of 1 rows[^\n]*\n(out\/(large\.json|package\.json): skipped: The report's format was not recognised\n){2}$/,
  )
  expect(out).toContain('out/a.sarif: import')
  expect(forPrograms.err).toBe(err)
  expect(JSON.parse(forPrograms.out)).toHaveLength(4)
})

test('a symbolic link in a folder is passed over, wherever it leads, and is read if it is named itself', async () => {
  const { here } = await newFolder({ 'out/a.sarif': sarif(results(1)) })
  const elsewhere = mkdtempSync(join(tmpdir(), 'merlon-elsewhere-'))
  writeFileSync(join(elsewhere, 'b.sarif'), sarif(results(1, 7)))
  const links = {
    'again.sarif': 'a.sarif',
    'b.sarif': join(elsewhere, 'b.sarif'),
    'gone.json': 'nowhere',
    more: elsewhere,
  }
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(here.cwd, 'out', name))
  symlinkSync('a.sarif', join(here.cwd, 'out', 'readme'))

  const { code, out, err } = await merlon(['import', 'out', '--close-absent'], here)
  const forPrograms = await merlon(['import', 'out', '--json'], here)
  const named = await merlon(['import', 'out/b.sarif'], here)

  expect(code).toBe(0)
  expect(out).toMatch(/^out\/a\.sarif: import \d+ \(sarif\), 1 row: 1 new\n$/)
  expect(err.split('\n')).toEqual([
    ...Object.keys(links).map(
      (name) => `out/${name}: skipped: It is a symbolic link, which is followed only if it is named itself`,
    ),
    '',
  ])
  expect(forPrograms).toMatchObject({ code: 0, err })
  expect(JSON.parse(forPrograms.out)).toHaveLength(5)
  expect(named).toMatchObject({ code: 0, err: '', out: expect.stringContaining('out/b.sarif: import') })
})

test('a truncated report is imported as far as it goes, and reported as truncated', async () => {
  const { here } = await newFolder({ 'a.sarif': sarif(results(3)).slice(0, -150) })

  const { code, out } = await merlon(['import', 'a.sarif'], here)

  expect(code).toBe(0)
  expect(out).toContain('2 rows: 2 new\n  The report is not complete: ')
})

test('a report that closes only a part of what is absent says why the rest stays open', async () => {
  const unseen = { physicalLocation: { artifactLocation: { uri: 'src/b.js' } } }
  const notice = { level: 'error', message: { text: 'It cannot be parsed' }, locations: [unseen] }
  const report = JSON.parse(sarif(results(1)))
  report.runs[0].invocations = [{ executionSuccessful: true, toolExecutionNotifications: [notice] }]
  const { here } = await newFolder({ 'a.sarif': sarif(results(2)), 'b.sarif': JSON.stringify(report) })
  await merlon(['import', 'a.sarif'], here)

  const { out } = await merlon(['import', 'b.sarif', '--close-absent'], here)

  expect(out).toContain('1 unchanged, 1 closed, 1 left out\n')
  expect(out).toContain('\n  Not everything was closed: The tool did not scan all of src/b.js')
})

test('a bill of materials says how many components it lists', async () => {
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    components: [{ type: 'library', name: 'a', version: '1' }],
  }
  const { here } = await newFolder({ 'bom.json': JSON.stringify(bill) })

  const { out } = await merlon(['import', 'bom.json'], here)

  expect(out).toMatch(/^bom\.json: import \d+ \(cyclonedx\), 0 rows: 1 component\n$/)
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

test('a report that lay alone in its folder still closes what it had when another one lies beside it', async () => {
  const { here } = await newFolder({ 'out/a.sarif': sarif(results(2)) })
  const folder = ['import', 'out', '--close-absent']
  await merlonJson(folder, here)

  writeFileSync(join(here.cwd, 'out', 'a.sarif'), sarif(results(1)))
  writeFileSync(join(here.cwd, 'out', 'b.sarif'), sarif(results(1, 7)))
  const outcomes = await merlonJson(folder, here)

  expect(outcomes.map((one: { import: { result: object } }) => one.import.result)).toMatchObject([
    { unchanged: 1, closed: 1 },
    { closed: 0 },
  ])
})

test('a report closes what it had before however its file is written, and wherever it lay', async () => {
  const { here } = await newFolder({ 'a.sarif': sarif(results(4)), 'b.sarif': sarif(results(1, 7)) })
  const put = (folder: string, count: number) => writeFileSync(join(folder, 'a.sarif'), sarif(results(count)))
  const closedBy = async (...words: string[]): Promise<number> =>
    (await merlonJson(['import', ...words, '--close-absent'], here))[0].import.result.closed
  const [third, fourth] = [1, 2].map(() => mkdtempSync(join(tmpdir(), 'merlon-elsewhere-')))

  const closed = [await closedBy('a.sarif', 'b.sarif')]
  put(here.cwd, 3)
  closed.push(await closedBy('./a.sarif', join(here.cwd, 'b.sarif')))
  put(third ?? '', 2)
  closed.push(await closedBy(third ?? ''))
  put(fourth ?? '', 1)
  closed.push(await closedBy(join(fourth ?? '', 'a.sarif'), 'b.sarif'))

  expect(closed).toEqual([0, 1, 1, 1])
})

test('reports of two folders that are called the same close nothing of each other', async () => {
  const { here } = await newFolder({})
  const folders = [1, 2].map(() => mkdtempSync(join(tmpdir(), 'merlon-elsewhere-')))
  for (const [n, folder] of folders.entries()) writeFileSync(join(folder, 'a.sarif'), sarif(results(1, n * 7)))
  const both = ['import', ...folders, '--close-absent']
  await merlonJson(both, here)

  const outcomes = await merlonJson(both, here)

  expect(outcomes.map((one: { import: { result: object } }) => one.import.result)).toMatchObject([
    { unchanged: 1, closed: 0 },
    { unchanged: 1, closed: 0 },
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
  const mistyped = await merlon(['import', 'a.txt', '--format', 'gitleak'], here)

  expect(missing).toMatchObject({ code: 2, err: 'There is no file b.sarif\n' })
  expect(mistyped).toMatchObject({
    code: 2,
    err: '--format: There is no report format "gitleak"; did you mean gitleaks?\n',
  })
  expect(unreadable.code).toBe(1)
  expect(JSON.parse(unreadable.out)).toMatchObject([{ code: 'BAD_USER_INPUT' }])
  expect(unreadable.err).toMatch(/^a\.txt: The report's format was not recognised; name it: .*sarif/)
})

test('an empty file of a folder is passed over, and is a fault where its absence of findings was to close something', async () => {
  const { here } = await newFolder({ 'out/a.sarif': sarif(results(1)), 'out/nuclei.jsonl': '' })
  const sentence = 'out/nuclei.jsonl: It is empty: name its format'

  const { code, err } = await merlon(['import', 'out'], here)
  const closing = await merlon(['import', 'out', '--close-absent'], here)
  const named = await merlon(['import', 'out/nuclei.jsonl'], here)
  const known = await merlon(['import', 'out/nuclei.jsonl', '--format', 'nuclei', '--close-absent'], here)

  expect(code).toBe(0)
  expect(err).toContain(sentence.replace(': ', ': skipped: '))
  expect(closing).toMatchObject({ code: 1, err: expect.stringContaining(sentence) })
  expect(closing.out).toContain('out/a.sarif: import')
  expect(named).toMatchObject({ code: 1, err: expect.stringContaining(sentence) })
  expect(known).toMatchObject({ code: 0, err: '' })
})

test.each(['[]\n', '{}', 'null'])(
  'a report of nothing but %j is an empty one of the format that is named',
  async (nothing) => {
    const { here } = await newFolder({ 'out/a.sarif': sarif(results(1)), 'out/gitleaks.json': nothing })

    const closing = await merlon(['import', 'out', '--close-absent'], here)
    const named = await merlon(['import', 'out/gitleaks.json', '--format', 'gitleaks'], here)

    expect(closing).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^out\/gitleaks\.json: It is empty: name its/),
    })
    expect(named).toMatchObject({ code: 0, err: '', out: expect.stringContaining('(gitleaks), 0 rows: nothing') })
  },
)

test('a device that holds nothing is an empty report', async () => {
  const { here } = await newFolder({})

  const nothing = await merlon(['import', '/dev/null'], here)

  expect(nothing).toMatchObject({ code: 1, err: expect.stringMatching(/^\/dev\/null: It is empty: name its format/) })
})

test('a commit of no branch is sent without one, and that is said', async () => {
  const home = await newReportHome()
  const repository = newRepository()
  repository.commit({ 'a.js': 'eval(input1)\n' })
  repository.git('switch', '--quiet', '--detach')
  writeFileSync(join(repository.directory, 'a.sarif'), sarif(results(1)))
  const here = { key: home.key, cwd: repository.directory }
  const warning = 'No branch is checked out, so none is recorded; name one with --branch\n'

  const imported = await merlon(['import', 'a.sarif'], here)
  const deployed = await merlon(['deploy', 'create'], here)
  const named = await merlon(['import', 'a.sarif', '--branch', 'main'], here)

  expect(imported).toMatchObject({ code: 0, err: warning })
  expect(deployed).toMatchObject({ code: 0, err: warning })
  expect(named).toMatchObject({ code: 0, err: '' })
})

test('a scanner that ran here, with whole paths or in a directory of the repository, found what it found in the repository’s files', async () => {
  const home = await newReportHome()
  const { directory, commit, git } = newRepository()
  mkdirSync(join(directory, 'services', 'api'), { recursive: true })
  commit({ 'services/api/a.js': 'eval(input1)\n' })
  const [top, ranIn] = [git('rev-parse', '--show-toplevel'), join(directory, 'services', 'api')]
  writeFileSync(join(ranIn, 'whole.sarif'), sarif([result(1, {}, join(top, 'services/api/a.js'), 1)]))
  writeFileSync(join(ranIn, 'below.sarif'), sarif([result(1, {}, 'a.js', 1)]))
  const here = { key: home.key, cwd: ranIn }

  const outcomes = [
    ...(await merlonJson(['import', 'whole.sarif'], here)),
    ...(await merlonJson(['import', 'below.sarif', '--directory', '.'], here)),
    ...(await merlonJson(
      ['import', 'below.sarif', '--directory', 'services/api', '--no-git', '--branch', 'main'],
      here,
    )),
  ]
  const outside = await merlon(['import', 'below.sarif', '--directory', '../../..'], here)
  const absolute = await merlon(['import', 'below.sarif', '--directory', ranIn], here)

  expect(outcomes.map((one: { import: { result: object } }) => one.import.result)).toMatchObject([
    { created: 1 },
    { unchanged: 1 },
    { unchanged: 1 },
  ])
  expect(outside).toMatchObject({ code: 2, err: '--directory: ../../.. is not in the repository\n' })
  expect(absolute).toMatchObject({
    code: 2,
    err: `--directory: ${ranIn} is a whole path; it is from here, such as services/api\n`,
  })
})

test('files of a folder outside this one are called as it was called', async () => {
  const { here } = await newFolder({ 'out/a.sarif': sarif(results(1)) })
  const elsewhere = mkdtempSync(join(tmpdir(), 'merlon-elsewhere-'))

  const { out } = await merlon(['import', join(here.cwd, 'out')], { ...here, cwd: elsewhere })

  expect(out).toContain(`${join(here.cwd, 'out', 'a.sarif')}: import`)
})

test('an import that no worker takes up is not waited for for ever', async () => {
  // larger than what is answered at once
  const { here } = await newFolder({ 'a.sarif': `${sarif(results(1))}${' '.repeat(4 * 1024 * 1024)}` })

  const bound = await merlon(['import', 'a.sarif', '--wait', '1'], here)
  const left = await merlon(['import', 'a.sarif', '--wait', '0'], here)

  expect(bound).toMatchObject({ code: 1, out: '' })
  expect(bound.err).toMatch(
    /^a\.sarif: import \d+ is PENDING and has made no progress for 1 second: either no worker is running/,
  )
  expect(left).toMatchObject({ code: 0, err: '' })
  expect(left.out).toMatch(/^a\.sarif: import \d+ is PENDING\n$/)
})

test('a wrong asset, key or deploy is reported once, not for each file', async () => {
  const { here } = await newFolder({ 'a.sarif': sarif(results(1)), 'b.sarif': sarif(results(1)) })

  const ended = await merlon(['import', 'a.sarif', 'b.sarif', '--asset', '999999999'], here)

  expect(ended.code).toBe(2)
  expect(ended.err.trim().split('\n')).toHaveLength(1)
})
