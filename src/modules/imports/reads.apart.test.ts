// What reports of components read: what has to do with their rows, however much else their company has.

import { beforeEach, describe, expect, test } from 'vitest'
import { cyclonedx, grype, openvex, trivy, vulnerables } from '../../../test/testkit/component-reports.ts'
import { figuresOf, keepFigures, renewFigures } from '../../../test/testkit/figures.ts'
import { LARGE, parts } from '../../../test/testkit/large-reports.ts'
import { countReads } from '../../../test/testkit/reads.ts'
import { imported, newReportHome, type ReportHome, taken } from '../../../test/testkit/reports.ts'
import { newAsset } from '../../../test/testkit/world.ts'
import { runImport } from './jobs.ts'

const ROWS = 1000
const OTHERS = 2000
const FEW = 10

/** What a row may read, of its own finding and of the other tool's: their places, the issue, and each again when it is written. */
const MOST_A_ROW = 60

const TABLES = ['finding', 'occurrence', 'occurrence_place', 'vex_statement', 'deploy_finding']

beforeEach(keepFigures)

const ofEveryVersion = (count: number) => vulnerables(count).map((one) => ({ ...one, purl: `pkg:npm/${one.name}` }))

const ofKernel = (count: number) => vulnerables(count, 0, () => 'kernel')

/** Reads of the import of a report that comes after others into the asset. */
async function readsOf(home: ReportHome, content: string, tables = TABLES, more = {}): Promise<number> {
  const { id } = await taken(home, content.padEnd(LARGE), more)
  const at = await parts()
  return countReads(tables, (db) => runImport({ ...at, db }, { companyId: home.companyId, id }))
}

/** Makes the database's figures those of other companies, as they are when a company is new. */
async function withFiguresOfOthers(): Promise<void> {
  await imported(await newReportHome(), trivy(vulnerables(ROWS)))
  await renewFigures()
}

describe.each(figuresOf)('with figures $figures', ({ renew }) => {
  test('a report of what another tool reports too, and what documents state about it, read no more where the company has more', async () => {
    await withFiguresOfOthers()
    const [alone, among] = [await newReportHome(), await newReportHome()]
    for (const home of [alone, among]) await imported(home, trivy(vulnerables(ROWS)))
    const { id: elsewhere } = await newAsset(among.key, among.companyId)
    await imported({ ...among, assetId: elsewhere }, trivy(vulnerables(OTHERS)))
    await renew()

    const merged = [
      await readsOf(alone, grype(vulnerables(ROWS))),
      await readsOf(among, grype(vulnerables(ROWS))),
    ] as const
    const stated = [
      await readsOf(alone, openvex(vulnerables(ROWS))),
      await readsOf(among, openvex(vulnerables(ROWS))),
    ] as const

    expect(merged[0] / ROWS).toBeLessThan(MOST_A_ROW)
    expect(stated[0] / ROWS).toBeLessThan(MOST_A_ROW)
    expect(merged[1] / merged[0]).toBeLessThan(1.05)
    expect(stated[1] / stated[0]).toBeLessThan(1.05)
  })

  test('a document that takes back some of what it stated does not read all components of its asset', async () => {
    await withFiguresOfOthers()
    const home = await newReportHome()
    await imported(home, trivy(vulnerables(OTHERS, FEW)))
    await imported(home, cyclonedx(vulnerables(FEW), { analysis: { state: 'not_affected' } }))
    await renew()

    const read = await readsOf(home, cyclonedx(vulnerables(FEW), {}), ['finding'])

    expect(read).toBeLessThan(OTHERS)
  })

  test('statements about every version of a component, and their end, read nothing of the other components of the asset', async () => {
    await withFiguresOfOthers()
    const home = await newReportHome()
    await imported(home, trivy(vulnerables(OTHERS)))
    await renew()

    const stated = await readsOf(home, openvex(ofEveryVersion(FEW)), ['finding'])
    const ended = await readsOf(home, openvex(ofEveryVersion(1)), ['finding'], {
      closeAbsent: true,
      confirmClose: true,
    })

    expect(stated).toBeLessThan(FEW * MOST_A_ROW)
    expect(ended).toBeLessThan(FEW * MOST_A_ROW)
  })

  test('a component with very many vulnerabilities is read once for many statements, and for what their end concerns', async () => {
    await withFiguresOfOthers()
    const home = await newReportHome()
    await imported(home, trivy(ofKernel(ROWS)))
    await renew()

    const stated = await readsOf(home, openvex(ofKernel(ROWS)))
    const merged = await readsOf(home, grype(ofKernel(ROWS)))
    const ended = await readsOf(home, openvex(ofKernel(1)), TABLES, { closeAbsent: true, confirmClose: true })

    for (const read of [stated, merged, ended]) expect(read / ROWS).toBeLessThan(2 * MOST_A_ROW)
  })
})
