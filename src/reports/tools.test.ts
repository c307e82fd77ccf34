// Which tools a report names, also without a finding, in the formats that many tools write.

import { expect, test } from 'vitest'
import { toolsIn } from '../../test/reports/reading.ts'
import { csaf } from './csaf/reader.ts'
import { cyclonedx } from './cyclonedx/reader.ts'
import { generic } from './generic/reader.ts'
import { gitlab } from './gitlab/reader.ts'
import { sarif } from './sarif/reader.ts'
import type { ReportReader } from './types.ts'

const runOf = (name: string) => ({ tool: { driver: { name } }, results: [] })

const clean: [string, ReportReader, unknown, string[]][] = [
  ['SARIF of two runs', sarif, { version: '2.1.0', runs: [runOf('One'), runOf('Another')] }, ['One', 'Another']],
  ['SARIF without a run', sarif, { version: '2.1.0', runs: [] }, []],
  ['GitLab', gitlab, { scan: { scanner: { name: 'Gemnasium' } }, vulnerabilities: [] }, ['Gemnasium']],
  ['GitLab without its scan', gitlab, { vulnerabilities: [] }, []],
  ['CycloneDX', cyclonedx, { bomFormat: 'CycloneDX', metadata: { tools: [{ name: 'cdxgen' }] } }, ['cdxgen']],
  ['CSAF', csaf, { document: { csaf_version: '2.0', publisher: { name: 'A maker' } } }, ['A maker']],
  ['the plain form', generic, { type: 'Ours', findings: [] }, ['Ours']],
  ['the plain form as CSV', generic, 'title,severity\n', ['Generic']],
]

test.each(clean)('%s names its tools without a finding', async (_, reader, report, tools) => {
  expect(await toolsIn(reader, report)).toEqual(tools)
})
