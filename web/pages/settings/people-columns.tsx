// The columns of the company's people: who they are, their role, since when, and the actions on them.

import { useMemo } from 'react'
import { Beneath } from '../../table/beneath.tsx'
import type { Column } from '../../table/column.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Button } from '../../ui/button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { wordsOf } from '../../util/words.ts'
import type { Person } from './people-documents.ts'
import styles from './settings.module.css'

/** The dialog that is open over the list of people. */
export type Open = { what: 'new' } | { what: 'role' | 'leave' | 'shut-out'; user: Person }

type Asked = {
  mayNot: string | undefined
  mayNotShutOut: string | undefined
  setOpen: (open: Open) => void
  letIn: (user: Person) => Promise<void>
}

const roleOf = ({ profile, isAdministrator }: Person): string =>
  [...(profile ? [wordsOf(profile.role)] : []), ...(isAdministrator ? ['administrator'] : [])].join(' · ')

export function usePeopleColumns({ mayNot, mayNotShutOut, setOpen, letIn }: Asked): Column<Person>[] {
  return useMemo(
    () => [
      {
        id: 'name',
        header: 'Name',
        meta: { isSentence: true },
        cell: ({ row: { original } }) => (
          <>
            {original.name} {original.disabledAt !== null && <span className={styles.shutOut}>– disabled</span>}
            <Beneath of={[original.email]} onPhone={[roleOf(original)]} />
          </>
        ),
      },
      { id: 'email', header: 'Email', meta: { isExtra: true }, cell: ({ row }) => row.original.email },
      {
        id: 'role',
        header: 'Role',
        meta: { width: 'clamp(84px, 12cqi, 150px)', isSentence: true, isSpare: true },
        cell: ({ row }) => roleOf(row.original),
      },
      {
        id: 'standing',
        header: 'Since',
        meta: { width: '150px', isExtra: true },
        cell: ({ row: { original } }) =>
          original.disabledAt ? (
            <span className="muted">
              disabled <Moment at={original.disabledAt} />
            </span>
          ) : (
            <Moment at={original.createdAt} />
          ),
      },
      {
        id: 'actions',
        header: () => <span className="heard">Actions</span>,
        meta: { width: 'clamp(188px, 34cqi, 296px)' },
        cell: ({ row: { original } }) => (
          <span className={`row ${styles.doings}`}>
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
              aria-label={`Remove ${original.name}`}
              disabledReason={mayNot}
              onClick={() => setOpen({ what: 'leave', user: original })}
            >
              Remove…
            </Button>
            {original.disabledAt === null ? (
              <Button
                size="small"
                aria-label={`Disable ${original.name}`}
                disabledReason={mayNotShutOut}
                onClick={() => setOpen({ what: 'shut-out', user: original })}
              >
                Disable…
              </Button>
            ) : (
              <ActionButton
                size="small"
                aria-label={`Enable ${original.name}`}
                disabledReason={mayNotShutOut}
                action={() => letIn(original)}
              >
                Enable
              </ActionButton>
            )}
          </span>
        ),
      },
    ],
    [mayNot, mayNotShutOut, setOpen, letIn],
  )
}
