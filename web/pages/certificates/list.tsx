// The credits for SSL certificates: which exist, and the domain that each was used for.

import { useMemo, useState } from 'react'
import { useAsk, useChange } from '../../api/ask.ts'
import { type EnumOf, graphql, type ResultOf } from '../../api/graphql.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { TextField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import { say } from '../../frame/toasts.tsx'
import { Beneath } from '../../table/beneath.tsx'
import type { Column } from '../../table/column.ts'
import { DataTable } from '../../table/data-table.tsx'
import { Answered } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Moment } from '../../ui/moment.tsx'
import { type Standing, StandingWord } from '../../ui/verdict.tsx'
import { to } from '../../util/path-builder.ts'
import { counted, wordsOf } from '../../util/words.ts'
import styles from './certificates.module.css'

const Credits = graphql(`
  query Credits($companyId: ID!) {
    sslCertificateCredits(companyId: $companyId) {
      id
      status
      allowsWildcard
      domain
      createdAt
      expiresAt
      usedAt
      usedBy { name }
    }
  }
`)

const UseCredit = graphql(`
  mutation UseCredit($input: UseSslCertificateCreditInput!) {
    useSslCertificateCredit(input: $input) { clientMutationId }
  }
`)

const CancelCredit = graphql(`
  mutation CancelCredit($input: CancelSslCertificateCreditInput!) {
    cancelSslCertificateCredit(input: $input) { clientMutationId }
  }
`)

type Credit = ResultOf<typeof Credits>['sslCertificateCredits'][number]
type Open = { what: 'use' | 'cancel'; credit: Credit }

const tones: Record<EnumOf<'SSLCertificateCreditStatus'>, Standing> = {
  AVAILABLE: 'good',
  USED: 'running',
  CANCELED: 'plain',
  EXPIRED: 'plain',
}

export function Component() {
  const companyId = useCompanyId()
  const { session } = useSession()
  const change = useChange()
  const answer = useAsk(Credits, { companyId }, { affectedBy: ['SSLCertificateCredit'] })
  const [open, setOpen] = useState<Open | null>(null)
  const mayNot = whyNot(session, companyId, 'certificates:use')
  const columns = useColumns(mayNot, setOpen)
  const available = answer.data?.sslCertificateCredits.filter(({ status }) => status === 'AVAILABLE').length
  const spend = async (filled: Filled) => {
    if (!open) return
    await change(UseCredit, { input: { id: open.credit.id, domain: filled.text('domain') } }, ['SSLCertificateCredit'])
    say(`Certificate for ${filled.text('domain')} requested.`)
    setOpen(null)
  }
  return (
    <Page
      title="Certificates"
      count={available === undefined ? undefined : `${counted(available, 'credit')} available`}
    >
      <Answered of={answer}>
        {({ sslCertificateCredits }) => (
          <div className={styles.credits}>
            <DataTable<Credit>
              label="Certificate credits"
              rows={sslCertificateCredits}
              columns={columns}
              idOf={({ id }) => id}
              nameOf={({ id }) => `Credit ${id}`}
              total={sslCertificateCredits.length}
              empty={
                <Empty title="No credits">
                  <p>
                    Each credit is good for one certificate. The operator of this service grants credits, with{' '}
                    <code>grantSslCertificateCredits</code> in the <a href={to.explorer({ companyId })}>API explorer</a>
                    .
                  </p>
                </Empty>
              }
            />
          </div>
        )}
      </Answered>
      {open?.what === 'use' && (
        <Dialog title={`Use credit ${open.credit.id}`} isOpen onClose={() => setOpen(null)}>
          <Form action={spend} submit="Use credit" onCancel={() => setOpen(null)}>
            <TextField
              name="domain"
              label="Domain"
              required
              placeholder={open.credit.allowsWildcard ? '*.example.com' : 'www.example.com'}
              hint={
                open.credit.allowsWildcard
                  ? 'May start with *.'
                  : 'A full domain name; this credit does not cover wildcards.'
              }
            />
          </Form>
        </Dialog>
      )}
      {open?.what === 'cancel' && (
        <Confirm
          title={`Cancel credit ${open.credit.id}`}
          description="It can no longer be used."
          submit="Cancel credit"
          action={async () => {
            await change(CancelCredit, { input: { id: open.credit.id } }, ['SSLCertificateCredit'])
            say('Credit cancelled.')
          }}
          onClose={() => setOpen(null)}
        />
      )}
    </Page>
  )
}

const Ends = ({ at }: { at: string }) => (
  <>
    expires <Moment at={at} />
  </>
)

function useColumns(mayNot: string | undefined, setOpen: (open: Open) => void): Column<Credit>[] {
  return useMemo(
    () => [
      {
        id: 'status',
        header: 'Status',
        meta: { width: 'clamp(98px, 14cqi, 110px)' },
        cell: ({ row: { original } }) => (
          <StandingWord of={tones[original.status]}>{wordsOf(original.status)}</StandingWord>
        ),
      },
      {
        id: 'id',
        header: 'Credit',
        meta: { width: '90px', isNumber: true, isExtra: true },
        cell: ({ row }) => row.original.id,
      },
      {
        id: 'domain',
        header: 'Domain',
        meta: { isSentence: true },
        cell: ({ row: { original } }) => (
          <>
            {original.domain ? (
              <span className="code">{original.domain}</span>
            ) : (
              <span className="muted">{original.allowsWildcard ? 'any domain or wildcard' : 'any domain'}</span>
            )}
            <Beneath of={[original.expiresAt && <Ends key="ends" at={original.expiresAt} />]} />
          </>
        ),
      },
      {
        id: 'used',
        header: 'Used',
        meta: { width: '220px', isExtra: true },
        cell: ({ row: { original } }) =>
          original.usedAt && (
            <>
              <Moment at={original.usedAt} /> by {original.usedBy?.name ?? 'a former member'}
            </>
          ),
      },
      {
        id: 'ends',
        header: 'Expires',
        meta: { width: '112px', isExtra: true },
        cell: ({ row: { original } }) => original.expiresAt && <Moment at={original.expiresAt} />,
      },
      {
        id: 'actions',
        header: () => <span className="heard">Actions</span>,
        meta: { width: '148px' },
        cell: ({ row: { original } }) => {
          const reason =
            mayNot ?? (original.status === 'AVAILABLE' ? undefined : `It is ${original.status.toLowerCase()}.`)
          return (
            <span className="row">
              <Button
                size="small"
                aria-label={`Use credit ${original.id}`}
                disabledReason={reason}
                onClick={() => setOpen({ what: 'use', credit: original })}
              >
                Use
              </Button>
              <Button
                size="small"
                tone="danger"
                aria-label={`Cancel credit ${original.id}`}
                disabledReason={reason}
                onClick={() => setOpen({ what: 'cancel', credit: original })}
              >
                Cancel
              </Button>
            </span>
          )
        },
      },
    ],
    [mayNot, setOpen],
  )
}
