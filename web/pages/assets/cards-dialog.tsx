// Cards in a tracker for the open findings of an asset that have none, from a severity on.

import { useAsk, useChange } from '../../api/ask.ts'
import { graphql } from '../../api/graphql.ts'
import { SelectField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { useCompanyId } from '../../frame/company.ts'
import { say } from '../../frame/toasts.tsx'
import { Answered } from '../../ui/answered.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { severities } from '../../ui/severity.tsx'
import { to } from '../../util/path-builder.ts'
import { counted, optionsOf, toolName } from '../../util/words.ts'

const Trackers = graphql(`
  query Trackers($companyId: ID!) {
    defectTrackerConfigurations(companyId: $companyId, pagination: { perPage: 200 }) {
      collection { asset { id } integration { id integrationType where: organizationName } }
    }
    taskTrackerConfigurations(companyId: $companyId, pagination: { perPage: 200 }) {
      collection { asset { id } integration { id integrationType where: workspaceId } }
    }
  }
`)

const MakeCards = graphql(`
  mutation MakeCards($input: CreateWorkItemsInput!) {
    createWorkItems(input: $input) { count }
  }
`)

/** The contract makes so many at once. */
const MOST_AT_ONCE = 1_000

type Props = { assetId: string; assetName: string; onClose: () => void }

export default function CardsDialog({ assetId, assetName, onClose }: Props) {
  const companyId = useCompanyId()
  const change = useChange()
  const answer = useAsk(Trackers, { companyId })
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
      title="Make cards"
      description={`For the open findings of ${assetName} that have none, at most ${counted(MOST_AT_ONCE, 'card')} at a time.`}
      isOpen
      onClose={onClose}
    >
      <Answered of={answer} lines={3}>
        {({ defectTrackerConfigurations, taskTrackerConfigurations }) => {
          const configured = [...defectTrackerConfigurations.collection, ...taskTrackerConfigurations.collection]
          const own = configured.filter(({ asset }) => asset === null || asset.id === assetId)
          const trackers = new Map(own.map(({ integration }) => [integration.id, trackerName(integration)]))
          if (trackers.size === 0) {
            return (
              <div className="stack">
                <p>No board or list is mapped for this asset yet.</p>
                <div>
                  <ButtonLink to={to.integrations({ companyId })}>To the integrations</ButtonLink>
                </div>
              </div>
            )
          }
          return (
            <Form action={make} submit="Make them" onCancel={onClose}>
              <SelectField
                name="integrationId"
                label="Tracker"
                options={[...trackers].map(([value, label]) => ({ value, label }))}
              />
              <SelectField
                name="minimumSeverity"
                label="From which severity on"
                options={optionsOf(severities)}
                defaultValue="HIGH"
              />
            </Form>
          )
        }}
      </Answered>
    </Dialog>
  )
}

const trackerName = ({ integrationType, where }: { integrationType: string; where: string | null }): string =>
  where === null ? toolName(integrationType) : `${toolName(integrationType)}, ${where}`

const cardsWords = (made: number): string => {
  if (made === 0) return 'Every such finding has a card already.'
  return `${counted(made, 'card')} ${made === 1 ? 'comes' : 'come'} in a moment.`
}
