// Advisories are imported once, newer versions replace older ones, and the review of a deploy checks its packages against them.

import { zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { newHome } from '../../../test/testkit/deploys.ts'
import { deployed, parts, reviewed } from '../../../test/testkit/reviews.ts'
import { diffAdding } from '../../../test/testkit/secret-samples.ts'
import { findVulnerable, importAdvisories, listCatalogue } from './service.ts'

let count = 0
/** A package that no other test names. */
const newName = () => `package-of-test-${process.pid}-${++count}`

const record = (name: string, modified: string, fixed: string, more: object = {}) => ({
  id: `GHSA-${name}`,
  modified,
  aliases: [`CVE-2098-${name.replace(/\D/g, '').slice(-9)}`],
  summary: `A flaw in ${name}`,
  database_specific: { severity: 'HIGH' },
  affected: [
    { package: { ecosystem: 'npm', name }, ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed }] }] },
  ],
  ...more,
})

const taken = (...records: object[]) => takenBy(() => {}, ...records)

async function takenBy(onProgress: (read: number) => void, ...records: object[]) {
  const files = Object.fromEntries(records.map((each, index) => [`${index}.json`, Buffer.from(JSON.stringify(each))]))
  async function* bytes() {
    yield zipSync(files)
  }
  return importAdvisories((await parts()).db, bytes(), onProgress)
}

const fixesOf = async (name: string, version: string) => {
  const found = await findVulnerable((await parts()).db, [{ ecosystem: 'npm', name, version, path: 'lock', line: 1 }])
  return found.map(({ patchedVersion }) => patchedVersion)
}

describe('advisories', () => {
  test('are taken in once; a newer one replaces what was known, an older one does not', async () => {
    const name = newName()

    const first = await taken(record(name, '2026-02-01T00:00:00Z', '2.0.0'))
    const again = await taken(record(name, '2026-02-01T00:00:00Z', '2.0.0'), { id: 'nonsense' })
    await taken(record(name, '2026-01-01T00:00:00Z', '1.0.0'))
    const kept = await fixesOf(name, '1.5.0')
    await taken(record(name, '2026-03-01T00:00:00Z', '3.0.0'))
    const replaced = await fixesOf(name, '2.5.0')

    expect(first).toMatchObject({ read: 1, written: 1, known: 0 })
    expect(again).toMatchObject({ read: 2, written: 0, known: 1, other: 1 })
    expect(kept).toEqual(['2.0.0'])
    expect(replaced).toEqual(['3.0.0'])
  })

  test('that are withdrawn affect nothing any more', async () => {
    const name = newName()
    await taken(record(name, '2026-02-01T00:00:00Z', '2.0.0'))

    const withdrawn = await taken(record(name, '2026-03-01T00:00:00Z', '2.0.0', { withdrawn: '2026-03-01T00:00:00Z' }))

    expect(withdrawn).toMatchObject({ withdrawn: 1, written: 0 })
    expect(await fixesOf(name, '1.0.0')).toEqual([])
  })

  test('that are large are written before many of them are held', async () => {
    const progress: number[] = []
    const details = 'a'.repeat(17 * 1024 * 1024)
    const large = () => record(newName(), '2026-02-01T00:00:00Z', '2.0.0', { details })

    await takenBy((read) => void progress.push(read), large(), large(), large())

    expect(progress).toEqual([2, 3])
  })

  test('are counted by ecosystem', async () => {
    await taken(record(newName(), '2026-02-01T00:00:00Z', '2.0.0'))

    const catalogue = await listCatalogue((await parts()).db)

    expect(catalogue.find(({ ecosystem }) => ecosystem === 'npm')?.advisories).toBeGreaterThan(0)
  })

  test('make a vulnerable version that a deploy adds a finding that names its fix', async () => {
    const name = newName()
    await taken(record(name, '2026-02-01T00:00:00Z', '2.0.0'))
    const home = await newHome()
    const lines = [
      '{',
      '  "packages": {',
      `    "node_modules/${name}": {`,
      '      "version": "1.4.0"',
      '    }',
      '  }',
      '}',
    ]
    const { id } = await deployed(home, diffAdding([{ path: 'package-lock.json', lines }]))

    const deploy = await reviewed(home, id)

    expect(deploy.review).toMatchObject({ state: 'DONE', packages: 1, findings: 1, created: 1, unread: [] })
    expect(deploy.introduced.collection).toMatchObject([
      {
        __typename: 'ScaFinding',
        title: `A flaw in ${name}`,
        severity: 'HIGH',
        component: { package: name, affectedVersion: '1.4.0', patchedVersion: '2.0.0', fileName: 'package-lock.json' },
      },
    ])
  })
})
