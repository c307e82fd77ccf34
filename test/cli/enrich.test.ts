// `merlon enrich`, which imports the published data on exploitation, run as its own process.

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { administratorKey } from '../testkit/client.ts'
import { newWorld } from '../testkit/world.ts'
import { merlon, merlonJson } from './command.ts'

test('files of EPSS are taken in from an administrator, and no feed is fetched that is not configured', async () => {
  const { owner } = await newWorld()
  const file = join(mkdtempSync(join(tmpdir(), 'merlon-enrich-')), 'epss.csv.gz')
  const rows = 'CVE-2096-0001,0.5,0.9\nCVE-2096-0002,0.1,0.2\n'
  writeFileSync(file, gzipSync(`#model_version:v9,score_date:2026-11-20T00:00:00+0000\ncve,epss,percentile\n${rows}`))

  const feeds = await merlonJson(['enrich', '--epss', file], { key: administratorKey() })
  const said = await merlon(['enrich', '--epss', file], { key: administratorKey() })
  const refused = await merlon(['enrich', '--epss', file], { key: owner.key })
  const unconfigured = await merlon(['enrich'], { key: administratorKey() })

  expect(feeds).toContainEqual(expect.objectContaining({ name: 'EPSS', version: 'v9', rowCount: 2 }))
  expect(said.out).toContain('A job now applies this to the findings')
  expect([refused.code, unconfigured.code]).toEqual([1, 2])
  expect(unconfigured.err).toContain('MERLON_EPSS_URL')
})
