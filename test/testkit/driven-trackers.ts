// Drives both trackers through one model: people move and remove cards, and each change is reported in its vendor's format.

import { hmac } from '../../src/core/crypto.ts'
import type { Mapping } from '../../src/modules/sync/reconcile.ts'
import { type BoardsFake, STATES, serveBoards } from './boards-fake.ts'
import type { Seen } from './exchanges.ts'
import { serveTasks, type TasksFake } from './tasks-fake.ts'
import { LIST_ID, STATUSES } from './tasks-list.ts'
import { boardMapping, listMapping, newBoardsWorld, newTasksWorld, type Tracked } from './trackers.ts'
import type { Trouble } from './vendor-fake.ts'

/** A webhook call of the tracker that is under way, signed as its vendor does; `path` is that of our endpoint. */
export type Call = { path: string; headers: Record<string, string>; body: string }

/** `mark` names the finding that the card was created for. */
type DrivenCard = { id: string; state: string; mark: string }

export type DrivenTracker = {
  newWorld(): Promise<Tracked>
  cards(): DrivenCard[]
  move(id: string, state: string): void
  remove(id: string): void
  /** carries the card to another project or list, or back */
  carry(id: string, isBack: boolean): void
  /** what the program created or moved, in order */
  writes: readonly string[]
  /** the card that a request is about to move; null for any other request */
  movedBy(asked: Seen): string | null
  /** whether a request is about to create a card */
  makes(asked: Seen): boolean
  trouble(trouble: Trouble | null): void
  lag(isLagging: boolean): void
  /** webhook calls not yet delivered, oldest first; none before a webhook exists */
  calls: Call[]
  end(): Promise<void>
}

export type TrackerKind = {
  name: string
  /** the states into which a person moves a card */
  states: readonly string[]
  /** states that refuse cards from the program, as a vendor's rules may demand */
  rules: readonly (readonly string[])[]
  mappings: readonly Mapping[]
  serve(closedTo: readonly string[]): Promise<DrivenTracker>
}

const markOf = (tags: readonly string[]) => tags.find((tag) => tag.startsWith('platform-issue-')) ?? ''

/** What both fakes share, and how to control it. */
const steeringOf = (fake: Pick<BoardsFake | TasksFake, 'writes' | 'trouble' | 'lag' | 'end'>) => ({
  writes: fake.writes,
  trouble: (trouble: typeof fake.trouble) => {
    fake.trouble = trouble
  },
  lag: (isLagging: boolean) => {
    fake.lag = isLagging
  },
  end: fake.end,
})

async function driveBoards(closedTo: readonly string[]): Promise<DrivenTracker> {
  const fake = await serveBoards(null, { closedTo })
  const calls: Call[] = []
  fake.onChange = (kind, { id, rev, state, changedBy }) => {
    const eventType = `workitem.${kind}`
    const to = fake.subscriptions.find((one) => one.eventType === eventType)?.consumerInputs
    if (!to) return
    const { url = '', basicAuthUsername: user, basicAuthPassword: password } = to
    const fields = { 'System.State': state }
    const resource =
      kind === 'deleted'
        ? { id, rev, fields }
        : { workItemId: id, rev, revisedBy: { displayName: changedBy }, revision: { fields } }
    calls.push({
      path: new URL(url).pathname,
      headers: { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` },
      body: JSON.stringify({ id: `event-${id}-${rev}-${kind}`, eventType, resource }),
    })
  }
  return {
    newWorld: newBoardsWorld,
    cards: () =>
      [...fake.cards.values()].map(({ id, state, tags }) => ({
        id: String(id),
        state,
        mark: markOf(tags.split('; ')),
      })),
    move: (id, state) => fake.move(Number(id), state),
    remove: (id) => fake.remove(Number(id)),
    carry: (id, isBack) => fake.carry(Number(id), isBack ? 'Fabrikam' : 'Elsewhere'),
    movedBy: ({ method, path }) => (method === 'PATCH' ? (path.split('/').at(-1) ?? '') : null),
    makes: ({ path }) => path.includes('workitems/$'),
    ...steeringOf(fake),
    calls,
  }
}

async function driveTasks(): Promise<DrivenTracker> {
  const fake = await serveTasks()
  const calls: Call[] = []
  fake.onChange = (event, { id, status, updated }) => {
    const [hook] = fake.hooks
    if (!hook) return
    const after = event === 'taskStatusUpdated' ? { status } : null
    const history_items = [{ id: `${id}-${updated}`, user: { username: 'Ada' }, after }]
    const body = JSON.stringify({ event, task_id: id, webhook_id: hook.id, history_items })
    const signature = hmac(Buffer.from(hook.secret), Buffer.from(body)).toString('hex')
    calls.push({ path: new URL(hook.endpoint).pathname, headers: { 'x-signature': signature }, body })
  }
  return {
    newWorld: newTasksWorld,
    cards: () => [...fake.tasks.values()].map(({ id, status, tags }) => ({ id, state: status, mark: markOf(tags) })),
    move: fake.move,
    remove: fake.remove,
    carry: (id, isBack) => fake.carry(id, isBack ? LIST_ID : '902'),
    movedBy: ({ method, path }) => (method === 'PUT' ? (path.split('/').at(-1) ?? '') : null),
    makes: ({ method, path }) => method === 'POST' && path.endsWith('/task'),
    ...steeringOf(fake),
    calls,
  }
}

const mappingsOf = (mapping: typeof boardMapping | typeof listMapping) =>
  mapping.map(
    ({ internalIssueStatus, externalIssueStatus }): Mapping => ({
      status: internalIssueStatus,
      states: [externalIssueStatus],
    }),
  )

export const trackerKinds: readonly TrackerKind[] = [
  {
    name: 'BoardsTracker',
    states: STATES,
    rules: [[], ['Resolved']],
    mappings: mappingsOf(boardMapping),
    serve: driveBoards,
  },
  { name: 'TaskTracker', states: STATUSES, rules: [[]], mappings: mappingsOf(listMapping), serve: driveTasks },
]
