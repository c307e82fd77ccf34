// A stateful fake of ClickUp: a list and its tasks, which people and tests can move.

import type { VendorContract } from './vendor-contract.ts'
import { type Answer, type ClosedBy, json, type Seen, serveVendor, type Trouble, withTrouble } from './vendor-fake.ts'

export type FakeTask = {
  id: string
  status: string
  tags: string[]
  text: string
  created: number
  updated: number
  listId: string
  asked: Record<string, unknown>
}

export type TaskHook = { id: string; endpoint: string; secret: string }

export const TASKS_ORIGIN = 'https://api.clickup.com'
export const LIST_ID = '901'
export const STATUSES = ['to do', 'in progress', 'in review', 'complete']

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

const refused = (status: number, err: string, ECODE: string) => json({ err, ECODE }, { status })

const describedStatus = (status: string) => ({
  id: `p1_${status}`,
  status,
  color: '#d3d3d3',
  orderindex: STATUSES.indexOf(status),
  type: status === 'complete' ? 'closed' : 'custom',
})

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

/** Serves until it is closed. A list without statuses of its own has those of its space. */
export async function serveTasks(
  contract: VendorContract | null = null,
  { inherits = false, losesTags = false, closedBy = 'TEST' as ClosedBy } = {},
): Promise<TasksFake> {
  const tasks = new Map<string, FakeTask>()
  const writes: string[] = []
  let nextId = 1
  let last = 0
  const tick = () => {
    last = Math.max(last + 1, Date.now())
    return last
  }
  const shown = (task: FakeTask, tags: unknown[]) => ({
    id: task.id,
    name: task.asked.name,
    text_content: task.text,
    status: describedStatus(task.status),
    date_created: String(task.created),
    date_updated: String(task.updated),
    tags,
    list: { id: task.listId, name: 'Findings', access: true },
    url: `https://app.clickup.com/t/${task.id}`,
  })
  const oneOf = (task: FakeTask) => ({
    ...shown(
      task,
      task.tags.map((name) => ({ name, tag_fg: '#fff', tag_bg: '#000', creator: 1 })),
    ),
    space: { id: '7' },
  })

  const create = (asked: Seen): Answer => {
    const body = asked.body as { name: string; tags: string[]; status?: string; markdown_content: string }
    if (body.status !== undefined && !STATUSES.includes(body.status))
      return refused(400, 'Status not found', 'CRTSK_001')
    const id = `9h${nextId}`
    nextId += 1
    const now = tick()
    const tags = losesTags ? [] : body.tags
    const text = body.markdown_content
    tasks.set(id, {
      id,
      status: body.status ?? 'to do',
      tags,
      text,
      created: now,
      updated: now,
      listId: LIST_ID,
      asked: body,
    })
    writes.push(`create ${id}`)
    return json(shown(tasks.get(id) as FakeTask, tags))
  }
  /** The description of tasks of a whole workspace declares every field as required. */
  const whole = (task: FakeTask) => {
    const nothing = { custom_id: null, description: task.text, orderindex: '1', date_closed: null, date_done: null }
    const none = { parent: null, due_date: null, start_date: null, points: null, time_estimate: null, priority: null }
    const empty = { assignees: [], watchers: [], checklists: [], custom_fields: [], dependencies: [], linked_tasks: [] }
    const creator = { id: 1, username: 'Merlon', color: '#000', profilePicture: '' }
    const where = { id: '1', name: 'F', hidden: false, access: true }
    const around = {
      folder: where,
      project: where,
      space: { id: '7' },
      team_id: '108',
      permission_level: 'create',
      creator,
    }
    const tags = task.tags.map((name) => ({ name, tag_fg: '#fff', tag_bg: '#000', creator: 1 }))
    return { ...nothing, ...none, ...empty, ...around, ...shown(task, tags) }
  }
  const search = (asked: Seen): Answer => {
    const tag = asked.query['tags[]'] ?? ''
    return json({ tasks: [...tasks.values()].filter(({ tags }) => tags.includes(tag)).map(whole) })
  }
  const list = (asked: Seen): Answer => {
    const { 'tags[]': tag, date_updated_gt: since } = asked.query
    const found = [...tasks.values()].filter(
      (task) =>
        task.listId === LIST_ID && (!tag || task.tags.includes(tag)) && (!since || task.updated > Number(since)),
    )
    const isByUpdate = asked.query.order_by === 'updated'
    found.sort((one, other) => (isByUpdate ? one.updated - other.updated : other.created - one.created))
    if (fake.lag && since) found.reverse().shift()
    const page = Number(asked.query.page ?? 0)
    return json({
      tasks: found.slice(page * 100, page * 100 + 100).map((task) => shown(task, task.tags)),
      last_page: found.length <= page * 100 + 100,
    })
  }
  const update = (task: FakeTask, asked: Seen): Answer => {
    const { status } = asked.body as { status: string }
    if (!STATUSES.includes(status)) return refused(400, 'Status does not exist', 'ITEM_114')
    changed(task, 'taskStatusUpdated', { status })
    writes.push(`move ${task.id} ${status}`)
    return json(shown(task, task.tags))
  }
  const changed = (task: FakeTask, event: 'taskStatusUpdated' | 'taskMoved', change: Partial<FakeTask>) => {
    Object.assign(task, change, { updated: tick() })
    fake.onChange?.(event, task)
  }
  const person = (id: string, event: 'taskStatusUpdated' | 'taskMoved', change: Partial<FakeTask>) => {
    const task = tasks.get(id)
    if (task) changed(task, event, change)
  }
  const hooked = (asked: Seen): Answer => {
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
    if (asked.method === 'GET') return json({ webhooks: fake.hooks.map(whole) })
    const number = fake.hooks.length + 1
    const { endpoint } = asked.body as TaskHook
    const made = { id: `hook-${number}`, endpoint, secret: `made-by-the-vendor-${number}` }
    fake.hooks.push(made)
    return json({ id: made.id, webhook: whole(made) })
  }

  const answer = (asked: Seen): Answer | null => {
    const path = asked.path.replace('/api/v2', '')
    if (path === '/team/108/task') return search(asked)
    if (path === '/team/108/webhook') return hooked(asked)
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
    if (path === `/list/${LIST_ID}/task`) return asked.method === 'POST' ? create(asked) : list(asked)
    const task = tasks.get(/^\/task\/(\w+)$/.exec(path)?.[1] ?? '')
    if (path.startsWith('/task/') && !task) return refused(404, 'Task not found, deleted', 'ITEM_013')
    if (!task) return null
    return asked.method === 'PUT' ? update(task, asked) : json(oneOf(task))
  }

  const fake: TasksFake = {
    tasks,
    seen: [],
    writes,
    trouble: null,
    move: (id, status) => person(id, 'taskStatusUpdated', { status }),
    remove: (id) => {
      const task = tasks.get(id)
      if (task && tasks.delete(id)) fake.onChange?.('taskDeleted', task)
    },
    carry: (id, listId) => person(id, 'taskMoved', { listId }),
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
