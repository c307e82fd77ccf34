// A stateful fake of ClickUp: a list and its tasks, which people and tests can move.

import type { Answer, Seen } from './exchanges.ts'
import { describedStatus, type FakeTask, LIST_ID, openTasks, refused, STATUSES } from './tasks-list.ts'
import type { VendorContract } from './vendor-contract.ts'
import { type ClosedBy, json, serveVendor, type Trouble, withTrouble } from './vendor-fake.ts'

type TaskHook = { id: string; endpoint: string; secret: string }

export const TASKS_ORIGIN = 'https://api.clickup.com'

export type TasksFake = {
  tasks: Map<string, FakeTask>
  seen: Seen[]
  writes: string[]
  trouble: Trouble | null
  /** A person moves a task, deletes it, or carries it to another list. */
  move(id: string, status: string): void
  remove(id: string): void
  carry(id: string, listId: string): void
  /** the webhooks to call when a task changes, each with the secret created for it */
  hooks: TaskHook[]
  /** notified of each change of a task, whoever makes it, with the task as it is then */
  onChange: ((event: 'taskStatusUpdated' | 'taskDeleted' | 'taskMoved', task: FakeTask) => void) | null
  /** Simulates a lagging index: hides the latest change from lists of changes, and returns the rest in another order. */
  lag: boolean
  end(): Promise<void>
}

const disabled = { enabled: false }
/** What the vendor's description requires of every space. */
export const features = {
  due_dates: { enabled: false, start_date: false, remap_due_dates: false, remap_closed_due_date: false },
  time_tracking: disabled,
  tags: disabled,
  time_estimates: disabled,
  checklists: disabled,
  custom_fields: disabled,
  remap_dependencies: disabled,
  dependency_warning: disabled,
  portfolios: disabled,
}

/** The workspace, its space and the list; null for another address. */
function answerPlaces(path: string, inherits: boolean): Answer | null {
  if (path === '/team') return json({ teams: [{ id: '108', name: 'Acme', color: '#000', avatar: '', members: [] }] })
  if (path === `/list/${LIST_ID}`) {
    const statuses = inherits ? [] : STATUSES.map(describedStatus)
    return json({
      id: LIST_ID,
      name: 'Findings',
      override_statuses: !inherits,
      statuses,
      space: { id: '7', name: 'S', access: true },
    })
  }
  if (path === '/space/7') {
    const statuses = STATUSES.map((name) => ({ ...describedStatus(name), id: undefined }))
    return json({ id: '7', name: 'S', private: false, statuses, multiple_assignees: false, features })
  }
  return null
}

/** The webhooks of the workspace, each with a secret of the vendor's. */
function answerHooks(asked: Seen, hooks: TaskHook[]): Answer {
  const health = { status: 'active', fail_count: 0 }
  const none = { task_id: null, list_id: null, folder_id: null, space_id: null }
  const whole = (hook: TaskHook) => ({
    ...hook,
    ...none,
    userid: 1,
    team_id: 108,
    client_id: 'C',
    events: ['taskMoved'],
    health,
  })
  if (asked.method === 'GET') return json({ webhooks: hooks.map(whole) })
  const number = hooks.length + 1
  const { endpoint } = asked.body as TaskHook
  const made = { id: `hook-${number}`, endpoint, secret: `made-by-the-vendor-${number}` }
  hooks.push(made)
  return json({ id: made.id, webhook: whole(made) })
}

/** Serves until it is closed. A list without statuses of its own has those of its space. */
export async function serveTasks(
  contract: VendorContract | null = null,
  { inherits = false, losesTags = false, closedBy = 'TEST' as ClosedBy } = {},
): Promise<TasksFake> {
  const tasks = openTasks(losesTags, (event, task) => fake.onChange?.(event, task))

  const answer = (asked: Seen): Answer | null => {
    const path = asked.path.replace('/api/v2', '')
    if (path === '/team/108/task') return tasks.search(asked)
    if (path === '/team/108/webhook') return answerHooks(asked, fake.hooks)
    if (path === `/list/${LIST_ID}/task`) {
      return asked.method === 'POST' ? tasks.create(asked) : tasks.list(asked, fake.lag)
    }
    if (!path.startsWith('/task/')) return answerPlaces(path, inherits)
    const task = tasks.all.get(/^\/task\/(\w+)$/.exec(path)?.[1] ?? '')
    if (!task) return refused(404, 'Task not found, deleted', 'ITEM_013')
    return asked.method === 'PUT' ? tasks.update(task, asked) : tasks.read(task)
  }

  const fake: TasksFake = {
    tasks: tasks.all,
    seen: [],
    writes: tasks.writes,
    trouble: null,
    move: tasks.move,
    remove: tasks.remove,
    carry: tasks.carry,
    hooks: [],
    onChange: null,
    lag: false,
    end: async () => {},
  }
  const served = await serveVendor(
    TASKS_ORIGIN,
    withTrouble((asked) => fake.trouble?.(asked) ?? null, answer),
    contract,
    closedBy,
  )
  fake.seen = served.seen
  fake.end = served.end
  return fake
}
