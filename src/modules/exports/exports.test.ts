// Exports of findings through the endpoint and their address: what goes out, to whom, and when nothing can.

import { expect, test } from 'vitest'
import { fetched } from '../../../test/testkit/exports.ts'
import { imported, newReportHome, results, sarif } from '../../../test/testkit/reports.ts'

test.each(['SARIF', 'CSV', 'NDJSON'])(
  '%s: exportFindings answers with the address of a file of all findings',
  async (format) => {
    const home = await newReportHome()
    await imported(home, sarif(results(3)))

    const { made, text, response } = await fetched(home, format)

    expect(made).toMatchObject({ format, state: 'READY', findingsCount: 3 })
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    for (const title of ['Eval of 1', 'Eval of 2', 'Eval of 3']) expect(text).toContain(title)
  },
)
