// Maps findings to a board: choose its project and team, then the board and its states.

import { useState } from 'react'
import { useAsk, useChange } from '../../api/ask.ts'
import { SelectField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { useCompanyId } from '../../frame/company.ts'
import { Answered, Failed } from '../../ui/answered.tsx'
import { MapBoard, TrackerBoards, TrackerProjects, TrackerTeams } from './documents.ts'
import { BoardMap, useMap } from './states.tsx'
import { mappingsOf, whyNotYet } from './status-map.tsx'
import { createFromOf, WhichFindings } from './which-findings.tsx'

type Props = { integrationId: string; onClose?: () => void; onMapped: (configurationId: string) => void }

export function Board({ integrationId, onClose, onMapped }: Props) {
  const companyId = useCompanyId()
  const whose = { companyId, integrationId }
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
        scopeIntegrationId: integrationId,
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
            none="Select…"
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
            none="Select…"
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
            none="Select…"
            required
            options={options(boards.data?.boardsTrackerBoards)}
            value={board}
            onChange={(event) => setBoard(event.target.value)}
          />
          {board !== '' && <BoardMap place={{ ...whose, project, team, board }} map={map} onChange={setMap} />}
          <WhichFindings integrationId={integrationId} map={board === '' ? null : map} />
        </Form>
      )}
    </Answered>
  )
}
