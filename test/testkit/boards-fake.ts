// A stateful fake of Azure DevOps: projects, a board and work items, which people and tests can move.

import { type Card, type Cards, list, openCards, refused } from './boards-cards.ts'
import type { Answer, Seen } from './exchanges.ts'
import type { VendorContract } from './vendor-contract.ts'
import { type ClosedBy, json, serveVendor, type Trouble, withTrouble } from './vendor-fake.ts'

type Subscription = { id: string; eventType: string; consumerInputs: Record<string, string> }

export const BOARDS_ORIGIN = 'https://dev.azure.com'
export const PROJECT = { id: '11111111-1111-4111-8111-111111111111', name: 'Fabrikam' }
export const TEAM = { id: '22222222-2222-4222-8222-222222222222', name: 'Fabrikam Team' }
export const BOARD = { id: '33333333-3333-4333-8333-333333333333', name: 'Bugs' }
/** The project's work item types; the board shows all but the last. */
const TYPES = ['Bug', 'User Story', 'Epic']
export const STATES = ['New', 'Active', 'Resolved', 'Closed', 'Blocked']

export type BoardsFake = {
  cards: Map<number, Card>
  seen: Seen[]
  /** what the program created or moved, in order */
  writes: string[]
  trouble: Trouble | null
  /** A person moves a card, deletes it, or carries it to another project. */
  move(id: number, state: string): void
  remove(id: number): void
  carry(id: number, project: string): void
  /** Renames the project, and with it the project name on its cards. */
  rename(name: string): void
  /** the webhooks to call when an item changes */
  subscriptions: Subscription[]
  /** notified of each change of an item, whoever makes it, with the item as it is then */
  onChange: ((kind: 'updated' | 'deleted', card: Card) => void) | null
  /** Simulates a lagging index: hides the latest change from lists of changes, and returns the rest in another order. */
  lag: boolean
  end(): Promise<void>
}

/** What the places are called, beside what is always the same. */
type Named = { project: { id: string; name: string }; team: string; board: string; states: readonly string[] }

/** The projects, teams and boards; null for another address. */
function answerPlaces(parts: readonly string[], path: string, { project, team, board, states }: Named): Answer | null {
  const whole = parts.join('/')
  if (whole === `_apis/projects/${PROJECT.id}`) return json({ ...project, state: 'wellFormed' })
  if (whole === `_apis/projects/${PROJECT.id}/teams/${TEAM.id}`) return json({ ...TEAM, name: team })
  if (/^_apis\/projects\/[^/]+(\/teams\/[^/]+)?$/.test(whole)) return refused(404, 'TF200016: It does not exist')
  if (path === '_apis/projects') return list([{ ...project, state: 'wellFormed' }])
  if (path === '_apis/projects/teams') return list([{ ...TEAM, name: team }])
  if (path === '_apis/work/boards') return list([{ ...BOARD, name: board }])
  if (path === `_apis/work/boards/${BOARD.id}`) {
    const stateMappings = { Bug: 'New', 'User Story': 'New' }
    return json({
      ...BOARD,
      name: board,
      columns: [{ name: 'New', columnType: 'incoming', stateMappings }],
      rows: [{ name: 'Fast' }],
    })
  }
  if (path.startsWith('_apis/work/boards/')) return refused(404, 'TF400499: The board does not exist')
  if (path === '_apis/work/teamsettings/teamfieldvalues')
    return json({ defaultValue: `${project.name}\\Web`, values: [] })
  if (path === '_apis/wit/workitemtypes') return list(TYPES.map((name) => ({ name })))
  if (/^_apis\/wit\/workitemtypes\/[^/]+\/states$/.test(path)) {
    return list(states.map((name) => ({ name, color: 'b2b2b2', category: 'Proposed' })))
  }
  return null
}

/** The work items; null for another address. */
function answerCards(asked: Seen, path: string, cards: Cards, lag: boolean): Answer | null {
  if (path === '_apis/wit/wiql') return cards.query(asked, lag)
  if (path === '_apis/wit/workitemsbatch') return cards.batch(asked)
  if (path.startsWith('_apis/wit/workitems/$')) return cards.create(asked)
  if (!path.startsWith('_apis/wit/workitems/')) return null
  const id = Number(path.split('/').at(-1))
  return asked.method === 'PATCH' ? cards.patch(id, asked) : cards.read(id)
}

/** The subscriptions of `fake`; null for another address. */
function answerHooks(asked: Seen, path: string, fake: Pick<BoardsFake, 'subscriptions'>): Answer | null {
  if (path === '_apis/hooks/subscriptions') {
    if (asked.method !== 'POST') return list(fake.subscriptions)
    const number = String(fake.subscriptions.length + 1).padStart(12, '0')
    const made = { ...(asked.body as Subscription), id: `55555555-5555-4555-8555-${number}` }
    fake.subscriptions.push(made)
    return json(made)
  }
  if (!path.startsWith('_apis/hooks/subscriptions/') || asked.method !== 'DELETE') return null
  fake.subscriptions = fake.subscriptions.filter(({ id }) => id !== path.split('/').at(-1))
  return { status: 204 }
}

/**
 * Serves until it is closed. States in `closedTo` accept no cards, as the rules of a process may demand; `team`,
 * `board` and `states` set their names.
 */
export async function serveBoards(
  contract: VendorContract | null = null,
  {
    closedTo = [] as readonly string[],
    now = Date.now,
    team = TEAM.name,
    board = BOARD.name,
    states = STATES as readonly string[],
    closedBy = 'TEST' as ClosedBy,
  } = {},
): Promise<BoardsFake> {
  const project = { ...PROJECT }
  const cards = openCards({ project, states, closedTo, now, hear: (kind, card) => fake.onChange?.(kind, card) })

  const answer = (asked: Seen): Answer | null => {
    const parts = decodeURIComponent(asked.path).split('/').slice(2)
    const path = parts.filter((part) => part !== PROJECT.id && part !== TEAM.id).join('/')
    return (
      answerPlaces(parts, path, { project, team, board, states }) ??
      answerHooks(asked, path, fake) ??
      answerCards(asked, path, cards, fake.lag)
    )
  }

  const fake: BoardsFake = {
    cards: cards.all,
    seen: [],
    writes: cards.writes,
    trouble: null,
    move: (id, state) => cards.change(id, { state }),
    remove: cards.remove,
    carry: (id, to) => cards.change(id, { project: to }),
    rename: (name) => {
      for (const card of cards.all.values()) if (card.project === project.name) card.project = name
      project.name = name
    },
    subscriptions: [],
    onChange: null,
    lag: false,
    end: async () => {},
  }
  const served = await serveVendor(
    BOARDS_ORIGIN,
    withTrouble((asked) => fake.trouble?.(asked) ?? null, answer),
    contract,
    closedBy,
  )
  fake.seen = served.seen
  fake.end = served.end
  return fake
}
