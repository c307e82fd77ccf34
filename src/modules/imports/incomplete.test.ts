// Reports that are not whole, or that do not know yet: they go in, and it is told.

import { describe, expect, test } from 'vitest'
import { run } from '../../../test/testkit/client.ts'
import { countsOf, imported, newReportHome, type ReportHome, results, sarif } from '../../../test/testkit/reports.ts'

const INCOMPLETE = 'query ($id: ID!) { import(id: $id) { incompleteReason unclosedReason } }'

const told = async ({ key }: ReportHome, id: string) => (await run(key, INCOMPLETE, { id })).import

describe('a report that is not whole', () => {
  test('says so, also where nothing was to be closed', async () => {
    const home = await newReportHome()

    const cut = await imported(home, sarif(results(3)).slice(0, -150))
    const closing = await imported(home, sarif(results(3)).slice(0, -150), { closeAbsent: true })
    const whole = await imported(home, sarif(results(3)))

    expect(countsOf(cut)).toEqual({ read: 2, created: 2 })
    const { incompleteReason } = await told(home, cut.id)
    expect(incompleteReason).toMatch(/\w/)
    expect(await told(home, closing.id)).toEqual({
      incompleteReason,
      unclosedReason: `The report is not complete: ${incompleteReason}`,
    })
    expect(await told(home, whole.id)).toEqual({ incompleteReason: null, unclosedReason: null })
  })

  test('says so where nothing of it could be read', async () => {
    const home = await newReportHome()

    const cut = await imported(home, sarif(results(3)).slice(0, 100))

    expect(countsOf(cut)).toEqual({})
    expect((await told(home, cut.id)).incompleteReason).toMatch(/\w/)
  })
})

describe('a report of which most is not known yet', () => {
  const statement = (number: number, status: string) => ({
    vulnerability: { name: `CVE-2026-${1000 + number}` },
    products: [{ '@id': 'pkg:npm/left-pad@1.0.0' }],
    status,
    timestamp: '2026-01-01T00:00:00Z',
    ...(status === 'not_affected' ? { justification: 'component_not_present' } : {}),
  })
  const document = (statuses: readonly string[]) =>
    JSON.stringify({
      '@context': 'https://openvex.dev/ns/v0.2.0',
      '@id': 'https://example.test/vex',
      author: 'A',
      timestamp: '2026-01-01T00:00:00Z',
      version: 1,
      statements: statuses.map((status, index) => statement(index, status)),
    })
  const asked = 'under_investigation'

  test('goes in with what is known, and closes nothing', async () => {
    const home = await newReportHome()
    await imported(home, document(['affected', 'affected']))

    const after = await imported(home, document(['affected', asked, asked, asked, 'not_affected']), {
      closeAbsent: true,
    })

    expect(countsOf(after)).toEqual({ read: 5, created: 1, unchanged: 1, leftOut: 3 })
    expect(after.unclosedReason).toContain('could not be read')
  })

  test('is refused where the rest of it cannot be read', async () => {
    const home = await newReportHome()

    const refused = imported(home, document([asked, 'perhaps', 'perhaps']))

    await expect(refused).rejects.toThrow('Only 1 of 3 rows')
  })
})
