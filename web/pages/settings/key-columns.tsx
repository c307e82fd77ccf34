// The columns of the API keys: name, permissions, last use, expiry, and actions.

import { useMemo } from 'react'
import { Beneath } from '../../table/beneath.tsx'
import type { Column } from '../../table/column.ts'
import { Button } from '../../ui/button.tsx'
import { Moment } from '../../ui/moment.tsx'
import type { Open } from './key-dialogs.tsx'
import { type Key, standingOf } from './key-documents.ts'
import styles from './keys.module.css'

export function useColumns(
  own: string | null | undefined,
  mayNot: string | undefined,
  setOpen: (open: Open) => void,
): Column<Key>[] {
  return useMemo(
    () => [
      {
        id: 'name',
        header: 'Name',
        meta: { isSentence: true },
        cell: ({ row: { original } }) => (
          <>
            {original.name} {original.publicId === own && <span className="muted">– current session</span>}
            <Beneath of={[`mrl_${original.publicId}`, <Used key="used" of={original} />]} />
          </>
        ),
      },
      {
        id: 'publicId',
        header: 'Prefix',
        meta: { width: '156px', isExtra: true },
        cell: ({ row }) => <code>mrl_{row.original.publicId}</code>,
      },
      {
        id: 'scopes',
        header: 'Scopes',
        meta: { width: '24%', isExtra: true },
        cell: ({ row }) => <span title={row.original.scopes.join(', ')}>{row.original.scopes.join(', ')}</span>,
      },
      {
        id: 'used',
        header: 'Last used',
        meta: { width: '112px', isExtra: true },
        cell: ({ row: { original } }) =>
          original.lastUsedAt === null ? <span className="muted">never</span> : <Moment at={original.lastUsedAt} />,
      },
      {
        id: 'standing',
        header: 'Validity',
        meta: { width: 'clamp(76px, 12cqi, 130px)', isSentence: true },
        cell: ({ row }) => <Standing of={row.original} />,
      },
      {
        id: 'actions',
        header: () => <span className="heard">Actions</span>,
        meta: { width: '164px' },
        cell: ({ row: { original } }) => {
          const standing = standingOf(original)
          const reason = mayNot ?? (standing === 'valid' ? undefined : `Already ${standing}.`)
          return (
            <span className={styles.actions}>
              <Button
                size="small"
                aria-label={`Rotate ${original.name}`}
                onClick={() => setOpen({ what: 'rotate', key: original })}
                disabledReason={reason}
              >
                Rotate
              </Button>
              <Button
                size="small"
                tone="danger"
                aria-label={`Revoke ${original.name}`}
                onClick={() => setOpen({ what: 'revoke', key: original })}
                disabledReason={reason}
              >
                Revoke
              </Button>
            </span>
          )
        },
      },
    ],
    [own, mayNot, setOpen],
  )
}

const Used = ({ of: { lastUsedAt } }: { of: Key }) =>
  lastUsedAt === null ? (
    'never used'
  ) : (
    <>
      used <Moment at={lastUsedAt} />
    </>
  )

function Standing({ of: key }: { of: Key }) {
  if (key.revokedAt !== null) {
    return (
      <span className="muted">
        revoked <Moment at={key.revokedAt} />
      </span>
    )
  }
  if (key.expiresAt === null) return 'until revoked'
  return (
    <>
      {standingOf(key) === 'expired' ? 'expired' : 'expires'} <Moment at={key.expiresAt} />
    </>
  )
}
