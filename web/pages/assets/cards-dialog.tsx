// The dialog that creates tracker cards for an asset's open findings that have none, from a minimum severity on.

import { useEffect } from 'react'
import { useChange } from '../../api/ask.ts'
import { graphql } from '../../api/graphql.ts'
import { SelectField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { useCompanyId } from '../../frame/company.ts'
import { say } from '../../frame/toasts.tsx'
import { type List, useList } from '../../table/use-list.ts'
import { Awaited, Failed } from '../../ui/answered.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { severities } from '../../ui/severity.tsx'
import { to } from '../../util/path-builder.ts'
import { counted, optionsOf, toolName } from '../../util/words.ts'

const CardBoards = graphql(`
  query CardBoards($companyId: ID!, $after: String) {
    defectTrackerConfigurations(companyId: $companyId, pagination: { perPage: 200, after: $after }) {
      collection { asset { id } integration { id integrationType where: organizationName } }
      metadata { endCursor totalCount totalCountIsExact }
    }
  }
`)

const CardLists = graphql(`
  query CardLists($companyId: ID!, $after: String) {
    taskTrackerConfigurations(companyId: $companyId, pagination: { perPage: 200, after: $after }) {
      collection { asset { id } integration { id integrationType where: workspaceId } }
      metadata { endCursor totalCount totalCountIsExact }
    }
  }
`)

const MakeCards = graphql(`
  mutation MakeCards($input: CreateWorkItemsInput!) {
    createWorkItems(input: $input) { count }
  }
`)

/** The most cards that the contract creates in one request. */
const MOST_AT_ONCE = 1_000

type CardBoard = {
  asset: { id: string } | null
  integration: { id: string; integrationType: string; where: string | null }
}

type Props = { assetId: string; assetName: string; onClose: () => void }

export default function CardsDialog({ assetId, assetName, onClose }: Props) {
  const companyId = useCompanyId()
  const change = useChange()
  const boards = useWhole(
    useList(CardBoards, { companyId }, ({ defectTrackerConfigurations }) => defectTrackerConfigurations),
  )
  const lists = useWhole(
    useList(CardLists, { companyId }, ({ taskTrackerConfigurations }) => taskTrackerConfigurations),
  )
  const make = async (filled: Filled) => {
    const input = {
      assetId,
      integrationId: filled.text('integrationId'),
      minimumSeverity: filled.oneOf('minimumSeverity', severities),
    }
    const { createWorkItems } = await change(MakeCards, { input }, ['WorkItem'])
    say(cardsWords(createWorkItems?.count ?? 0))
    onClose()
  }
  return (
    <Dialog
      title="Create cards"
      description={`For open findings of ${assetName} without a card, at most ${counted(MOST_AT_ONCE, 'card')} at a time.`}
      isOpen
      onClose={onClose}
    >
      <Chooser assetId={assetId} boards={boards} lists={lists} make={make} onClose={onClose} />
    </Dialog>
  )
}

type ChooserProps = {
  assetId: string
  boards: List<CardBoard>
  lists: List<CardBoard>
  make: (filled: Filled) => Promise<void>
  onClose: () => void
}

function Chooser({ assetId, boards, lists, make, onClose }: ChooserProps) {
  const companyId = useCompanyId()
  const failure = boards.failure ?? lists.failure
  if (failure) return <Failed failure={failure} again={() => void Promise.all([boards.again(), lists.again()])} />
  if ([boards, lists].some(({ isWaiting, hasMore }) => isWaiting || hasMore)) return <Awaited lines={3} />
  const own = [...boards.rows, ...lists.rows].filter(({ asset }) => asset === null || asset.id === assetId)
  const trackers = new Map(own.map(({ integration }) => [integration.id, trackerName(integration)]))
  if (trackers.size === 0) {
    return (
      <div className="stack">
        <p>No board or list is mapped for this asset yet.</p>
        <div>
          <ButtonLink to={to.integrations({ companyId })}>Go to integrations</ButtonLink>
        </div>
      </div>
    )
  }
  return (
    <Form action={make} submit="Create cards" onCancel={onClose}>
      <SelectField
        name="integrationId"
        label="Tracker"
        options={[...trackers].map(([value, label]) => ({ value, label }))}
      />
      <SelectField
        name="minimumSeverity"
        label="Minimum severity"
        options={optionsOf(severities)}
        defaultValue="HIGH"
      />
    </Form>
  )
}

/** Loads every page of the list, because the asset's board can be on any of them. */
function useWhole<Row>(list: List<Row>): List<Row> {
  const { hasMore, more } = list
  useEffect(() => {
    if (hasMore) more()
  }, [hasMore, more])
  return list
}

const trackerName = ({ integrationType, where }: { integrationType: string; where: string | null }): string =>
  where === null ? toolName(integrationType) : `${toolName(integrationType)}, ${where}`

const cardsWords = (made: number): string => {
  if (made === 0) return 'All these findings already have a card.'
  return `${counted(made, 'card')} requested. ${made === 1 ? 'It appears' : 'They appear'} in a moment.`
}
