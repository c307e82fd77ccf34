// Random histories of issues, written to the database as the service would have written them over time.

import fc from 'fast-check'
import { sql } from 'kysely'
import type { Db } from '../../src/core/db/open.ts'
import { openStatuses } from '../../src/core/db/open-issues.ts'
import type { IssueStatus, SeverityCategory } from '../../src/core/db/tables.generated.ts'

export const severities: readonly SeverityCategory[] = ['NOTIFICATION', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL']
const statuses: readonly IssueStatus[] = [
  'CREATED',
  'DRAFT',
  'IDENTIFIED',
  'IN_PROGRESS',
  'FIX_ACCEPTED',
  'RISK_ACCEPTED',
  'SUPPRESSED',
]

/** `hour` counts from the start of the year. */
export type Story = { severity: SeverityCategory; events: { hour: number; status: IssueStatus }[] }

export const stories: fc.Arbitrary<Story[]> = fc.array(
  fc.record({
    severity: fc.constantFrom(...severities),
    events: fc
      .array(fc.record({ hour: fc.integer({ min: 0, max: 3000 }), status: fc.constantFrom(...statuses) }), {
        minLength: 1,
        maxLength: 8,
      })
      .map((events) => events.toSorted((one, other) => one.hour - other.hour)),
  }),
  { minLength: 1, maxLength: 12 },
)

const YEAR = Date.parse('2026-01-01T00:00:00Z')
export const timeOf = (hour: number) => new Date(YEAR + hour * 3_600_000).toISOString()
export const isOpen = (status: IssueStatus | undefined) => status !== undefined && openStatuses.includes(status)

/** The ranges and intervals that a trend can be queried for, up to an hour of the year. */
export const spansUntil = (hour: number) =>
  fc.record({
    interval: fc.constantFrom('DAY' as const, 'WEEK' as const, 'MONTH' as const, 'QUARTER' as const),
    from: fc.integer({ min: 0, max: 1500 }).map(timeOf),
    to: fc.integer({ min: 1501, max: hour }).map(timeOf),
  })

/** Writes the issues and their history as the service would have. */
export async function tell(db: Db, companyId: string, assetId: number, told: readonly Story[]): Promise<void> {
  await sql`delete from issue where company_id = ${companyId}`.execute(db)
  for (const [number, { severity, events }] of told.entries()) {
    const { rows } = await sql<{ id: string }>`
      insert into issue (company_id, asset_id, type, rule, title, severity, status, birth_key, created_at)
      values (${companyId}, ${assetId}, 'SAST_FINDING', 'a', 'a', ${severity}, ${events.at(-1)?.status ?? 'CREATED'},
        sha256(convert_to(${`${companyId} ${number}`}, 'UTF8')), ${timeOf(events[0]?.hour ?? 0)}) returning id`.execute(
      db,
    )
    const history = events.map(({ hour, status }, index) => ({
      at: timeOf(hour),
      action: index === 0 ? 'CREATED' : 'STATUS_CHANGED',
      previous: events[index - 1]?.status ?? null,
      status,
    }))
    await sql`
      insert into issue_event (company_id, issue_id, at, kind, action, previous_status, status)
      select ${companyId}::bigint, ${rows[0]?.id}::bigint, at, 'PERSON', action, previous, status
      from jsonb_to_recordset(${JSON.stringify(history)}::jsonb)
        as event (at timestamptz, action text, previous issue_status, status issue_status)`.execute(db)
  }
}
