// The columns of the people: who they are, what they may do, since when, and what can be changed of it.

import { useMemo } from 'react'
import type { Column } from '../../table/column.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Button } from '../../ui/button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { wordsOf } from '../../util/words.ts'
import type { Person } from './people-documents.ts'

/** What is open over the people. */
export type Open = { what: 'new' } | { what: 'role' | 'leave' | 'shut-out'; user: Person }

type Asked = {
  mayNot: string | undefined
  mayNotShutOut: string | undefined
  setOpen: (open: Open) => void
  letIn: (user: Person) => Promise<void>
}

export function usePeopleColumns({ mayNot, mayNotShutOut, setOpen, letIn }: Asked): Column<Person>[] {
  return useMemo(
    () => [
      { id: 'name', header: 'Name', cell: ({ row }) => row.original.name },
      { id: 'email', header: 'E-mail', meta: { isExtra: true }, cell: ({ row }) => row.original.email },
      {
        id: 'role',
        header: 'Role',
        meta: { width: 'clamp(84px, 12cqi, 150px)', isSentence: true },
        cell: ({ row: { original } }) => (
          <>
            {original.profile ? wordsOf(original.profile.role) : ''}
            {original.isAdministrator ? ' · administrator' : ''}
          </>
        ),
      },
      {
        id: 'standing',
        header: 'Since',
        meta: { width: '150px', isExtra: true },
        cell: ({ row: { original } }) =>
          original.disabledAt ? (
            <span className="muted">
              shut out <Moment at={original.disabledAt} />
            </span>
          ) : (
            <Moment at={original.createdAt} />
          ),
      },
      {
        id: 'sign-in',
        header: () => <span className="heard">Whether they may sign in</span>,
        meta: { width: '108px', isExtra: true },
        cell: ({ row: { original } }) =>
          original.disabledAt === null ? (
            <Button
              size="small"
              aria-label={`Shut out ${original.name}`}
              disabledReason={mayNotShutOut}
              onClick={() => setOpen({ what: 'shut-out', user: original })}
            >
              Shut out…
            </Button>
          ) : (
            <ActionButton
              size="small"
              aria-label={`Let in ${original.name}`}
              disabledReason={mayNotShutOut}
              action={() => letIn(original)}
            >
              Let in
            </ActionButton>
          ),
      },
      {
        id: 'actions',
        header: () => <span className="heard">What can be done</span>,
        meta: { width: '188px' },
        cell: ({ row: { original } }) => (
          <span className="row">
            <Button
              size="small"
              aria-label={`Change the role of ${original.name}`}
              disabledReason={mayNot}
              onClick={() => setOpen({ what: 'role', user: original })}
            >
              Role…
            </Button>
            <Button
              size="small"
              tone="danger"
              aria-label={`Take out ${original.name}`}
              disabledReason={mayNot}
              onClick={() => setOpen({ what: 'leave', user: original })}
            >
              Take out…
            </Button>
          </span>
        ),
      },
    ],
    [mayNot, mayNotShutOut, setOpen, letIn],
  )
}
