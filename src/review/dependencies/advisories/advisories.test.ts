// Which versions an advisory affects, what is named as fixed, and how OSV's archives are read.

import { zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { ArchiveFault, readArchive } from './archive.ts'
import { findingsOf } from './match.ts'
import { readAdvisory } from './record.ts'
import type { Known } from './types.ts'

type Event = { introduced?: string; fixed?: string; last_affected?: string }

const record = (id: string, ecosystem: string, name: string, events: Event[], more: object = {}) => ({
  id,
  modified: '2026-01-02T03:04:05Z',
  summary: `A flaw in ${name}`,
  details: 'It is told here.',
  affected: [{ package: { ecosystem, name }, ranges: [{ type: 'ECOSYSTEM', events }] }],
  ...more,
})

const known = (...records: object[]): Known[] =>
  records.flatMap((each) => {
    const advisory = readAdvisory(each)
    return advisory?.affected.map((affected) => ({ id: advisory.id, said: advisory.said, ...affected })) ?? []
  })

const hits = (ecosystem: string, name: string, version: string, ...records: object[]) =>
  findingsOf({ ecosystem, name, version, path: 'lock', line: 3 }, known(...records))

describe('an advisory', () => {
  test('affects versions from where it was introduced up to before its fix, in each of its ranges', () => {
    const events = [{ introduced: '0' }, { fixed: '1.2.3' }, { introduced: '2.0.0' }, { fixed: '2.1.0' }]
    const flaw = record('GHSA-1', 'npm', 'a', events)
    const fixOf = (version: string) => hits('npm', 'a', version, flaw).map(({ patchedVersion }) => patchedVersion)

    expect(fixOf('1.2.2')).toEqual(['1.2.3'])
    expect(fixOf('1.2.3')).toEqual([])
    expect(fixOf('2.0.0-rc.1')).toEqual([])
    expect(fixOf('2.0.5')).toEqual(['2.1.0'])
    expect(fixOf('2.1.0')).toEqual([])
  })

  test('names the nearest fix that it does not affect itself, in whichever of its entries that stands', () => {
    const package_ = { ecosystem: 'npm', name: 'a' }
    const range = (introduced: string, fixed: string) => [{ type: 'SEMVER', events: [{ introduced }, { fixed }] }]
    const flaw = {
      ...record('GHSA-1', 'npm', 'a', []),
      affected: [
        { package: package_, ranges: range('0', '1.5.0') },
        { package: package_, ranges: range('1.5.0', '1.6.0') },
        { package: package_, ranges: range('2.0.0', '2.1.0'), versions: ['1.6.0'] },
      ],
    }
    const listed = record('GHSA-2', 'npm', 'a', [{ introduced: '0' }], { aliases: ['CVE-2026-1000'] })
    const fixed = record('GHSA-3', 'npm', 'a', [{ introduced: '0' }, { fixed: '1.3.0' }], {
      aliases: ['CVE-2026-1000'],
    })

    expect(hits('npm', 'a', '1.2.0', flaw)).toMatchObject([{ patchedVersion: '2.1.0' }])
    expect(hits('npm', 'a', '1.2.0', listed, fixed)).toMatchObject([{ patchedVersion: '1.3.0' }])
  })

  test('affects the last version that is named, and names no fix then', () => {
    const flaw = record('GHSA-2', 'RubyGems', 'a', [{ introduced: '1.0' }, { last_affected: '1.10' }])

    const found = hits('RubyGems', 'a', '1.10', flaw)

    expect(found).toMatchObject([{ solution: 'No fixed version is known.' }])
    expect(hits('RubyGems', 'a', '1.10.1', flaw)).toEqual([])
    expect(hits('RubyGems', 'a', '0.9', flaw)).toEqual([])
  })

  test.each([
    ['NuGet', 'Newtonsoft.Json', 'newtonsoft.json', '12.0.3', '13.0.1'],
    ['Pub', 'http', 'http', '0.13.2', '0.13.3'],
    ['Hex', 'plug', 'plug', '1.14.0', '1.14.1'],
    ['SwiftURL', 'https://github.com/vapor/vapor.git', 'github.com/vapor/vapor', '4.84.1', '4.84.2'],
  ])('of %s affects its package up to the fix', (ecosystem, said, name, version, fixed) => {
    const flaw = record('GHSA-3', ecosystem, said, [{ introduced: '0' }, { fixed }])

    expect(hits(ecosystem, name, version, flaw)).toMatchObject([{ package: name, patchedVersion: fixed }])
    expect(hits(ecosystem, name, fixed, flaw)).toEqual([])
  })

  test('affects versions that it lists without a range', () => {
    const flaw = {
      ...record('MAL-1', 'PyPI', 'Evil.Package', []),
      affected: [{ package: { ecosystem: 'PyPI', name: 'Evil.Package' }, versions: ['1.0', '1.1'] }],
    }

    const found = hits('PyPI', 'evil-package', '1.1', flaw)

    expect(found).toMatchObject([{ severity: 'CRITICAL', package: 'evil-package' }])
    expect(hits('PyPI', 'evil-package', '1.2', flaw)).toEqual([])
  })

  test('is compared as its ecosystem orders versions', () => {
    const flaw = record('GHSA-3', 'Maven', 'g:a', [{ introduced: '2.0-beta9' }, { fixed: '2.15.0' }])

    expect(hits('Maven', 'g:a', '2.14.1', flaw)).toHaveLength(1)
    expect(hits('Maven', 'g:a', '2.0-beta8', flaw)).toEqual([])
    expect(hits('Maven', 'g:a', '2.15.0', flaw)).toEqual([])
  })

  test('of another name for the same vulnerability is one finding with all ids, the worst severity and the fix of both', () => {
    const one = record('PYSEC-1', 'PyPI', 'a', [{ introduced: '0' }, { fixed: '1.5' }], { aliases: ['CVE-2026-1000'] })
    const other = record('GHSA-4', 'PyPI', 'a', [{ introduced: '0' }, { fixed: '1.6' }], {
      aliases: ['CVE-2026-1000'],
      database_specific: { severity: 'HIGH', cwe_ids: ['CWE-79'] },
      severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }],
    })

    const found = hits('PyPI', 'a', '1.0', one, other)

    expect(found).toMatchObject([
      {
        ruleId: 'CVE-2026-1000',
        vulnerabilityIds: ['GHSA-4', 'CVE-2026-1000', 'PYSEC-1'],
        severity: 'HIGH',
        cvssScore: 9.8,
        cweIds: [79],
        affectedVersion: '1.0',
        patchedVersion: '1.6',
        purl: 'pkg:pypi/a@1.0',
        fileName: 'lock',
      },
    ])
  })

  test('has the severity of its vector where it says none in words', () => {
    const severity = [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }]
    const flaw = record('GO-1', 'Go', 'a.org/b', [{ introduced: '0' }, { fixed: '1.0.1' }], { severity })

    expect(hits('Go', 'a.org/b', 'v1.0.0', flaw)).toMatchObject([{ severity: 'CRITICAL', patchedVersion: '1.0.1' }])
  })

  test('that was withdrawn, or speaks of other ecosystems, affects nothing', () => {
    const withdrawn = record('GHSA-5', 'npm', 'a', [{ introduced: '0' }], { withdrawn: '2026-01-01T00:00:00Z' })

    expect(hits('npm', 'a', '1.0.0', withdrawn)).toEqual([])
    expect(readAdvisory(withdrawn)).toMatchObject({ isWithdrawn: true, affected: [] })
    expect(readAdvisory(record('DSA-1', 'Debian:12', 'a', [{ introduced: '0' }]))).toBeNull()
    expect(readAdvisory({ id: 'GHSA-6' })).toBeNull()
  })
})

describe("OSV's archive", () => {
  const values = async (bytes: Uint8Array, size = 7) => {
    const unreadable: string[] = []
    async function* pieces() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
    }
    const read = await Array.fromAsync(readArchive(pieces(), (name) => void unreadable.push(name)))
    return { read: read.map(({ value }) => value), unreadable }
  }

  test('is read record by record out of a zip, also where one is broken', async () => {
    const zip = zipSync({
      'a.json': Buffer.from('{"id":1}'),
      'b.json': Buffer.from('{'),
      'notes.txt': Buffer.from('x'),
    })

    expect(await values(zip)).toEqual({ read: [{ id: 1 }], unreadable: ['b.json'] })
  })

  test('may be one record, or one a line', async () => {
    expect((await values(Buffer.from('{\n "id": 1\n}\n'))).read).toEqual([{ id: 1 }])
    expect((await values(Buffer.from('{"id":1}\n{"id":2}\n'))).read).toEqual([{ id: 1 }, { id: 2 }])
  })

  test('that is cut or empty is refused', async () => {
    await expect(values(Buffer.alloc(0))).rejects.toThrow(ArchiveFault)
    expect((await values(Buffer.from('no json'))).unreadable).toEqual(['line 1'])
  })
})
