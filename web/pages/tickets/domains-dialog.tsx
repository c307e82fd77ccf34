// The dialog for a company's domains: add one, or delete one that has no tickets.

import { useState } from 'react'
import { useAct } from '../../api/act.ts'
import { useAsk, useChange } from '../../api/ask.ts'
import { graphql } from '../../api/graphql.ts'
import { TextField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { Answered } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import styles from './tickets.module.css'

const TicketDomains = graphql(`
  query TicketDomains($companyId: ID!) {
    ticketDomains(companyId: $companyId) { id name }
  }
`)

const CreateDomain = graphql(`
  mutation CreateTicketDomainHere($input: CreateTicketDomainInput!) {
    createTicketDomain(input: $input) { ticketDomain { id name } }
  }
`)

const DeleteDomain = graphql(`
  mutation DeleteTicketDomainHere($input: DeleteTicketDomainInput!) {
    deleteTicketDomain(input: $input) { id }
  }
`)

export default function DomainsDialog({ companyId, onClose }: { companyId: string; onClose: () => void }) {
  const change = useChange()
  const [made, setMade] = useState(0)
  const answer = useAsk(TicketDomains, { companyId }, { affectedBy: ['TicketDomain'] })
  const create = async (filled: Filled) => {
    await change(CreateDomain, { input: { companyId, name: filled.text('name') } }, ['TicketDomain'])
    setMade((before) => before + 1)
  }
  const remove = async (id: string) => {
    await change(DeleteDomain, { input: { id } }, ['TicketDomain'])
  }
  return (
    <Dialog title="Ticket domains" description="The teams or areas that tickets are for." isOpen onClose={onClose}>
      <div className="stack">
        <Answered of={answer} lines={3}>
          {({ ticketDomains }) => (
            <>
              <ul className={styles.every} aria-label="All domains">
                {ticketDomains.map((domain) => (
                  <Domain key={domain.id} name={domain.name} remove={() => remove(domain.id)} />
                ))}
              </ul>
              {/* a new key after each domain clears the field for the next one */}
              <Form key={made} action={create} submit="Add domain">
                <TextField name="name" label="New domain" required autoFocus />
              </Form>
            </>
          )}
        </Answered>
      </div>
    </Dialog>
  )
}

function Domain({ name, remove }: { name: string; remove: () => Promise<void> }) {
  const { act, isRunning, failure } = useAct()
  return (
    <li>
      <span className="words">{name}</span>
      <Button
        size="small"
        tone="danger"
        aria-label={`Delete the domain ${name}`}
        isRunning={isRunning}
        onClick={() => void act(remove)}
      >
        Delete
      </Button>
      {failure && (
        <p role="alert" className={styles.wrong}>
          {failure.message}
        </p>
      )}
    </li>
  )
}
