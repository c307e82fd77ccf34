// Applies the VEX statements of a report: they decide about findings that any tool reports, and make none where there is one.

import type { Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import type { Context } from '../context.ts'
import {
  deleteStatements,
  findConcerned,
  type NewStatement,
  obeyStatements,
  type Scan,
  upsertStatements,
} from '../issues/findings/service.ts'
import { unclosedReasonOf } from './close.ts'
import type { Staged } from './staged.ts'
import type { ImportRow } from './store-rows.ts'
import type { ImportKey, StagedFinding } from './store-stage.ts'

/**
 * `rest`: the rows to record as findings; `answered`: the others, with their outcome; `changed`: the issues whose status changed.
 */
type Taken = { rest: StagedFinding[]; answered: ImportRow[]; changed: ReadonlySet<Id> }

type Stating = { key: ImportKey; scan: Scan; staged: Staged }

/**
 * Stores the statements of a group of rows and applies them to the issues that they are about. A row that says that findings of
 * other tools alone are none, or fixed, becomes no finding. A report of an older commit states nothing.
 */
export async function takeStatements(
  trx: Trx,
  context: Context,
  { key, scan, staged }: Stating,
  rows: StagedFinding[],
): Promise<Taken> {
  const stating = rows.filter((row) => row.statement !== null)
  const isSilent = scan.isOlder || !scan.hasStatements || (stating.length === 0 && !staged.withdrawsStatements)
  if (isSilent) return { rest: rows.filter(isFinding), answered: rows.flatMap(undecided), changed: new Set() }
  const plain = rows.filter((row) => row.statement === null && row.finding.kept === undefined)
  const keys = plain.flatMap((row) => keyOf(row) ?? [])
  const ended = keys.length === 0 ? [] : await deleteStatements(trx, scan, { keys })
  const statements = stating.flatMap((row) => statementOf(row, staged) ?? [])
  if (statements.length > 0) await upsertStatements(trx, scan, key.id, statements)
  const concerned = statements.length === 0 ? [] : await findConcerned(trx, scan, statements)
  const issueIds = [...ended, ...concerned.map(({ issueId }) => issueId)]
  const changed = await obeyStatements(trx, scan.companyId, issueIds, byOf(context, scan))
  const about = Map.groupBy(concerned, ({ n }) => n)
  const rest: StagedFinding[] = []
  const answered: ImportRow[] = []
  for (const row of rows) {
    const issues = about.get(row.number) ?? []
    const [first] = issues
    const isAnswered = decides(row) && first && !issues.some(({ isOwn }) => isOwn)
    if (isFinding(row) && !isAnswered) rest.push(row)
    else {
      const isChanged = issues.some(({ issueId }) => changed.has(issueId))
      const others = issues.length - 1
      const more = others > 0 ? ` and ${others} more ${others === 1 ? 'issue' : 'issues'}` : ''
      answered.push({
        number: row.number,
        at: row.at,
        disposition: row.undecided !== null ? 'LEFT_OUT' : isChanged ? 'UPDATED' : 'UNCHANGED',
        matchedBy: null,
        issueId: first?.issueId ?? null,
        reason:
          row.undecided ??
          `A statement about issue ${first?.issueId} of ${first?.toolName || 'a tool without a name'}${more}`,
      })
    }
  }
  return { rest, answered, changed }
}

/** What is affected is a finding of its document as well. */
const decides = ({ statement }: StagedFinding): boolean =>
  statement?.status === 'NOT_AFFECTED' || statement?.status === 'FIXED'

const isFinding = ({ undecided: reason }: StagedFinding): boolean => reason === null

const undecided = ({ number, at, undecided: reason }: StagedFinding): ImportRow[] =>
  reason === null ? [] : [{ number, at, disposition: 'LEFT_OUT', matchedBy: null, issueId: null, reason }]

function keyOf({
  finding: { toolName, rule, fields },
}: StagedFinding): Pick<NewStatement, 'source' | 'rule' | 'detail'> | null {
  return fields.detail === null || toolName === '' ? null : { source: toolName, rule, detail: fields.detail }
}

function statementOf(row: StagedFinding, { sections }: Staged): NewStatement | null {
  const key = keyOf(row)
  if (key === null || row.statement === null) return null
  const { rule, fields } = row.finding
  const { status, reason, saidAt } = row.statement
  const names = [rule, ...(fields.patterns ?? [])].join(' ')
  return {
    n: row.number,
    ...key,
    names,
    status,
    reason,
    saidAt: saidAt ?? null,
    scope: sections[row.section]?.scope ?? '',
  }
}

/** Withdraws what earlier documents of the report's tools and scopes stated and this complete one does not. */
export async function endAbsent(trx: Trx, context: Context, key: ImportKey, scan: Scan, staged: Staged): Promise<void> {
  // a row under investigation could be read
  const unreadable = staged.unreadable - staged.undecided
  if (!scan.hasStatements || unreadable > 0 || unclosedReasonOf({ ...staged, unreadable }, scan) !== null) return
  const issueIds = await deleteStatements(trx, scan, { sections: staged.sections, importId: key.id })
  await obeyStatements(trx, scan.companyId, issueIds, byOf(context, scan))
}

const byOf = ({ viewer }: Context, { scanId, deployId }: Scan) => ({ authorId: viewer.userId, scanId, deployId })
