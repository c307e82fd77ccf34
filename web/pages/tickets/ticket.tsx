// The page of one ticket: what is asked for, of whom, and what is attached.

import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { useAsk, useChange } from '../../api/ask.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { AnsweredPage } from '../../frame/answered-page.tsx'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import { say } from '../../frame/toasts.tsx'
import { Button } from '../../ui/button.tsx'
import { DeleteButton } from '../../ui/delete-button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import { to } from '../../util/path-builder.ts'
import { size, wordsOf } from '../../util/words.ts'
import { DeleteTicket, OneTicket } from './documents.ts'
import { TicketDialog } from './form.tsx'

export function Component() {
  const companyId = useCompanyId()
  const { ticketId = '' } = useParams()
  const { session } = useSession()
  const [isChanging, setChanging] = useState(false)
  const answer = useAsk(OneTicket, { companyId, id: ticketId })
  const change = useChange()
  const navigate = useNavigate()
  const mayNot = whyNot(session, companyId, 'tickets:write')
  const remove = async (id: string) => {
    await change(DeleteTicket, { input: { id } })
    say('Ticket deleted.')
    navigate(to.tickets({ companyId }))
  }
  const crumbs = [{ name: 'Tickets', path: to.tickets({ companyId }) }]
  return (
    <AnsweredPage title="Ticket" crumbs={crumbs} of={answer}>
      {({ ticket }) => (
        <Page
          title={ticket.title}
          crumbs={crumbs}
          count={wordsOf(ticket.status)}
          actions={
            <>
              <Button onClick={() => setChanging(true)} disabledReason={mayNot}>
                Edit…
              </Button>
              <DeleteButton
                key={ticket.id}
                what="ticket"
                description="The ticket and its files are permanently deleted."
                disabledReason={mayNot}
                action={() => remove(ticket.id)}
              />
            </>
          }
        >
          <div className="stack">
            <p className="words">{ticket.description}</p>
            <Facts
              facts={[
                { name: 'Domain', fact: ticket.domain.name },
                { name: 'Type', fact: wordsOf(ticket.type) },
                { name: 'Priority', fact: ticket.priority },
                { name: 'Impact', fact: ticket.impact && wordsOf(ticket.impact) },
                { name: 'Assigned to', fact: ticket.assignee?.name },
                { name: 'Opened by', fact: ticket.createdBy?.name },
                { name: 'Opened', fact: <Moment at={ticket.createdAt} /> },
                { name: 'Updated', fact: <Moment at={ticket.updatedAt} /> },
                {
                  name: 'Files',
                  fact: ticket.attachments.length > 0 && (
                    <ul>
                      {ticket.attachments.map(({ id, filename, size: bytes, downloadUrl }) => (
                        <li key={id}>
                          <a href={downloadUrl}>{filename}</a> <span className="muted">{size(bytes)}</span>
                        </li>
                      ))}
                    </ul>
                  ),
                },
              ]}
            />
          </div>
          {isChanging && (
            <TicketDialog
              key={ticket.id}
              companyId={companyId}
              ticket={ticket}
              onClose={() => setChanging(false)}
              onDone={async () => {
                await answer.again()
                setChanging(false)
              }}
            />
          )}
        </Page>
      )}
    </AnsweredPage>
  )
}
