// The states of a board or a list, asked of its tracker, to be given to statuses.

import { useState } from 'react'
import { useAsk } from '../../api/ask.ts'
import { Answered } from '../../ui/answered.tsx'
import { ListStatuses, TrackerStates } from './documents.ts'
import { type StatusMap, StatusMapping } from './status-map.tsx'

/** What somebody has said of which state is which status; of another board or list nothing is said yet. */
export function useMap(place: string) {
  const [said, setSaid] = useState<{ place: string; map: StatusMap }>({ place, map: {} })
  return [said.place === place ? said.map : {}, (map: StatusMap) => setSaid({ place, map })] as const
}

type Mapped = { map: StatusMap; onChange: (map: StatusMap) => void }

type BoardPlace = { companyId: string; integrationId: string; project: string; team: string; board: string }

export function BoardMap({ place, ...mapped }: Mapped & { place: BoardPlace }) {
  const answer = useAsk(TrackerStates, place)
  return (
    <Answered of={answer} lines={4}>
      {({ boardsTrackerStates }) => <StatusMapping states={boardsTrackerStates.map(({ name }) => name)} {...mapped} />}
    </Answered>
  )
}

type ListPlace = { companyId: string; integrationId: string; listId: string }

export function ListMap({ place, ...mapped }: Mapped & { place: ListPlace }) {
  const answer = useAsk(ListStatuses, place)
  return (
    <Answered of={answer} lines={4}>
      {({ taskTrackerStatuses }) => (
        <StatusMapping states={(taskTrackerStatuses ?? []).map(({ status }) => status)} {...mapped} />
      )}
    </Answered>
  )
}
