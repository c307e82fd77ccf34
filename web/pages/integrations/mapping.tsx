// Where findings of an asset become cards, and which status of theirs is which of a board's; then what the first sync would do.

import { useState } from 'react'
import { useAsk, useChange } from '../../api/ask.ts'
import { SelectField, TextField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { useCompanyId } from '../../frame/company.ts'
import { say } from '../../frame/toasts.tsx'
import { useAssets } from '../../table/asset-facet.tsx'
import { Answered } from '../../ui/answered.tsx'
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
  TrackerTeams,
} from './documents.ts'
import styles from './integrations.module.css'
import type { Kind } from './kinds.ts'

type Props = { kind: Kind; integration: Integration; onClose: () => void; onDone: () => void }

/** The statuses that a card may stand for, in the order of the work. */
const mapped = [
  'IDENTIFIED',
  'IN_PROGRESS',
  'AWAITING_VALIDATION',
  'FIX_ACCEPTED',
  'RISK_ACCEPTED',
  'FALSE_POSITIVE',
] as const

const mappingsOf = (filled: Filled) =>
  mapped.flatMap((internalIssueStatus) => {
    const [externalIssueStatus, ...alsoExternalIssueStatuses] = filled
      .text(internalIssueStatus)
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '')
    return externalIssueStatus === undefined
      ? []
      : [{ internalIssueStatus, externalIssueStatus, alsoExternalIssueStatuses }]
  })

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

function Board({ integration, onClose, onMapped }: Props & { onMapped: (id: string) => void }) {
  const companyId = useCompanyId()
  const change = useChange()
  const [project, setProject] = useState('')
  const [team, setTeam] = useState('')
  const projects = useAsk(TrackerProjects, { companyId })
  const teams = useAsk(TrackerTeams, { companyId, project }, { pause: project === '' })
  const boards = useAsk(TrackerBoards, { companyId, project, team }, { pause: team === '' })
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
        board: named(boards.data?.boardsTrackerBoards, filled.text('board')),
        statusMappings: mappingsOf(filled),
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
        <Form action={save} submit="Check and map" onCancel={onClose}>
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
            }}
          />
          <SelectField
            name="team"
            label="Team"
            none="Choose one"
            required
            options={options(teams.data?.boardsTrackerTeams)}
            value={team}
            onChange={(event) => setTeam(event.target.value)}
          />
          <SelectField name="board" label="Board" required options={options(boards.data?.boardsTrackerBoards)} />
          <Shared />
        </Form>
      )}
    </Answered>
  )
}

function List({ integration, onClose, onDone }: Props) {
  const companyId = useCompanyId()
  const change = useChange()
  const [listId, setListId] = useState('')
  const statuses = useAsk(ListStatuses, { companyId, listId }, { pause: !/^\d{3,}$/.test(listId) })
  const save = async (filled: Filled) => {
    await change(MapList, {
      input: {
        integrationId: integration.id,
        assetId: filled.optional('assetId'),
        list: { id: listId, name: filled.text('name') },
        statusMappings: mappingsOf(filled),
        createFrom: createFromOf(filled),
      },
    })
    say('The list is mapped.')
    onDone()
  }
  return (
    <Form action={save} submit="Check and map" onCancel={onClose}>
      <TextField
        name="list"
        label="List"
        required
        hint="The number at the end of the list’s address."
        value={listId}
        onChange={(event) => setListId(event.target.value.trim())}
      />
      <TextField name="name" label="What it is called" required />
      {statuses.failure && <p role="alert">{statuses.failure.message}</p>}
      <Shared known={statuses.data?.taskTrackerStatuses?.map(({ status }) => status)} />
    </Form>
  )
}

function Shared({ known = [] }: { known?: readonly string[] | undefined }) {
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
      <fieldset className={styles.mapping}>
        <legend>Which status is which</legend>
        <p className="muted">
          The first name is written to the card; further ones, after commas, are understood.
          {known.length > 0 ? ` The list has ${known.join(', ')}.` : ''}
        </p>
        {mapped.map((status) => (
          <TextField
            key={status}
            name={status}
            label={wordsOf(status)}
            required={status === 'IDENTIFIED'}
            list={known.length > 0 ? 'tracker-states' : undefined}
          />
        ))}
        <datalist id="tracker-states">
          {known.map((status) => (
            <option key={status} value={status} />
          ))}
        </datalist>
      </fieldset>
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
