// Decisions on their way to a scanner and back, through the endpoint and the real job, with only the scanner faked.

import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Data, run } from '../../../test/testkit/client.ts'
import { sast, upsert } from '../../../test/testkit/findings.ts'
import { inside } from '../../../test/testkit/inside.ts'
import {
  codePaths,
  ignorePath,
  ignoresPath,
  issue,
  newSnykHome,
  pulled,
  type ScannerHome,
  SNYK,
  snykHas,
} from '../../../test/testkit/scanners.ts'
import { fakeVendor, get, json, patch, post, remove } from '../../../test/testkit/vendor-fake.ts'
import { tellScanner } from './decisions.ts'

const ISSUES = `query ($companyId: ID!, $assetIds: [ID!], $page: Int) { issues(companyId: $companyId,
  pagination: { page: $page, perPage: 100 }, filters: { assetIds: $assetIds }) {
  collection { id title status } } }`
const CHANGE = `mutation ($input: ChangeIssueStatusInput!) { changeIssueStatus(input: $input) { issue { id status } } }`
const BULK = `mutation ($input: BulkChangeIssueStatusInput!) { bulkChangeIssueStatus(input: $input) { jobId } }`
const DELIVERIES = `query ($integrationId: ID!) { scannerDeliveries(integrationId: $integrationId) {
  collection { issue { id } status reason riskAcceptedUntil state attempts nextAttemptAt request failure finishedAt }
  metadata { totalCount } } }`

const NAME = 'SNYK-JS-QS-1'

const issues = async ({ key, companyId, assetId }: ScannerHome, page = 1): Promise<Data[]> =>
  (await run(key, ISSUES, { companyId, assetIds: [assetId], page })).issues.collection

const decide = (home: ScannerHome, id: string, status: string, more: Record<string, unknown> = {}) =>
  run(home.key, CHANGE, { input: { id, status, reason: 'It is not reached', ...more } })

const told = async (home: ScannerHome): Promise<Data[]> =>
  (await run(home.key, DELIVERIES, home)).scannerDeliveries.collection

const tell = async ({ companyId, integrationId }: ScannerHome) =>
  tellScanner(await inside(), { companyId, id: integrationId })

/** A home whose asset has one finding of the scanner. */
async function newFound(more: Record<string, unknown> = {}): Promise<ScannerHome & { issueId: string }> {
  const home = await newSnykHome()
  const fake = await fakeVendor(SNYK, snykHas([issue(NAME, more)]))
  await pulled(home)
  await fake.end()
  const [found] = await issues(home)
  return { ...home, issueId: found.id }
}

describe('a decision', () => {
  test('goes to the scanner with its reason, and what became of it can be read', async () => {
    const home = await newFound()
    await fakeVendor(SNYK, [
      post(ignorePath(NAME), json({}), { body: { reasonType: 'not-vulnerable', reason: 'It is not reached' } }),
    ])

    await decide(home, home.issueId, 'FALSE_POSITIVE')
    const [waiting] = await told(home)
    await tell(home)

    expect(waiting).toMatchObject({ state: 'PENDING', attempts: 0, issue: { id: home.issueId }, finishedAt: null })
    expect(await told(home)).toMatchObject([
      {
        state: 'DELIVERED',
        status: 'FALSE_POSITIVE',
        attempts: 1,
        request: `POST ignore of ${NAME} as not-vulnerable`,
      },
    ])
  })

  test('to accept a risk goes with its end, and its taking back deletes what was ignored', async () => {
    const home = await newFound()
    const riskAcceptedUntil = new Date(Date.now() + 90 * 86_400_000).toISOString()
    const fake = await fakeVendor(SNYK, [
      post(ignorePath(NAME), json({}), { body: { reasonType: 'temporary-ignore' } }),
      remove(ignorePath(NAME), json({})),
    ])

    await decide(home, home.issueId, 'RISK_ACCEPTED', { riskAcceptedUntil })
    await tell(home)
    await decide(home, home.issueId, 'IDENTIFIED')
    await tell(home)

    expect(fake.seen[0]?.body).toMatchObject({ expires: riskAcceptedUntil })
    expect((await told(home)).map(({ state, status }) => [state, status])).toEqual([
      ['DELIVERED', 'IDENTIFIED'],
      ['DELIVERED', 'RISK_ACCEPTED'],
    ])
  })

  test('that was replaced before it was sent is not sent', async () => {
    const home = await newFound()
    await fakeVendor(SNYK, [remove(ignorePath(NAME), json({}))])

    await decide(home, home.issueId, 'FALSE_POSITIVE')
    await decide(home, home.issueId, 'IDENTIFIED')
    await tell(home)

    expect((await told(home)).map(({ state }) => state)).toEqual(['DELIVERED', 'SUPERSEDED'])
  })

  test('is sent before the next pull, which therefore does not take it back', async () => {
    const home = await newFound()
    await fakeVendor(SNYK, [
      post(ignorePath(NAME), json({})),
      ...snykHas([issue(NAME, { ignored: true })]),
      get(ignoresPath, json({ [NAME]: [{ '*': { reason: 'It is not reached', reasonType: 'not-vulnerable' } }] })),
    ])
    await decide(home, home.issueId, 'FALSE_POSITIVE')

    await pulled(home)

    expect((await issues(home))[0]).toMatchObject({ status: 'FALSE_POSITIVE' })
    expect((await told(home)).map(({ state }) => state)).toEqual(['DELIVERED'])
  })

  test('is tried again when the scanner cannot be reached, and given up when it says no', async () => {
    const home = await newFound()
    await fakeVendor(SNYK, [
      post(ignorePath(NAME), { status: 502, text: '' }, { times: 5 }),
      post(ignorePath(NAME), json({ message: 'Not entitled' }, { status: 403 })),
    ])
    const { db, vendors } = await inside()

    await decide(home, home.issueId, 'FALSE_POSITIVE')
    await tell(home)
    const [failed] = await told(home)
    await vendors.clock.sleep(60_000)
    await sql`update scanner_delivery set next_attempt_at = now() where company_id = ${home.companyId}`.execute(db)
    await tell(home)

    expect(failed).toMatchObject({
      state: 'PENDING',
      attempts: 1,
      failure: expect.stringContaining('an internal error'),
    })
    expect(failed.nextAttemptAt).not.toBeNull()
    expect(await told(home)).toMatchObject([
      { state: 'GIVEN_UP', attempts: 2, failure: expect.stringContaining('Not entitled') },
    ])
  })

  test('goes out although a hundred earlier ones fail again and again', async () => {
    const home = await newSnykHome()
    const names = Array.from({ length: 101 }, (_, number) => `SNYK-JS-QS-${number}`)
    const found = await fakeVendor(SNYK, snykHas(names.map((name) => issue(name))))
    await pulled(home)
    await found.end()
    const [first, second] = [await issues(home, 1), await issues(home, 2)]
    const last = [...first, ...second].find(({ title }) => title.includes('SNYK-JS-QS-100'))
    const others = [...first, ...second].filter(({ id }) => id !== last?.id)
    const input = {
      companyId: home.companyId,
      ids: others.map(({ id }) => id),
      status: 'FALSE_POSITIVE',
      reason: 'Unused',
    }
    await run(home.key, BULK, { input })
    const { db } = await inside()
    await sql`
      update scanner_delivery set attempts = 5, failure = 'It is away', next_attempt_at = now() + interval '1 hour'
      where company_id = ${home.companyId}`.execute(db)
    const fake = await fakeVendor(SNYK, [post(ignorePath('SNYK-JS-QS-100'), json({}))])

    await decide(home, last?.id, 'FALSE_POSITIVE')
    await tell(home)

    expect(others).toHaveLength(100)
    expect(fake.seen).toHaveLength(1)
    expect(await told(home)).toMatchObject([
      { state: 'DELIVERED', issue: { id: last?.id } },
      ...Array(9).fill({ state: 'PENDING' }),
    ])
  })

  test('that failed goes behind those that were made while it waited', async () => {
    const home = await newSnykHome()
    const found = await fakeVendor(SNYK, snykHas(['SNYK-JS-A', 'SNYK-JS-B'].map((name) => issue(name))))
    await pulled(home)
    await found.end()
    const ids = Object.fromEntries((await issues(home)).map(({ id, title }) => [title.slice(-1), id]))
    const { db } = await inside()
    await decide(home, ids.A, 'FALSE_POSITIVE')
    await decide(home, ids.B, 'FALSE_POSITIVE')
    await sql`
      update scanner_delivery set attempts = 1, next_attempt_at = now() - interval '1 second' where issue_id = ${ids.A}`.execute(
      db,
    )
    await sql`
      update scanner_delivery set next_attempt_at = now() - interval '1 minute' where issue_id = ${ids.B}`.execute(db)
    const fake = await fakeVendor(SNYK, [
      post(ignorePath('SNYK-JS-B'), json({})),
      post(ignorePath('SNYK-JS-A'), json({})),
    ])

    await tell(home)

    expect(fake.seen.map(({ path }) => path)).toEqual([ignorePath('SNYK-JS-B'), ignorePath('SNYK-JS-A')])
  })

  test('about a finding of a kind that the scanner takes no decisions for says so', async () => {
    const home = await newFound({ problems: undefined })
    await fakeVendor(SNYK, [])

    await decide(home, home.issueId, 'FALSE_POSITIVE')
    await tell(home)

    expect(await told(home)).toMatchObject([{ state: 'UNSUPPORTED', failure: expect.stringContaining('components') }])
  })

  test('of code becomes a policy there, once, also when the answer to its making is lost', async () => {
    const code = { type: 'code', title: 'SQL Injection', problems: undefined, key_asset: 'an-asset-key' }
    const home = await newFound(code)
    const { issues: all, policies } = codePaths
    const conditions = [{ field: 'snyk/asset/finding/v1', operator: 'includes', value: 'an-asset-key' }]
    const made = { id: 'a-policy', type: 'policy', attributes: { conditions_group: { conditions } } }
    const found = get(all, json({ data: [issue(NAME, code)], links: {} }), { times: 2 })
    await fakeVendor(SNYK, [
      found,
      get(policies, json({ data: [] })),
      post(policies, { write: (response) => response.destroy() }),
      get(policies, json({ data: [made] })),
      patch(`${policies}/a-policy`, json({})),
    ])

    await decide(home, home.issueId, 'FALSE_POSITIVE')
    await tell(home)
    const [lost] = await told(home)
    await sql`update scanner_delivery set next_attempt_at = now() where issue_id = ${home.issueId}`.execute(
      (await inside()).db,
    )
    await tell(home)

    expect(lost).toMatchObject({ state: 'PENDING', attempts: 1 })
    expect(await told(home)).toMatchObject([
      { state: 'DELIVERED', attempts: 2, request: 'PATCH policy of an-asset-key as not-vulnerable' },
    ])
  })

  test('about a finding of another scanner is not sent', async () => {
    const home = await newSnykHome()
    await fakeVendor(SNYK, [])
    const { issue: ours } = await upsert(home.key, sast(Number(home.assetId)))

    await decide(home, ours.id, 'FALSE_POSITIVE')
    await tell(home)

    expect(await told(home)).toEqual([])
  })

  test('of the scanner comes here with its reason, and goes when it is taken back there', async () => {
    const home = await newSnykHome()
    await fakeVendor(SNYK, [
      ...snykHas([issue(NAME, { ignored: true })]),
      get(ignoresPath, json({ [NAME]: [{ '*': { reason: 'We can bear it', reasonType: 'wont-fix' } }] })),
      ...snykHas([issue(NAME)]),
    ])

    await pulled(home)
    const [accepted] = await issues(home)
    await pulled(home)

    expect(accepted).toMatchObject({ status: 'RISK_ACCEPTED' })
    expect(await issues(home)).toMatchObject([{ id: accepted.id, status: 'IDENTIFIED' }])
    expect(await told(home)).toEqual([])
  })
})
