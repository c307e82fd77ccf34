// Loads the mapped boards and lists of all of a company's trackers, page by page.

import { useEffect, useMemo } from 'react'
import { useList } from '../../table/use-list.ts'
import { MappedBoards, MappedLists } from './documents.ts'
import { ofBoards, ofLists } from './mapped.ts'

export type AllMapped = ReturnType<typeof useMapped>

/** With `isWhole`, all pages are loaded without waiting to be asked for. */
export function useMapped(companyId: string, { isWhole = false } = {}) {
  const asked = { companyId }
  const boards = useList(MappedBoards, asked, ({ defectTrackerConfigurations }) => defectTrackerConfigurations)
  const lists = useList(MappedLists, asked, ({ taskTrackerConfigurations }) => taskTrackerConfigurations)
  useEffect(() => {
    if (isWhole && boards.hasMore) boards.more()
    if (isWhole && lists.hasMore) lists.more()
  }, [isWhole, boards, lists])
  const all = useMemo(() => [...ofBoards(boards.rows), ...ofLists(lists.rows)], [boards.rows, lists.rows])
  return { boards, lists, all, again: async () => void (await Promise.all([boards.again(), lists.again()])) }
}
