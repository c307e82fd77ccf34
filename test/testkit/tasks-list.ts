// The tasks of the fake ClickUp: made and moved by the program, moved by people, and listed.

import type { Answer, Seen } from './exchanges.ts'
import { json } from './vendor-fake.ts'

export const LIST_ID = '901'
export const STATUSES = ['to do', 'in progress', 'in review', 'complete']

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

type TaskEvent = 'taskStatusUpdated' | 'taskDeleted' | 'taskMoved'

/** What is known of the tasks, and how the vendor's interface answers about them. */
type Tasks = {
  all: Map<string, FakeTask>
  /** what was made or moved by the program, in order */
  writes: string[]
  create(asked: Seen): Answer
  read(task: FakeTask): Answer
  update(task: FakeTask, asked: Seen): Answer
  /** Of the whole workspace, by tag. */
  search(asked: Seen): Answer
  /** Of the list; `lag` hides what changed last, and gives the rest in another order. */
  list(asked: Seen, lag: boolean): Answer
  /** A person moves a task to another status or list, or deletes it. */
  move(id: string, status: string): void
  carry(id: string, listId: string): void
  remove(id: string): void
}

export const refused = (status: number, err: string, ECODE: string) => json({ err, ECODE }, { status })

export const describedStatus = (status: string) => ({
  id: `p1_${status}`,
  status,
  color: '#d3d3d3',
  orderindex: STATUSES.indexOf(status),
  type: status === 'complete' ? 'closed' : 'custom',
})

const describedTags = ({ tags }: FakeTask) => tags.map((name) => ({ name, tag_fg: '#fff', tag_bg: '#000', creator: 1 }))

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

/** Of a whole workspace everything is described as required. */
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
  return { ...nothing, ...none, ...empty, ...around, ...shown(task, describedTags(task)) }
}

type TaskBody = { name: string; tags: string[]; status?: string; markdown_content: string }

/** `losesTags`: new tasks come without the tags that were asked for; `hear` hears of each change, whoever makes it. */
export function openTasks(losesTags: boolean, hear: (event: TaskEvent, task: FakeTask) => void): Tasks {
  const all = new Map<string, FakeTask>()
  const writes: string[] = []
  let last = 0
  const tick = () => {
    last = Math.max(last + 1, Date.now())
    return last
  }
  const changed = (task: FakeTask, event: 'taskStatusUpdated' | 'taskMoved', change: Partial<FakeTask>) => {
    Object.assign(task, change, { updated: tick() })
    hear(event, task)
  }
  const person = (id: string, event: 'taskStatusUpdated' | 'taskMoved', change: Partial<FakeTask>) => {
    const task = all.get(id)
    if (task) changed(task, event, change)
  }
  let made = 0

  return {
    all,
    writes,
    create(asked) {
      const body = asked.body as TaskBody
      const { status = 'to do' } = body
      if (!STATUSES.includes(status)) return refused(400, 'Status not found', 'CRTSK_001')
      made += 1
      const [id, now, tags] = [`9h${made}`, tick(), losesTags ? [] : body.tags]
      const times = { created: now, updated: now }
      const task = { id, status, tags, text: body.markdown_content, ...times, listId: LIST_ID, asked: body }
      all.set(id, task)
      writes.push(`create ${id}`)
      return json(shown(task, tags))
    },
    read: (task) => json({ ...shown(task, describedTags(task)), space: { id: '7' } }),
    update(task, asked) {
      const { status } = asked.body as { status: string }
      if (!STATUSES.includes(status)) return refused(400, 'Status does not exist', 'ITEM_114')
      changed(task, 'taskStatusUpdated', { status })
      writes.push(`move ${task.id} ${status}`)
      return json(shown(task, task.tags))
    },
    search(asked) {
      const tag = asked.query['tags[]'] ?? ''
      return json({ tasks: [...all.values()].filter(({ tags }) => tags.includes(tag)).map(whole) })
    },
    list: (asked, lag) => listed([...all.values()], asked, lag),
    move: (id, status) => person(id, 'taskStatusUpdated', { status }),
    carry: (id, listId) => person(id, 'taskMoved', { listId }),
    remove(id) {
      const task = all.get(id)
      if (task && all.delete(id)) hear('taskDeleted', task)
    },
  }
}

/** A page of the list's tasks: the newest first, or, of those that changed since a time, the oldest change first. */
function listed(tasks: FakeTask[], { query }: Seen, lag: boolean): Answer {
  const { 'tags[]': tag, date_updated_gt: since } = query
  const found = tasks.filter(
    (task) => task.listId === LIST_ID && (!tag || task.tags.includes(tag)) && (!since || task.updated > Number(since)),
  )
  const isByUpdate = query.order_by === 'updated'
  found.sort((one, other) => (isByUpdate ? one.updated - other.updated : other.created - one.created))
  if (lag && since) found.reverse().shift()
  const page = Number(query.page ?? 0)
  return json({
    tasks: found.slice(page * 100, page * 100 + 100).map((task) => shown(task, task.tags)),
    last_page: found.length <= page * 100 + 100,
  })
}
