// A stateful fake of Azure DevOps: projects, a board and work items, which people and tests can move.

import type { VendorContract } from './vendor-contract.ts'
import { type Answer, type ClosedBy, json, type Seen, serveVendor, type Trouble, withTrouble } from './vendor-fake.ts'

export type Card = {
  id: number
  rev: number
  state: string
  project: string
  tags: string
  changedBy: string
  changedAt: number
  fields: Record<string, unknown>
}

export type Subscription = { id: string; eventType: string; consumerInputs: Record<string, string> }

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

const list = (value: unknown[]) => json({ count: value.length, value })
/** Written by hand, because the vendor's description only covers refusals for credentials, permissions and missing records. */
const refused = (status: number, message: string): Answer => ({
  write: (response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ message, typeKey: 'Refused' }))
  },
})

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
  const cards = new Map<number, Card>()
  const writes: string[] = []
  const project = { ...PROJECT }
  let nextId = 1
  let last = 0
  const tick = () => {
    last = Math.max(last + 1, now())
    return last
  }
  const shown = ({ id, rev, state, project, tags, changedBy, changedAt, fields }: Card) => ({
    id,
    rev,
    fields: {
      'System.State': state,
      'System.TeamProject': project,
      'System.Tags': tags,
      'System.ChangedBy': { displayName: changedBy, uniqueName: `${changedBy}@example.test` },
      'System.ChangedDate': new Date(changedAt).toISOString(),
      'System.Title': fields['System.Title'],
    },
  })
  const changed = (card: Card, change: Partial<Card>, changedBy: string) => {
    Object.assign(card, change, { rev: card.rev + 1, changedBy, changedAt: tick() })
    fake.onChange?.('updated', card)
  }
  const person = (id: number, change: Partial<Card>) => {
    const card = cards.get(id)
    if (card) changed(card, change, 'Ada')
  }

  const operationsOf = (asked: Seen) => asked.body as { op: string; path: string; value: unknown }[]
  const create = (asked: Seen): Answer => {
    const fields = Object.fromEntries(
      operationsOf(asked).map(({ path, value }) => [path.replace('/fields/', ''), value]),
    )
    const id = nextId
    nextId += 1
    const card: Card = {
      id,
      rev: 1,
      state: 'New',
      project: project.name,
      tags: String(fields['System.Tags']),
      changedBy: 'Merlon',
      changedAt: tick(),
      fields,
    }
    cards.set(id, card)
    writes.push(`create ${id}`)
    return json(shown(card))
  }
  const patch = (id: number, asked: Seen): Answer => {
    const card = cards.get(id)
    if (!card) return refused(404, `TF401232: Work item ${id} does not exist`)
    const test = operationsOf(asked).find(({ op }) => op === 'test')
    if (test && test.value !== card.rev) return refused(412, 'VS403351: Test Operation for path /rev failed')
    const state = operationsOf(asked).find(({ path }) => path === '/fields/System.State')?.value
    if (typeof state === 'string') {
      if (!states.includes(state) || closedTo.includes(state)) {
        return refused(
          400,
          `The field 'State' contains the value '${state}' that is not in the list of supported values`,
        )
      }
      changed(card, { state }, 'Merlon')
      writes.push(`move ${id} ${state}`)
    }
    return json(shown(card))
  }
  const query = (asked: Seen): Answer => {
    const { query: text } = asked.body as { query: string }
    const tag = /CONTAINS '([^']+)'/.exec(text)?.[1]
    const since = /ChangedDate\] >= '([^']+)'/.exec(text)?.[1]
    const found = [...cards.values()].filter(({ tags, changedAt, project: at }) => {
      if (text.includes('@project') && at !== project.name) return false
      return tag === undefined ? changedAt >= Date.parse(since ?? '') : tags.split('; ').includes(tag)
    })
    found.sort((one, other) => one.changedAt - other.changedAt)
    if (fake.lag && tag === undefined) found.reverse().shift()
    return json({ queryType: 'flat', workItems: found.map(({ id }) => ({ id, url: '' })) })
  }
  const batch = (asked: Seen): Answer => {
    const { ids } = asked.body as { ids: number[] }
    return list(ids.flatMap((id) => cards.get(id) ?? []).map(shown))
  }

  const subscribe = (asked: Seen): Answer => {
    const number = String(fake.subscriptions.length + 1).padStart(12, '0')
    const made = { ...(asked.body as Subscription), id: `55555555-5555-4555-8555-${number}` }
    fake.subscriptions.push(made)
    return json(made)
  }

  const answer = (asked: Seen): Answer | null => {
    const parts = decodeURIComponent(asked.path).split('/').slice(2)
    const path = parts.filter((part) => part !== PROJECT.id && part !== TEAM.id).join('/')
    const id = Number(parts.at(-1))
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
    if (path === '_apis/hooks/subscriptions')
      return asked.method === 'POST' ? subscribe(asked) : list(fake.subscriptions)
    if (path.startsWith('_apis/hooks/subscriptions/') && asked.method === 'DELETE') {
      fake.subscriptions = fake.subscriptions.filter((one) => one.id !== parts.at(-1))
      return { status: 204 }
    }
    if (path === '_apis/wit/wiql') return query(asked)
    if (path === '_apis/wit/workitemsbatch') return batch(asked)
    if (path.startsWith('_apis/wit/workitems/$')) return create(asked)
    if (!path.startsWith('_apis/wit/workitems/')) return null
    if (asked.method === 'PATCH') return patch(id, asked)
    const card = cards.get(id)
    return card ? json(shown(card)) : refused(404, `TF401232: Work item ${id} does not exist`)
  }

  const fake: BoardsFake = {
    cards,
    seen: [],
    writes,
    trouble: null,
    move: (id, state) => person(id, { state }),
    remove: (id) => {
      const card = cards.get(id)
      if (card && cards.delete(id)) fake.onChange?.('deleted', card)
    },
    carry: (id, to) => person(id, { project: to }),
    rename: (name) => {
      for (const card of cards.values()) if (card.project === project.name) card.project = name
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
