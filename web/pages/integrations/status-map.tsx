// Maps a tracker's states to statuses, by drag and drop or by menus with the same effect.

import { X } from 'lucide-react'
import { type DragEvent, useState } from 'react'
import type { EnumOf } from '../../api/graphql.ts'
import { IconButton } from '../../ui/button.tsx'
import { wordsOf } from '../../util/words.ts'
import styles from './status-map.module.css'

/** The statuses that a state can be mapped to, in the order of the work. */
const mappedStatuses = [
  'IDENTIFIED',
  'IN_PROGRESS',
  'AWAITING_VALIDATION',
  'FIX_ACCEPTED',
  'RISK_ACCEPTED',
  'FALSE_POSITIVE',
] as const satisfies readonly EnumOf<'IssueStatusLabel'>[]

type Status = EnumOf<'IssueStatusLabel'>

/** The states of each status: the first is written to cards, the others are only understood when read. */
export type StatusMap = Partial<Record<Status, readonly string[]>>

export const whyIncomplete = (map: StatusMap): string | undefined =>
  (map.IDENTIFIED ?? []).length > 0 ? undefined : 'Map a state to Identified.'

/** Why a place cannot be mapped yet; an empty `place` means that none is chosen. */
export const whyNotYet = (place: string, map: StatusMap): string | undefined =>
  place === '' ? 'Choose a board or list first.' : whyIncomplete(map)

type Mapping = { internalIssueStatus: Status; externalIssueStatus: string; alsoExternalIssueStatuses: string[] }

export const mapOf = (mappings: readonly Mapping[]): StatusMap =>
  Object.fromEntries(
    mappings.map(({ internalIssueStatus, externalIssueStatus, alsoExternalIssueStatuses }) => [
      internalIssueStatus,
      [externalIssueStatus, ...alsoExternalIssueStatuses],
    ]),
  )

/** Includes statuses of `map` that are not offered otherwise, so that they are not lost. */
const statusesOf = (map: StatusMap): readonly Status[] => [
  ...new Set<Status>([...mappedStatuses, ...(Object.keys(map) as Status[])]),
]

export const mappingsOf = (map: StatusMap): Mapping[] =>
  statusesOf(map).flatMap((internalIssueStatus) => {
    const [externalIssueStatus, ...alsoExternalIssueStatuses] = map[internalIssueStatus] ?? []
    return externalIssueStatus === undefined
      ? []
      : [{ internalIssueStatus, externalIssueStatus, alsoExternalIssueStatuses }]
  })

type Props = { states: readonly string[]; map: StatusMap; onChange: (map: StatusMap) => void }

/** The dragged state and the status that it comes from; null means from the board's own states. */
type Dragged = { state: string; from: Status | null }

export function StatusMapping({ states, map, onChange }: Props) {
  const [dragged, setDragged] = useState<Dragged | null>(null)
  const [told, setTold] = useState('')
  const statesOf = (status: Status) => map[status] ?? []
  const without = (status: Status, state: string) => statesOf(status).filter((one) => one !== state)
  const give = (status: Status, state: string, from: Status | null = null) => {
    if (!states.includes(state) || statesOf(status).includes(state)) return
    const left = from === null ? {} : { [from]: without(from, state) }
    onChange({ ...map, ...left, [status]: [...statesOf(status), state] })
    setTold(`${state} mapped to ${wordsOf(status)}.`)
  }
  const take = (status: Status, state: string) => {
    onChange({ ...map, [status]: without(status, state) })
    setTold(`${state} removed from ${wordsOf(status)}.`)
  }
  const drag = (state: string, from: Status | null) => ({
    draggable: true,
    onDragStart: (event: DragEvent) => {
      event.dataTransfer.setData('text/plain', state)
      event.dataTransfer.effectAllowed = from === null ? 'copy' : 'move'
      setDragged({ state, from })
    },
    onDragEnd: () => setDragged(null),
  })
  return (
    <fieldset className={styles.map}>
      <legend>Status mapping</legend>
      <p className="muted">
        Drag a state to a status, or select it there. The first state of a status is written to cards; the others are
        only read.
      </p>
      <ul className={styles.states} aria-label="States of the board">
        {states.map((state) => (
          <li key={state} className={styles.state} {...drag(state, null)}>
            {state}
          </li>
        ))}
      </ul>
      {statusesOf(map).map((status) => (
        <Target
          key={status}
          status={status}
          chosen={statesOf(status)}
          offered={states.filter((state) => !statesOf(status).includes(state))}
          dragged={dragged}
          onGive={(state, from) => give(status, state, from)}
          onTake={(state) => take(status, state)}
          drag={drag}
        />
      ))}
      <p role="status" className="heard">
        {told}
      </p>
    </fieldset>
  )
}

type TargetProps = {
  status: Status
  chosen: readonly string[]
  offered: readonly string[]
  dragged: Dragged | null
  onGive: (state: string, from: Status | null) => void
  onTake: (state: string) => void
  drag: (state: string, from: Status) => object
}

function Target({ status, chosen, offered, dragged, onGive, onTake, drag }: TargetProps) {
  const [isOver, setOver] = useState(false)
  const isWanted = dragged !== null && offered.includes(dragged.state)
  const name = wordsOf(status)
  return (
    <section
      className={styles.target}
      aria-label={name}
      data-wanted={isWanted || undefined}
      data-over={(isWanted && isOver) || undefined}
      onDragOver={(event) => {
        if (!isWanted) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        if (dragged) onGive(dragged.state, dragged.from)
      }}
    >
      <span className={styles.name}>
        {name}
        {status === 'IDENTIFIED' && <span className="muted"> required</span>}
      </span>
      <ul className={styles.states}>
        {chosen.map((state, index) => (
          <li key={state} className={styles.state} {...drag(state, status)}>
            {state}
            {index === 0 && chosen.length > 1 && <span className="muted">written</span>}
            <IconButton name={`Remove ${state} from ${name}`} size="small" onClick={() => onTake(state)}>
              <X size={12} aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      <select
        aria-label={`Add a state to ${name}`}
        className={styles.give}
        value=""
        onChange={(event) => onGive(event.target.value, null)}
      >
        <option value="">{offered.length === 0 ? 'All states added' : 'Add a state…'}</option>
        {offered.map((state) => (
          <option key={state} value={state}>
            {state}
          </option>
        ))}
      </select>
    </section>
  )
}
