// Closes findings that a complete report no longer contains, unless something speaks against it.

import type { Trx } from '../../core/db/open.ts'
import { failedPrecondition } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { closeAbsent, type Scan } from '../issues/findings/service.ts'
import type { Staged } from './staged.ts'
import { insertRows } from './store-rows.ts'
import {
  type Branch,
  countAbsent,
  findScopesNamed,
  type ScopeStanding,
  takeAbsent,
  updateWhole,
} from './store-scopes.ts'
import type { ImportKey } from './store-stage.ts'

/** From this many findings on, closing more than LARGE_SHARE of the open ones needs confirmation. */
const MANY = 10
const LARGE_SHARE = 0.5
/** Findings closed by one statement. */
const AT_ONCE = 5000

/** Why a report may close nothing at all; null if it may. Pure. */
export function unclosedReasonOf(staged: Staged, scan: Scan): string | null {
  if (staged.truncated !== null) return `The report is not complete: ${staged.truncated}`
  if (scan.isOlder && !scan.isExact && scan.passedId === null) {
    return 'The deploy of the commit that was scanned is one of another branch, so that it may be older than the last deploy of this one: deploy the branch to it or to a later commit, and scan that'
  }
  if (scan.isOlder) return 'The report is of an older commit than the last deploy of the branch'
  if (scan.headId !== null && scan.deployId === null) {
    return 'No deploy leads to the commit that was scanned, so that it may be older than the last deploy of the branch'
  }
  const isUnsafe = staged.unsafeScopes.size === staged.scopes.size && staged.unreadable > 0
  return isUnsafe ? unreadable : null
}

const unreadable = 'Some rows of the report could not be read, and may contain findings that seem absent'

type Closing = {
  key: ImportKey
  scan: Scan
  staged: Staged
  /** by section, with how many of the report's findings in it were open before */
  scopeIds: readonly Id[]
  stillOpen: readonly number[]
  confirmClose: boolean
  authorId: Id
  /** the number of the first row to write */
  firstNumber: number
}

/**
 * Closes the findings that the report's scopes had before and no longer have, and writes a row for each. FAILED_PRECONDITION with the
 * numbers if that is a large share of a scope and was not confirmed. Nothing is closed in a scope with an unreadable row, or in a file
 * that the tool did not see; the returned reason says so.
 */
export async function closeWhatIsAbsent(
  trx: Trx,
  closing: Closing,
): Promise<{ closed: number; reason: string | null }> {
  const { scan, staged, confirmClose, key } = closing
  const nothing = unclosedReasonOf(staged, scan)
  if (nothing !== null) return { closed: 0, reason: nothing }
  const branch = { companyId: scan.companyId, assetId: scan.assetId, branch: scan.branch }
  const { scopeIds, ambiguous } = await scopesOf(trx, branch, closing)
  const looking = { ...branch, unseen: [...staged.unseenFiles] }
  const standings = scopeIds.length === 0 ? [] : await countAbsent(trx, key.id, looking, scopeIds)
  const openOf = ({ id, absent }: ScopeStanding) => absent + (closing.stillOpen[closing.scopeIds.indexOf(id)] ?? 0)
  const tooMany = standings.find((standing) => isLarge(standing.absent, openOf(standing)))
  if (tooMany && !confirmClose) throw failedPrecondition(refusalOf(tooMany, openOf(tooMany), scan.branch))
  const reason = `Absent from the report of import ${key.id}${scan.branch === '' ? '' : ` on ${scan.branch}`}`
  let closed = 0
  let after: Id = '0'
  while (standings.some(({ absent }) => absent > 0)) {
    const taken = await takeAbsent(trx, key.id, looking, scopeIds, after, AT_ONCE)
    const issueIds = taken.filter(({ isElsewhere }) => !isElsewhere).map(({ issueId }) => issueId)
    const { authorId } = closing
    const gone = await closeAbsent(trx, scan.companyId, {
      branch: scan.branch,
      issueIds,
      reason,
      authorId,
      scanId: scan.scanId,
      deployId: scan.deployId,
    })
    await insertRows(
      trx,
      key,
      gone.map(({ issueId, isFixed, isWitnessed }, index) => ({
        number: closing.firstNumber + closed + index,
        at: null,
        disposition: 'CLOSED',
        matchedBy: null,
        issueId,
        reason: `Absent from the report${isFixed ? '' : isWitnessed ? '; another finding of its issue is still reported' : '; still open on another branch'}`,
      })),
    )
    closed += gone.length
    after = taken.at(-1)?.issueId ?? after
    if (taken.length < AT_ONCE) break
  }
  if (staged.unseenFiles.size === 0) await updateWhole(trx, scan.companyId, scopeIds, key.id)
  return { closed, reason: staged.unreadable > 0 ? unreadable : (ambiguous ?? unseenReasonOf(staged)) }
}

function unseenReasonOf({ unseenFiles }: Staged): string | null {
  const [file, ...others] = unseenFiles
  if (file === undefined) return null
  const named =
    others.length === 0 ? file : `${file} and ${others.length} more ${others.length === 1 ? 'file' : 'files'}`
  return `The tool did not scan all of ${named}: earlier findings there stay open`
}

/**
 * The scopes that the report covers: those of its tools and, for a scope in which it names no tool, every scope of that name in this
 * format. With neither name nor tool it covers the only tool that reported in this format; if there are several, `ambiguous` says so.
 */
async function scopesOf(trx: Trx, branch: Branch, { staged, scopeIds }: Closing) {
  const { sections, scopes, unsafeScopes, format } = staged
  const named = new Set(sections.map(({ scope }) => scope))
  const empty = [...scopes].filter((scope) => !named.has(scope) && !unsafeScopes.has(scope))
  const others = empty.length === 0 ? [] : await findScopesNamed(trx, branch, format, empty)
  const nameless = others.filter(({ scope, hasFindings }) => scope === '' && hasFindings)
  const isAmbiguous = nameless.length > 1
  const own = scopeIds.filter((_, index) => !unsafeScopes.has(sections[index]?.scope ?? ''))
  const spoken = others.filter(({ scope }) => scope !== '' || !isAmbiguous).map(({ id }) => id)
  return { scopeIds: [...own, ...spoken], ambiguous: isAmbiguous ? ambiguousReasonOf(nameless) : null }
}

const ambiguousReasonOf = (standings: readonly { tool: string }[]): string =>
  `The report has no findings and names no tool, and ${standings.map(({ tool }) => tool || 'a tool without a name').join(', ')} reported in its format: name a scope for each of them`

const isLarge = (absent: number, open: number): boolean => absent >= MANY && absent > open * LARGE_SHARE

const refusalOf = ({ absent, tool, scope }: ScopeStanding, open: number, branch: string): string => {
  const of = [tool === '' ? 'a tool without a name' : tool, scope && `scope ${scope}`, branch && `branch ${branch}`]
  return `The report would close ${absent} of ${open} open findings (${of.filter((word) => word !== '').join(', ')}); nothing was imported. Send it again with confirmClose if that is intended`
}
