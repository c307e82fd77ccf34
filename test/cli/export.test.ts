// `merlon export`, run as its own process: to a file, to standard output, and in an unknown format.

import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { imported, newReportHome, results, sarif } from '../testkit/reports.ts'
import { merlon } from './command.ts'

test('findings go to a file, or to standard output alone, as the filters say', async () => {
  const { key, companyId, assetId } = await newReportHome()
  await imported({ key, companyId, assetId }, sarif(results(3)), { branchName: 'main' })
  const cwd = mkdtempSync(join(tmpdir(), 'merlon-export-'))

  const named = await merlon(['export', '--format', 'ndjson', '--output', 'all.ndjson'], { key, cwd })
  const unnamed = await merlon(['export', '--format', 'SARIF'], { key, cwd })
  const piped = await merlon(['export', '--format', 'csv', '--output', '-', '--branch', 'main'], { key, cwd })
  const narrowed = await merlon(['export', '--format', 'csv', '--output', '-', '--severity', 'low'], { key, cwd })
  const searched = await merlon(['export', '--format', 'csv', '--output', '-', '--search', 'Eval of 2'], { key, cwd })

  expect([named, unnamed, piped, narrowed, searched].map(({ code }) => code)).toEqual([0, 0, 0, 0, 0])
  expect(named.err).toContain('3 findings are in all.ndjson')
  const lines = readFileSync(join(cwd, 'all.ndjson'), 'utf8').trimEnd().split('\n')
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ kind: 'end', findings: 3 })
  expect(readdirSync(cwd)).toHaveLength(2)
  expect(piped.out.trimEnd().split('\r\n')).toHaveLength(4)
  expect(narrowed.out.trimEnd().split('\r\n')).toHaveLength(1)
  expect(searched.out.trimEnd().split('\r\n')).toHaveLength(2)
})

test('what came out as NDJSON goes in again, and changes nothing where it came from', async () => {
  const home = await newReportHome()
  await imported(home, sarif(results(2)), { branchName: 'main' })
  const file = join(mkdtempSync(join(tmpdir(), 'merlon-export-')), 'all.ndjson')

  await merlon(['export', '--format', 'ndjson', '--output', file], { key: home.key })
  const { code, out } = await merlon(['import', file, '--no-git'], { key: home.key })

  expect(code).toBe(0)
  expect(out).toContain('(merlon), 2 rows: 2 unchanged')
})

test('a format is named in the words of the API as well, and one that there is not is wrong use', async () => {
  const { key } = await newReportHome()

  const vex = await merlon(['export', '--format', 'CYCLONEDX_VEX', '--output', '-'], { key })
  const unknown = await merlon(['export', '--format', 'pdf'], { key })

  expect(JSON.parse(vex.out)).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' })
  expect(unknown.code).toBe(2)
  expect(unknown.err).toContain('cyclonedx-vex')
})

test('a file that cannot be written is reported under its own name', async () => {
  const { key } = await newReportHome()
  const folder = mkdtempSync(join(tmpdir(), 'merlon-export-'))
  const write = (file: string) => merlon(['export', '--format', 'csv', '--output', file], { key, cwd: folder })

  const ended = [await write('missing/x.csv'), await write(folder)]

  expect(ended.map(({ code }) => code)).toEqual([2, 2])
  expect(ended[0]?.err).toBe(`${join(folder, 'missing', 'x.csv')} cannot be written: its folder does not exist\n`)
  expect(ended[1]?.err).toBe(`${folder} cannot be written: it is a folder\n`)
  expect(readdirSync(folder)).toEqual([])
})
