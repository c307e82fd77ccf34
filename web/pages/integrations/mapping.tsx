// Where findings of an asset become cards, and which status of theirs is which of a board's; then what the first sync would do.

import { useState } from 'react'
import { useAsk, useChange } from '../../api/ask.ts'
import { SelectField, TextField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { useCompanyId } from '../../frame/company.ts'
import { say } from '../../frame/toasts.tsx'
import { useAssets } from '../../table/asset-facet.tsx'
import { Answered, Failed } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { severities } from '../../ui/severity.tsx'
import { wordsOf } from '../../util/words.ts'
import {
  type Integration,
  ListStatuses,
  MapBoard,
  MapList,
  Preview,
  TrackerBoards,
  TrackerProjects,
  TrackerStates,
  TrackerTeams,
} from './documents.ts'
import styles from './integrations.module.css'
import type { Kind } from './kinds.ts'
import { mappingsOf, type StatusMap, StatusMapping, whyIncomplete } from './status-map.tsx'

type Props = { kind: Kind; integration: Integration; onClose: () => void; onDone: () => void }

const createFromOf = (filled: Filled) => filled.oneOf('createFrom', severities) ?? null

export default function Mapping(props: Props) {
  const [configurationId, setConfigurationId] = useState<string>()
  const { onClose, onDone } = props
  return (
    <Dialog title={configurationId ? 'What the first sync would do' : 'Map a board'} isOpen onClose={onClose}>
      {configurationId ? (
        <div className="stack">
          <WouldDo configurationId={configurationId} />
          <Button tone="main" onClick={onDone}>
            Good
          </Button>
        </div>
      ) : props.kind === 'BOARDS_TRACKER' ? (
        <Board {...props} onMapped={setConfigurationId} />
      ) : (
        <List {...props} />
      )}
    </Dialog>
  )
}

/** What somebody has said of which state is which status; of another board or list nothing is said yet. */
function useMap(place: string) {
  const [said, setSaid] = useState<{ place: string; map: StatusMap }>({ place, map: {} })
  return [said.place === place ? said.map : {}, (map: StatusMap) => setSaid({ place, map })] as const
}

function Board({ integration, onClose, onMapped }: Props & { onMapped: (id: string) => void }) {
  const companyId = useCompanyId()
  const whose = { companyId, integrationId: integration.id }
  const change = useChange()
  const [project, setProject] = useState('')
  const [team, setTeam] = useState('')
  const [board, setBoard] = useState('')
  const [map, setMap] = useMap(`${project} ${team} ${board}`)
  const projects = useAsk(TrackerProjects, whose)
  const teams = useAsk(TrackerTeams, { ...whose, project }, { pause: project === '' })
  const boards = useAsk(TrackerBoards, { ...whose, project, team }, { pause: team === '' })
  const save = async (filled: Filled) => {
    const named = (list: readonly { id: string; name: string }[] | undefined, id: string) => ({
      id,
      name: list?.find((one) => one.id === id)?.name ?? id,
    })
    const { createBoardsTrackerConfiguration } = await change(MapBoard, {
      input: {
        scopeIntegrationId: integration.id,
        assetId: filled.optional('assetId'),
        project: named(projects.data?.boardsTrackerProjects, project),
        team: named(teams.data?.boardsTrackerTeams, team),
        board: named(boards.data?.boardsTrackerBoards, board),
        statusMappings: mappingsOf(map),
        createFrom: createFromOf(filled),
      },
    })
    const id = createBoardsTrackerConfiguration?.defectTrackerConfiguration.id
    if (id !== undefined) onMapped(id)
  }
  const options = (list: readonly { id: string; name: string }[] | undefined) =>
    (list ?? []).map(({ id, name }) => ({ value: id, label: name }))
  return (
    <Answered of={projects} lines={5}>
      {({ boardsTrackerProjects }) => (
        <Form action={save} submit="Check and map" onCancel={onClose} disabledReason={whyNotYet(board, map)}>
          <SelectField
            name="project"
            label="Project"
            none="Choose one"
            required
            options={options(boardsTrackerProjects)}
            value={project}
            onChange={(event) => {
              setProject(event.target.value)
              setTeam('')
              setBoard('')
            }}
          />
          {teams.failure && <Failed failure={teams.failure} again={teams.again} />}
          <SelectField
            name="team"
            label="Team"
            none="Choose one"
            required
            options={options(teams.data?.boardsTrackerTeams)}
            value={team}
            onChange={(event) => {
              setTeam(event.target.value)
              setBoard('')
            }}
          />
          {boards.failure && <Failed failure={boards.failure} again={boards.again} />}
          <SelectField
            name="board"
            label="Board"
            none="Choose one"
            required
            options={options(boards.data?.boardsTrackerBoards)}
            value={board}
            onChange={(event) => setBoard(event.target.value)}
          />
          {board !== '' && <BoardMap place={{ ...whose, project, team, board }} map={map} onChange={setMap} />}
          <Shared />
        </Form>
      )}
    </Answered>
  )
}

type BoardMapProps = {
  place: { companyId: string; integrationId: string; project: string; team: string; board: string }
  map: StatusMap
  onChange: (map: StatusMap) => void
}

function BoardMap({ place, map, onChange }: BoardMapProps) {
  const answer = useAsk(TrackerStates, place)
  return (
    <Answered of={answer} lines={4}>
      {({ boardsTrackerStates }) => (
        <StatusMapping states={boardsTrackerStates.map(({ name }) => name)} map={map} onChange={onChange} />
      )}
    </Answered>
  )
}

const whyNotYet = (place: string, map: StatusMap): string | undefined =>
  place === '' ? 'Its states are not known yet.' : whyIncomplete(map)

function List({ integration, onClose, onDone }: Props) {
  const whose = { companyId: useCompanyId(), integrationId: integration.id }
  const change = useChange()
  const [typed, setTyped] = useState('')
  // asked for once it is whole, not at each digit
  const [listId, setListId] = useState('')
  const [map, setMap] = useMap(listId)
  const save = async (filled: Filled) => {
    await change(MapList, {
      input: {
        integrationId: integration.id,
        assetId: filled.optional('assetId'),
        list: { id: listId, name: filled.text('name') },
        statusMappings: mappingsOf(map),
        createFrom: createFromOf(filled),
      },
    })
    say('The list is mapped.')
    onDone()
  }
  return (
    <Form action={save} submit="Check and map" onCancel={onClose} disabledReason={whyNotYet(listId, map)}>
      <TextField
        name="list"
        label="List"
        required
        hint="The number at the end of the list’s address."
        value={typed}
        pattern="\d{3,}"
        onChange={(event) => setTyped(event.target.value.trim())}
        onBlur={() => setListId(/^\d{3,}$/.test(typed) ? typed : '')}
      />
      <TextField name="name" label="What it is called" required />
      {listId !== '' && <ListMap place={{ ...whose, listId }} map={map} onChange={setMap} />}
      <Shared />
    </Form>
  )
}

type ListMapProps = {
  place: { companyId: string; integrationId: string; listId: string }
  map: StatusMap
  onChange: (map: StatusMap) => void
}

function ListMap({ place, map, onChange }: ListMapProps) {
  const answer = useAsk(ListStatuses, place)
  return (
    <Answered of={answer} lines={4}>
      {({ taskTrackerStatuses }) => (
        <StatusMapping states={(taskTrackerStatuses ?? []).map(({ status }) => status)} map={map} onChange={onChange} />
      )}
    </Answered>
  )
}

function Shared() {
  const companyId = useCompanyId()
  const assets = useAssets(companyId)
  return (
    <>
      <SelectField
        name="assetId"
        label="For the findings of"
        none="Every asset without a board of its own"
        options={assets.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <SelectField
        name="createFrom"
        label="Cards are made"
        none="by hand alone"
        options={severities.map((severity) => ({
          value: severity,
          label: `for new findings, ${wordsOf(severity).toLowerCase()} and worse`,
        }))}
      />
    </>
  )
}

function WouldDo({ configurationId }: { configurationId: string }) {
  const answer = useAsk(Preview, { id: configurationId })
  return (
    <Answered of={answer} lines={4}>
      {({ previewSync }) =>
        previewSync.steps.length === 0 ? (
          <p>Nothing yet: no finding has a card here.</p>
        ) : (
          <ul className={styles.steps}>
            {previewSync.steps.map((step, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: steps have no other name
              <li key={index}>
                <strong>{wordsOf(step.action)}</strong> {step.issue?.title}{' '}
                <span className="muted">
                  {step.from ?? ''} {step.to ? `→ ${step.to}` : ''} {step.reason}
                </span>
              </li>
            ))}
            {previewSync.isCut && <li className="muted">and more</li>}
          </ul>
        )
      }
    </Answered>
  )
}
