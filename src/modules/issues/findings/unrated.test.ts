// Findings for which their tool gives no severity, beside those of tools that give one.

import { expect, test } from 'vitest'
import { type Data, run } from '../../../../test/testkit/client.ts'
import { csaf, cyclonedx, grype, openvex, vulnerable } from '../../../../test/testkit/component-reports.ts'
import { imported, newReportHome, type ReportHome } from '../../../../test/testkit/reports.ts'

const found = [vulnerable(1, 'lodash', '4.17.20')]

const affected = openvex(found, { status: 'affected' })
const affectedInCsaf = csaf(found, 'known_affected')
const exploitable = (rated = {}) => cyclonedx(found, { analysis: { state: 'exploitable' }, ...rated })

const documents = [
  ['OpenVEX', affected],
  ['CSAF', affectedInCsaf],
  ['CycloneDX', exploitable()],
] as const

const QUERY = `query ($id: ID!) { issues(companyId: $id, pagination: { perPage: 9 }) { collection {
  id severity witnesses { severity } } } }`

async function onlyIssue({ key, companyId }: ReportHome): Promise<Data> {
  const { collection } = (await run(key, QUERY, { id: companyId })).issues
  expect(collection).toHaveLength(1)
  return collection[0]
}

const severityIn = async (home: ReportHome) => (await onlyIssue(home)).severity

test.each(documents)(
  'a document of %s that gives no severity does not raise what a scanner calls low',
  async (_, document) => {
    const home = await newReportHome()

    await imported(home, grype(found, 'Low'))
    await imported(home, document)

    expect(await onlyIssue(home)).toMatchObject({
      severity: 'LOW',
      witnesses: [{ severity: 'LOW' }, { severity: 'MEDIUM' }],
    })
  },
)

test.each(documents)(
  'a scanner’s severity applies where a document of %s came first and gave none',
  async (_, document) => {
    const home = await newReportHome()

    await imported(home, document)
    const before = await severityIn(home)
    await imported(home, grype(found, 'Low'))
    const low = await severityIn(home)
    await imported(home, grype(found, 'Critical'))

    expect([before, low, await severityIn(home)]).toEqual(['MEDIUM', 'LOW', 'CRITICAL'])
  },
)

test('where no tool gives a severity it is medium', async () => {
  const home = await newReportHome()

  await imported(home, affected)
  await imported(home, affectedInCsaf)

  expect(await severityIn(home)).toBe('MEDIUM')
})

test('a severity that is given later counts, also if it is the one that stood for none', async () => {
  const home = await newReportHome()
  await imported(home, grype(found, 'Low'))
  await imported(home, exploitable())
  const unrated = await severityIn(home)

  await imported(home, exploitable({ ratings: [{ severity: 'medium' }] }))

  expect([unrated, await severityIn(home)]).toEqual(['LOW', 'MEDIUM'])
})
