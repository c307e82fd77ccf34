// Finds every keyword of a list in one pass over bytes, whatever the case: Aho and Corasick, CACM 18(6), 1975, as a table.

/** Where keywords end: pairs of the byte past the end, and the number of the keyword in the list. */
type KeywordHits = { ends: number[]; keywords: number[] }

export type KeywordFilter = (bytes: Uint8Array, from?: number, to?: number) => KeywordHits

/** Compiles the list; a keyword is of ASCII and has three characters or more. */
export function compileKeywords(keywords: readonly string[]): KeywordFilter {
  const classes = classesOf(keywords)
  const width = 1 + Math.max(...classes)
  const trie = trieOf(keywords, classes, width)
  const table = tableOf(trie, width)
  return (bytes, from = 0, to = bytes.length) => scan(table, classes, bytes, from, to)
}

/** Bytes that no keyword has are class 0; letters of both cases are one class. */
function classesOf(keywords: readonly string[]): Uint8Array {
  const classes = new Uint8Array(256)
  let next = 1
  for (const keyword of keywords) {
    for (const byte of Buffer.from(keyword.toLowerCase())) {
      if (classes[byte] !== 0) continue
      classes[byte] = next
      if (byte >= 97 && byte <= 122) classes[byte - 32] = next
      next++
    }
  }
  return classes
}

type Trie = { next: number[][]; ends: number[][]; order: number[]; fail: number[] }

function trieOf(keywords: readonly string[], classes: Uint8Array, width: number): Trie {
  const state = () => new Array<number>(width).fill(0)
  const next = [state()]
  const ends: number[][] = [[]]
  for (const [index, keyword] of keywords.entries()) {
    let at = 0
    for (const byte of Buffer.from(keyword.toLowerCase())) {
      const by = classes[byte] ?? 0
      const known = next[at]?.[by] ?? 0
      if (known === 0) {
        next.push(state())
        ends.push([])
        const row = next[at]
        if (row) row[by] = next.length - 1
      }
      at = known === 0 ? next.length - 1 : known
    }
    ends[at]?.push(index)
  }
  return { next, ends, ...completed(next, ends, width) }
}

/** Gives every state its way on for every byte, in the order of depth. */
function completed(next: number[][], ends: number[][], width: number): { order: number[]; fail: number[] } {
  const fail = new Array<number>(next.length).fill(0)
  const order = [0]
  for (const at of order) {
    const row = next[at] ?? []
    const back = next[fail[at] ?? 0] ?? []
    for (let by = 0; by < width; by++) {
      const child = row[by] ?? 0
      if (child === 0) {
        row[by] = at === 0 ? 0 : (back[by] ?? 0)
        continue
      }
      fail[child] = at === 0 ? 0 : (back[by] ?? 0)
      ends[child]?.push(...(ends[fail[child] ?? 0] ?? []))
      order.push(child)
    }
  }
  return { order, fail }
}

/** `steps[state + class]` is the next state; states count in `width`, and those from `firstEnd` on end keywords. */
type Table = { steps: Int32Array; ends: (readonly number[])[]; width: number; firstEnd: number }

function tableOf({ next, ends, order }: Trie, width: number): Table {
  const plain = order.filter((at) => ends[at]?.length === 0)
  const ending = order.filter((at) => ends[at]?.length !== 0)
  const sorted = [...plain, ...ending]
  const numbers = new Int32Array(next.length)
  for (const [number, at] of sorted.entries()) numbers[at] = number * width
  const steps = new Int32Array(next.length * width)
  for (const [number, at] of sorted.entries()) {
    for (let by = 0; by < width; by++) steps[number * width + by] = numbers[next[at]?.[by] ?? 0] ?? 0
  }
  return { steps, ends: ending.map((at) => ends[at] ?? []), width, firstEnd: plain.length * width }
}

function scan(table: Table, classes: Uint8Array, bytes: Uint8Array, from: number, to: number): KeywordHits {
  const { steps, firstEnd, width } = table
  const hits: KeywordHits = { ends: [], keywords: [] }
  let state = 0
  for (let at = from; at < to; ) {
    // A loop of its own for the bytes between two hits is more than twice as fast as one that also writes hits down.
    do state = steps[state + (classes[bytes[at++] ?? 0] ?? 0)] ?? 0
    while (state < firstEnd && at < to)
    if (state < firstEnd) break
    for (const keyword of table.ends[(state - firstEnd) / width] ?? []) {
      hits.ends.push(at)
      hits.keywords.push(keyword)
    }
  }
  return hits
}
