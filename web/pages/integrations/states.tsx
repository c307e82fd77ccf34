// Loads the states of a board or list from its tracker, to be mapped to statuses.

import { useState } from 'react'
import { useAsk } from '../../api/ask.ts'
import { Answered } from '../../ui/answered.tsx'
import { ListStatuses, TrackerStates } from './documents.ts'
import { type StatusMap, StatusMapping } from './status-map.tsx'

/** The mapping entered so far. It belongs to one board or list, and starts empty for another. */
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
