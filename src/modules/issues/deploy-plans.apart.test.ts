// How the findings of a deploy are found: through the deploy, however many others its company has.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { planOf, withDatabase } from '../../../test/testkit/plans.ts'
import { type Db, transaction } from '../../core/db/open.ts'
import { type DeployFindingKind, listOfDeploy, listOfDeploys } from './store-deploy-lists.ts'

const COMPANY = '1000'
const page = { page: 1, limit: 10, after: null }
const kinds: readonly DeployFindingKind[] = ['introduced', 'touched', 'fixed']

/** A company of 20,000 findings, of which the deploy of the same number as the company touched, removed and introduced one each. */
async function fill(db: Db): Promise<void> {
  await sql`insert into company (id, label) overriding system value values (${COMPANY}, 'Many')`.execute(db)
  await sql`insert into asset (company_id, id, name) overriding system value values (${COMPANY}, 1, 'a')`.execute(db)
  await sql`
    insert into finding (company_id, asset_id, type, tool_name, rule, title, severity, status, birth_key)
    select ${COMPANY}, 1, 'SAST_FINDING', 'tool', 'rule', 'title', 'HIGH', 'CREATED', sha256(n::text::bytea)
    from generate_series(1, 20000) as n`.execute(db)
  await sql`
    insert into deploy (company_id, id, asset_id, branch, previous_commit, current_commit, diff_state, lineage) overriding system value
    values (${COMPANY}, ${COMPANY}, 1, 'main', 'aaaaaaa', 'bbbbbbb', 'PARSED', 'FIRST')`.execute(db)
  await sql`
    insert into deploy_finding (company_id, deploy_id, issue_id, disposition, is_introduced)
    select ${COMPANY}, ${COMPANY}, id, (array['TOUCHED', 'REMOVED', null]::disposition[])[place], place = 3
    from (select id, row_number() over () as place from finding limit 3) as few`.execute(db)
  await sql`analyze`.execute(db)
}

/** The statement with lists for its parameters that are lists; planOf has a number for each parameter. */
const withLists = (statement: string): string =>
  statement
    .replaceAll(/\$\d+::bigint\[\]/g, `array[${COMPANY}]::bigint[]`)
    .replaceAll(/\$\d+::issue_status\[\]/g, `array['CREATED']::issue_status[]`)

test('no list of the findings of a deploy looks through all findings of the company', async () => {
  await withDatabase(async (db, sent) => {
    await fill(db)
    const readOf = async (list: () => Promise<unknown>) => {
      await list()
      const statement = sent.findLast((text) => text.includes('deploy_finding')) ?? ''
      const { reads } = await transaction(db, (trx) => planOf(trx, withLists(statement)))
      return reads.filter((read) => /^finding by/.test(read))
    }

    for (const kind of kinds) {
      const one = await readOf(() => listOfDeploy(db, COMPANY, COMPANY, kind, page))
      const several = await readOf(() => listOfDeploys(db, COMPANY, [COMPANY], kind, page))

      expect({ kind, one: new Set(one), several: new Set(several) }).toEqual({
        kind,
        one: new Set(['finding by issue_pkey']),
        several: new Set(['finding by issue_pkey']),
      })
    }
  })
})
