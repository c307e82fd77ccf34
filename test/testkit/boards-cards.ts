// The work items of the fake Azure DevOps: made and moved by the program, moved by people, and found by queries.

import type { Answer, Seen } from './exchanges.ts'
import { json } from './vendor-fake.ts'

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

/** What is known of the work items, and how the vendor's interface answers about them. */
export type Cards = {
  all: Map<number, Card>
  /** what was made or moved by the program, in order */
  writes: string[]
  create(asked: Seen): Answer
  read(id: number): Answer
  patch(id: number, asked: Seen): Answer
  /** `lag`: hides what changed last, and gives the rest in another order. */
  query(asked: Seen, lag: boolean): Answer
  batch(asked: Seen): Answer
  /** A person changes, or deletes, a card. */
  change(id: number, change: Partial<Card>): void
  remove(id: number): void
}

type CardRules = {
  project: { name: string }
  states: readonly string[]
  /** states that take no card */
  closedTo: readonly string[]
  now: () => number
  hear: (kind: 'updated' | 'deleted', card: Card) => void
}

export const list = (value: unknown[]) => json({ count: value.length, value })
/** Written by hand, because the vendor's description has no refusals but of credentials, rights and what is missing. */
export const refused = (status: number, message: string): Answer => ({
  write: (response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ message, typeKey: 'Refused' }))
  },
})

const operationsOf = (asked: Seen) => asked.body as { op: string; path: string; value: unknown }[]

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

const missing = (id: number) => refused(404, `TF401232: Work item ${id} does not exist`)

const isRefusedState = (state: string, { states, closedTo }: CardRules) =>
  !states.includes(state) || closedTo.includes(state)

export function openCards(rules: CardRules): Cards {
  const all = new Map<number, Card>()
  const writes: string[] = []
  let made = 0
  let last = 0
  const tick = () => {
    last = Math.max(last + 1, rules.now())
    return last
  }
  const changed = (card: Card, change: Partial<Card>, changedBy: string) => {
    Object.assign(card, change, { rev: card.rev + 1, changedBy, changedAt: tick() })
    rules.hear('updated', card)
  }

  return {
    all,
    writes,
    create(asked) {
      const card = newCard(++made, asked, { project: rules.project.name, changedAt: tick() })
      all.set(card.id, card)
      writes.push(`create ${card.id}`)
      return json(shown(card))
    },
    read(id) {
      const card = all.get(id)
      return card ? json(shown(card)) : missing(id)
    },
    patch(id, asked) {
      const card = all.get(id)
      if (!card) return missing(id)
      const test = operationsOf(asked).find(({ op }) => op === 'test')
      if (test && test.value !== card.rev) return refused(412, 'VS403351: Test Operation for path /rev failed')
      const state = operationsOf(asked).find(({ path }) => path === '/fields/System.State')?.value
      if (typeof state !== 'string') return json(shown(card))
      if (isRefusedState(state, rules)) {
        const sentence = `The field 'State' contains the value '${state}' that is not in the list of supported values`
        return refused(400, sentence)
      }
      changed(card, { state }, 'Merlon')
      writes.push(`move ${id} ${state}`)
      return json(shown(card))
    },
    query: (asked, lag) => found([...all.values()], asked, rules.project.name, lag),
    batch(asked) {
      const { ids } = asked.body as { ids: number[] }
      return list(ids.flatMap((id) => all.get(id) ?? []).map(shown))
    },
    change(id, change) {
      const card = all.get(id)
      if (card) changed(card, change, 'Ada')
    },
    remove(id) {
      const card = all.get(id)
      if (card && all.delete(id)) rules.hear('deleted', card)
    },
  }
}

function newCard(id: number, asked: Seen, { project, changedAt }: Pick<Card, 'project' | 'changedAt'>): Card {
  const fields = Object.fromEntries(operationsOf(asked).map(({ path, value }) => [path.replace('/fields/', ''), value]))
  const tags = String(fields['System.Tags'])
  return { id, rev: 1, state: 'New', project, tags, changedBy: 'Merlon', changedAt, fields }
}

/** The two queries that the connector writes: by tag, and by the time of the last change. */
function found(cards: Card[], asked: Seen, project: string, lag: boolean): Answer {
  const { query: text } = asked.body as { query: string }
  const tag = /CONTAINS '([^']+)'/.exec(text)?.[1]
  const since = /ChangedDate\] >= '([^']+)'/.exec(text)?.[1]
  const matching = cards.filter(({ tags, changedAt, project: at }) => {
    if (text.includes('@project') && at !== project) return false
    return tag === undefined ? changedAt >= Date.parse(since ?? '') : tags.split('; ').includes(tag)
  })
  matching.sort((one, other) => one.changedAt - other.changedAt)
  if (lag && tag === undefined) matching.reverse().shift()
  return json({ queryType: 'flat', workItems: matching.map(({ id }) => ({ id, url: '' })) })
}
