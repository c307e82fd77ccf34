// Mapped boards and mapped lists in one shape, for display and editing.

import type { MappedBoard, MappedList } from './documents.ts'

export type Mapped = {
  id: string
  integrationId: string
  /** null means every asset without a mapping of its own */
  asset: { id: string; name: string } | null
  /** the name of the board or list */
  where: string
  statusMappings: MappedList['statusMappings']
} & ({ board: { project: string; team: string; board: string }; listId: null } | { board: null; listId: string })

export const ofBoards = (boards: readonly MappedBoard[]): Mapped[] =>
  boards.flatMap(({ id, asset, integration, boardsTrackerDetail }) => {
    if (boardsTrackerDetail === null) return []
    const { project, team, board, statusMappings } = boardsTrackerDetail
    return {
      id,
      integrationId: integration.id,
      asset,
      where: `${project.name} / ${board.name}`,
      statusMappings,
      board: { project: project.id, team: team.id, board: board.id },
      listId: null,
    }
  })

export const ofLists = (lists: readonly MappedList[]): Mapped[] =>
  lists.map(({ id, asset, integration, list, statusMappings }) => ({
    id,
    integrationId: integration.id,
    asset,
    where: list.name,
    statusMappings,
    board: null,
    listId: list.id,
  }))
