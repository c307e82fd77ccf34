// A person who decides of an issue while a report speaks of its witness: neither waits for what the other holds.

import { expect, test } from 'vitest'
import { type Answer, run } from '../../../../test/testkit/client.ts'
import { inside, waitingStatements } from '../../../../test/testkit/inside.ts'
import { newReportHome, type ReportHome, result, sarif, sendReport } from '../../../../test/testkit/reports.ts'
import { transaction } from '../../../core/db/open.ts'
import { lockIssues } from '../locking.ts'
import { updateStatuses } from '../store-change.ts'

const shell = result(1, { ruleId: 'B605' }, 'src/app.py', 4)
const query = result(2, { ruleId: 'B608' }, 'src/app.py', 7)

const report = (home: ReportHome, tool: string, ...found: readonly unknown[]): Promise<Answer> =>
  sendReport(home, sarif(found, { tool }), { closeAbsent: true })

/** An issue of Semgrep, of which an older finding of Bandit is a witness. */
async function newIssueWithWitness() {
  const home = await newReportHome()
  const idOf = ({ data }: Answer): string => data.importFindings.import.rows.collection[0].issue.id
  const witness = idOf(await report(home, 'Bandit', shell))
  const issue = idOf(await report(home, 'Semgrep', query))
  await run(home.key, 'mutation ($input: MergeIssuesInput!) { mergeIssues(input: $input) { issue { id } } }', {
    input: { companyId: home.companyId, issueId: issue, mergeIds: [witness], reason: 'The same mistake' },
  })
  return { home, issue }
}

test.each([
  ['has its witness no more', []],
  ['has its witness in other words', [{ ...shell, level: 'error', message: { text: 'In other words' } }]],
])('a person decides of an issue while a report %s: both come to their end', async (_, found) => {
  const { home, issue } = await newIssueWithWitness()
  const { db } = await inside()

  const [reported] = await transaction(db, async (trx) => {
    await lockIssues(trx, home.companyId, [issue])
    const reporting = report(home, 'Bandit', ...found)
    await expect.poll(() => waitingStatements()).toBeGreaterThan(0)
    await updateStatuses(trx, home.companyId, [issue], { status: 'IN_PROGRESS', reason: null, decidedById: null })
    return [reporting]
  })

  expect((await reported).errors).toEqual([])
  const { issue: after } = await run(home.key, 'query ($id: ID!) { issue(id: $id) { status } }', { id: issue })
  expect(after.status).toBe('IN_PROGRESS')
})
