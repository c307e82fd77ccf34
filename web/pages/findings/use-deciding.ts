// What a decision in the list of findings is about: the chosen ones, the one in focus or the open one; and why there can be none.

import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { counted } from '../../util/words.ts'
import type { Deciding } from './decide.tsx'
import type { FindingRow } from './documents.ts'

/** The most findings that the contract changes in one request. */
const MOST_AT_ONCE = 1_000

type Listed = {
  companyId: string
  rows: readonly FindingRow[]
  chosenIds: readonly string[]
  /** The finding that the panel shows. */
  openId: string | undefined
  decide: (deciding: Deciding) => void
}

export function useDeciding({ companyId, rows, chosenIds, openId, decide }: Listed) {
  const { session } = useSession()
  const mayNot = whyNot(session, companyId, 'issues:decide')
  const mayNotChosen =
    mayNot ??
    (chosenIds.length > MOST_AT_ONCE
      ? `At most ${counted(MOST_AT_ONCE, 'selected finding')} can be decided on at once; “Decide on all” takes more.`
      : undefined)
  const decideOn = ({ id, title }: FindingRow) => decide({ ids: [id], title })
  const decideChosen = () => {
    const [only] = chosenIds
    const row = chosenIds.length === 1 ? rows.find(({ id }) => id === only) : undefined
    decide({ ids: chosenIds, title: row?.title ?? '' })
  }
  const decideByKey = () => {
    if (mayNotChosen !== undefined) return
    if (chosenIds.length > 0) return decideChosen()
    const at = document.activeElement?.closest('[data-index]')?.getAttribute('data-index')
    const row = at == null ? undefined : rows[Number(at)]
    if (row) decideOn(row)
  }
  const openRow = rows.find(({ id }) => id === openId)
  const decideOpen = openRow && (() => mayNot === undefined && decideOn(openRow))
  // The panel handles `d` itself once it is loaded. For a finding in the list, nobody has to wait for that.
  return { mayNot, mayNotChosen, decideChosen, byKey: openId === undefined ? decideByKey : decideOpen }
}
