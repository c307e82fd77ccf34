// A long list as a table, with its loading, failed and empty states.

import type { RowData } from '@tanstack/react-table'
import type { ComponentProps } from 'react'
import { Awaited, Failed } from '../ui/answered.tsx'
import { DataTable } from './data-table.tsx'
import styles from './list-table.module.css'
import type { List } from './use-list.ts'

type Props<Row extends RowData> = Omit<
  ComponentProps<typeof DataTable<Row>>,
  'rows' | 'total' | 'isStale' | 'hasMore' | 'more'
> & {
  list: List<Row>
  /** Whether the table shares its page with other content above it; otherwise it fills the page. */
  isPart?: boolean
}

export function ListTable<Row extends RowData>({ list, isPart = false, empty, ...rest }: Props<Row>) {
  return (
    <div className={isPart ? styles.part : styles.list}>
      {list.failure && (
        <div className={styles.message}>
          <Failed failure={list.failure} again={() => void list.again()} />
        </div>
      )}
      {list.isWaiting ? (
        <div className={styles.message}>
          <Awaited lines={12} />
        </div>
      ) : (
        <DataTable<Row>
          {...rest}
          rows={list.rows}
          total={list.total?.count ?? null}
          isStale={list.isStale}
          hasMore={list.hasMore}
          more={list.more}
          empty={list.failure ? null : empty}
        />
      )}
    </div>
  )
}
