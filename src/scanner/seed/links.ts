// Which links to follow, and in what order: a few of those that differ only in values, dissimilar ones first.

const MOST_PAGES = 400
/** The most pages followed that differ only in values. */
const MOST_ALIKE = 3
/** The same if the value is a word, which may select the page. */
const MOST_ALIKE_WORDS = 40
const MOST_WAITING = 200
/** The number of pages of a target up to which more of those are followed, and how many more of each kind. */
const MOST_SPARE = 150
const MOST_SPARED = 24

type Link = { url: string; foundOn?: string }
/** Links that differ only in values: how many more may be followed, and those that are waiting. */
type Alike = { left: number; spared: number; waiting: Link[]; shapes: Map<string, number> }

type Links = {
  /** Adds a link to a page, by the key of its operation. */
  add: (key: string, url: URL, foundOn: string) => void
  next: () => Link | undefined
  areThere: () => boolean
  /** Allows more pages of an address whose value selects the page, because they lead to different things. */
  reward: (key: string) => void
  /** If nothing else is left, allows some more of the pages whose paths differ in a value; false if there are none. */
  spare: () => boolean
}

export function openLinks(): Links {
  const queue: Link[] = []
  const alike = new Map<string, Alike>()
  let count = 0

  const release = (group: Alike, most = MOST_PAGES) => {
    while (group.left > 0 && count < most) {
      const next = unlikeFirst(group)
      if (!next) return
      group.left -= 1
      count += 1
      queue.push(next)
    }
  }

  return {
    add(key, url, foundOn) {
      const isWord = [...url.searchParams.values()].some((value) => /^[a-z][\w./-]{2,60}$/i.test(value))
      const group: Alike = alike.get(key) ?? {
        left: isWord ? MOST_ALIKE_WORDS : MOST_ALIKE,
        spared: 0,
        waiting: [],
        shapes: new Map(),
      }
      alike.set(key, group)
      if (group.waiting.length < MOST_WAITING) group.waiting.push({ url: url.href, foundOn })
      release(group)
    },
    next: () => queue.shift(),
    areThere: () => queue.length > 0,
    reward(key) {
      const group = alike.get(key)
      if (!group) return
      group.left += 2
      release(group)
    },
    spare() {
      for (const group of alike.values()) {
        const [next] = group.waiting
        if (!next || next.url.includes('?') || group.spared >= MOST_SPARED) continue
        group.spared += 1
        group.left = Math.max(group.left, 1)
        release(group, MOST_SPARE)
      }
      return queue.length > 0
    },
  }
}

/** Removes and returns a link, if possible one that differs from earlier ones by more than a number. */
function unlikeFirst({ waiting, shapes }: Alike): Link | undefined {
  const shapeOf = ({ url }: Link) => url.replace(/\d{1,20}/g, '#')
  const at = waiting.findIndex((link) => (shapes.get(shapeOf(link)) ?? 0) < MOST_ALIKE)
  const [next] = waiting.splice(Math.max(at, 0), 1)
  if (next) shapes.set(shapeOf(next), (shapes.get(shapeOf(next)) ?? 0) + 1)
  return next
}
