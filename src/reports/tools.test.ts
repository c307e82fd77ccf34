// Which tools a report names, also without a finding, in the formats that many tools write.

import { expect, test } from 'vitest'
import { reportOf, toolsIn } from '../../test/reports/reading.ts'
import { csaf } from './csaf/reader.ts'
import { cyclonedx } from './cyclonedx/reader.ts'
import { generic } from './generic/reader.ts'
import { gitlab } from './gitlab/reader.ts'
import { readReport } from './index.ts'
import { sarif } from './sarif/reader.ts'
import type { ReportReader } from './types.ts'

const runOf = (name: string) => ({ tool: { driver: { name } }, results: [] })

const clean: [string, ReportReader, unknown, string[]][] = [
  ['SARIF of two runs', sarif, { version: '2.1.0', runs: [runOf('One'), runOf('Another')] }, ['One', 'Another']],
  ['SARIF with a run that only tells of rules', sarif, { version: '2.1.0', runs: [{ tool: runOf('One').tool }] }, []],
  ['SARIF without a run', sarif, { version: '2.1.0', runs: [] }, []],
  ['GitLab', gitlab, { scan: { scanner: { name: 'Gemnasium' } }, vulnerabilities: [] }, ['Gemnasium']],
  ['GitLab without its scan', gitlab, { vulnerabilities: [] }, []],
  ['CycloneDX', cyclonedx, { bomFormat: 'CycloneDX', metadata: { tools: [{ name: 'cdxgen' }] } }, ['cdxgen']],
  ['CycloneDX without a tool', cyclonedx, { bomFormat: 'CycloneDX', components: [] }, []],
  ['CSAF', csaf, { document: { csaf_version: '2.0', publisher: { name: 'A maker' } } }, ['A maker']],
  ['the plain form', generic, { type: 'Ours', findings: [] }, ['Ours']],
  ['the plain form whose rows name theirs', generic, { findings: [] }, []],
  ['the plain form as CSV', generic, 'title,severity\n', []],
]

test.each(clean)('%s names its tools without a finding', async (_, reader, report, tools) => {
  expect(await toolsIn(reader, report)).toEqual(tools)
})

test.each([
  ['generic', '{"error":"unauthorized"}'],
  ['generic', '<html>Sign in</html>'],
  ['generic', '{"type":"Ours","error":"unauthorized"}'],
  ['cyclonedx', '{"error":"unauthorized"}'],
  ['csaf', '{"error":"unauthorized"}'],
])('what is named %s and is something else is no clean report', async (format, content) => {
  const { rows } = await readReport(reportOf(content), format)

  await expect(Array.fromAsync(rows)).rejects.toThrow('The report is no')
})
