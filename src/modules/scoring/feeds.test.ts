// EPSS and KEV files are read as they are published, and other files are refused.

import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { readEpss, readKev } from './feeds.ts'

const sourceOf = (content: string | Buffer) => ({
  name: 'feed',
  open: async function* () {
    yield Buffer.from(content)
  },
})

async function epss(content: string | Buffer) {
  const { rows, version } = readEpss(sourceOf(content))
  return { rows: await Array.fromAsync(rows), version }
}

const HEAD = '#model_version:v2026.03.14,score_date:2026-11-20T00:00:00+0000\ncve,epss,percentile\n'

describe('a file of EPSS', () => {
  test.each([
    ['plain', (text: string) => text],
    ['packed', (text: string) => gzipSync(text)],
  ])('is read %s, with its version', async (_, packed) => {
    const { rows, version } = await epss(packed(`${HEAD}CVE-2021-44228,0.94358,0.99957\r\ncve-1999-0001,1e-05,0\n`))

    expect(rows).toEqual([
      { cve: 'CVE-2021-44228', score: '0.94358', percentile: '0.99957' },
      { cve: 'CVE-1999-0001', score: '1e-05', percentile: '0' },
    ])
    expect(version).toEqual({ version: 'v2026.03.14', publishedAt: '2026-11-20T00:00:00.000Z' })
  })

  test('may have rows that cannot be read', async () => {
    const { rows } = await epss(`${HEAD}CVE-2021-44228,7,1\nnothing\nCVE-2021-44229,0.5,0.6\n`)

    expect(rows.map(({ cve }) => cve)).toEqual(['CVE-2021-44229'])
  })

  test.each([
    ['an empty file', ''],
    ['names alone', HEAD],
    ['another table', 'name,value\na,1\n'],
    ['rows of something else', `${HEAD}${'a,b,c\n'.repeat(2000)}`],
    ['a line without an end', `${HEAD}${'x'.repeat(5000)}`],
    ['a gzip of zeros', gzipSync(Buffer.alloc(40_000_000))],
    ['a gzip that breaks off', gzipSync(`${HEAD}CVE-2021-44228,0.94358,0.99957\n`).subarray(0, -9)],
    ['a file that ends within a row', `${HEAD}CVE-2021-44228,0.94358,0.99957\nCVE-2021-44229,0.5`],
  ])('is not %s', async (_, content) => {
    await expect(epss(content)).rejects.toMatchObject({ code: 'BAD_USER_INPUT', argument: 'input.epss' })
  })
})

const catalogue = {
  title: 'CISA Catalog of Known Exploited Vulnerabilities',
  catalogVersion: '2026.11.20',
  dateReleased: '2026-11-20T15:03:21.0000Z',
  count: 2,
  vulnerabilities: [
    { cveID: 'CVE-2021-44228', dateAdded: '2021-12-10', dueDate: '2021-12-24', knownRansomwareCampaignUse: 'Known' },
    { cveID: 'CVE-2020-0001', vendorProject: 'Somebody', dateAdded: 'soon', knownRansomwareCampaignUse: 'Unknown' },
  ],
}

describe('a catalogue of known exploited vulnerabilities', () => {
  test('is read with what it says of each', async () => {
    const { entries, version } = await readKev(sourceOf(JSON.stringify(catalogue)))

    expect(entries).toEqual([
      { cve: 'CVE-2021-44228', addedOn: '2021-12-10', dueOn: '2021-12-24', isRansomware: true },
      { cve: 'CVE-2020-0001', addedOn: null, dueOn: null, isRansomware: false },
    ])
    expect(version).toEqual({ version: '2026.11.20', publishedAt: '2026-11-20T15:03:21.0000Z' })
  })

  test.each([
    ['no JSON', '{"vulnerabilities": ['],
    ['another object', '{"items": []}'],
    ['one without entries', '{"vulnerabilities": []}'],
    ['one that lost entries', JSON.stringify({ ...catalogue, count: 3 })],
  ])('is not %s', async (_, content) => {
    await expect(readKev(sourceOf(content))).rejects.toMatchObject({ code: 'BAD_USER_INPUT', argument: 'input.kev' })
  })
})
