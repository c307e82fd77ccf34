// The tracker card of a finding: where it is, what both sides last agreed on, and how to create one.

import { useAsk, useChange } from '../../api/ask.ts'
import { graphql } from '../../api/graphql.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { Form } from '../../forms/form.tsx'
import { useCompanyId } from '../../frame/company.ts'
import { say } from '../../frame/toasts.tsx'
import { Answered } from '../../ui/answered.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import { toolName, wordsOf } from '../../util/words.ts'

const CardsOfFinding = graphql(`
  query CardsOfFinding($companyId: ID!, $issueId: ID!) {
    workItems(companyId: $companyId, issueId: $issueId, pagination: { perPage: 10 }) {
      collection {
        id
        state
        externalId
        url
        externalStatus
        externalAuthor
        agreedStatus
        failure
        lastSyncedAt
        integration { id integrationType }
      }
    }
  }
`)

const MakeCard = graphql(`
  mutation MakeCard($input: CreateWorkItemInput!) {
    createWorkItem(input: $input) { workItem { id state } }
  }
`)

export function WorkItem({ issueId }: { issueId: string }) {
  const companyId = useCompanyId()
  const { session } = useSession()
  const change = useChange()
  const answer = useAsk(CardsOfFinding, { companyId, issueId }, { affectedBy: ['WorkItem'] })
  const make = async (hasCard: boolean) => {
    await change(MakeCard, { input: { issueId } }, ['WorkItem'])
    say(hasCard ? 'Sync started.' : 'Card requested. It appears in a moment.')
    answer.again()
  }
  return (
    <Answered of={answer} lines={3}>
      {({ workItems: { collection } }) => (
        <div className="stack">
          {collection.length === 0 && <p className="muted">No card in a tracker yet.</p>}
          {collection.map((card) => (
            <Facts
              key={card.id}
              facts={[
                { name: 'Tracker', fact: toolName(card.integration.integrationType) },
                {
                  name: 'Card',
                  fact:
                    card.url === null ? (
                      card.externalId
                    ) : (
                      <a href={card.url} target="_blank" rel="noreferrer">
                        {card.externalId}
                      </a>
                    ),
                },
                { name: 'State', fact: wordsOf(card.state) },
                { name: 'Card status', fact: card.externalStatus },
                { name: 'Card moved by', fact: card.externalAuthor },
                { name: 'Synced status', fact: card.agreedStatus && wordsOf(card.agreedStatus) },
                { name: 'Not in sync', fact: card.failure },
                { name: 'Last synced', fact: card.lastSyncedAt && <Moment at={card.lastSyncedAt} /> },
              ]}
            />
          ))}
          <Form
            submit={collection.length === 0 ? 'Create card' : 'Sync now'}
            isQuiet
            disabledReason={whyNot(session, companyId, 'issues:write')}
            action={() => make(collection.length > 0)}
          >
            {null}
          </Form>
        </div>
      )}
    </Answered>
  )
}
