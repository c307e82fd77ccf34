// Deletes one finding or all chosen ones for good, after asking; meant for what should never have been a finding.

import { useChange } from '../../api/ask.ts'
import { graphql } from '../../api/graphql.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { say } from '../../frame/toasts.tsx'
import { notShown } from '../../table/bulk-bar.tsx'
import { DeleteButton } from '../../ui/delete-button.tsx'
import { counted } from '../../util/words.ts'

const DeleteFindings = graphql(`
  mutation DeleteFindings($input: BulkDeleteIssuesInput!) {
    bulkDeleteIssues(input: $input) { clientMutationId }
  }
`)

/** The most findings that the contract deletes in one request. */
const MOST_DELETED = 1_000

type Props = {
  companyId: string
  ids: readonly string[]
  /** The title, if there is only one. */
  title?: string | undefined
  /** How many of them the current filters hide. */
  unseen?: number
  onDone: () => void
}

export function DeleteFindingsButton({ companyId, ids, title, unseen = 0, onDone }: Props) {
  const { session } = useSession()
  const change = useChange()
  const isOne = ids.length === 1
  const many = counted(ids.length, 'finding')
  const beyond = notShown(ids.length, unseen)
  const remove = async () => {
    await change(DeleteFindings, { input: { companyId, ids: [...ids] } })
    say(isOne ? 'Finding deleted.' : `${many} deleted.`)
    onDone()
  }
  return (
    <DeleteButton
      size="small"
      what={isOne ? 'finding' : many}
      description={
        isOne
          ? `${title === undefined ? 'It' : `“${title}”`} is permanently deleted, with its history and decisions.${beyond} A tool that still detects it reports it as new; to keep it away, decide on it instead.`
          : `They are permanently deleted, with their history and decisions.${beyond} Tools that still detect them report them as new; to keep them away, decide on them instead.`
      }
      disabledReason={
        whyNot(session, companyId, 'issues:delete') ??
        (ids.length > MOST_DELETED ? `At most ${counted(MOST_DELETED, 'finding')} can be deleted at once.` : undefined)
      }
      action={remove}
    />
  )
}
