// Boards and lists that are mapped, as one thing to show and to change.

import type { IntegrationsAnswer } from './documents.ts'

type StatusMappings = IntegrationsAnswer['taskTrackerConfigurations']['collection'][number]['statusMappings']

export type Mapped = {
  id: string
  integrationId: string
  /** null: every asset without one of its own */
  asset: { id: string; name: string } | null
  /** what it is called */
  where: string
  statusMappings: StatusMappings
} & ({ board: { project: string; team: string; board: string }; listId: null } | { board: null; listId: string })

export function mappedOf(found: IntegrationsAnswer, integrationId: string): Mapped[] {
  const boards = found.defectTrackerConfigurations.collection.flatMap(
    ({ id, asset, integration, boardsTrackerDetail }) => {
      if (boardsTrackerDetail === null || integration.id !== integrationId) return []
      const { project, team, board, statusMappings } = boardsTrackerDetail
      return {
        id,
        integrationId,
        asset,
        where: `${project.name} / ${board.name}`,
        statusMappings,
        board: { project: project.id, team: team.id, board: board.id },
        listId: null,
      }
    },
  )
  const lists = found.taskTrackerConfigurations.collection
    .filter(({ integration }) => integration.id === integrationId)
    .map(({ id, asset, list, statusMappings }) => ({
      id,
      integrationId,
      asset,
      where: list.name,
      statusMappings,
      board: null,
      listId: list.id,
    }))
  return [...boards, ...lists]
}
