// Which documents are kept between requests: those that came at least twice, most recently used first, within a limit of memory.

const MOST_REMEMBERED = 1000

/**
 * Characters of all documents that are kept; one that is parsed and compiled takes some hundred times its text. As many again
 * may be known by their text alone.
 */
const MOST_CHARACTERS = 1024 * 1024

/** Only documents up to this length are kept, so that one does not drive out many. */
const LONGEST_REMEMBERED = 16_384

export type Memory<T> = {
  get(source: string): T | undefined
  /** Keeps what was made of a text if the text came before; otherwise only notes the text. */
  add(source: string, value: T): void
}

/**
 * Of a document that came once only the text is kept. What was parsed of it would stay just long enough to be moved to the old
 * generation of the heap, which is seldom collected, and a flood of new documents would drive out those in use.
 */
export function openMemory<T>(): Memory<T> {
  const kept = newestOf<T>()
  const seen = newestOf<true>()
  return {
    get: kept.get,
    add(source, value) {
      if (source.length > LONGEST_REMEMBERED) return
      if (seen.get(source) === undefined) return seen.add(source, true)
      seen.remove(source)
      kept.add(source, value)
    },
  }
}

/** The values that were used last, as many as MOST_REMEMBERED and MOST_CHARACTERS let. */
function newestOf<T>() {
  const values = new Map<string, T>()
  let characters = 0
  const remove = (source: string): void => {
    if (values.delete(source)) characters -= source.length
  }
  return {
    remove,
    get(source: string): T | undefined {
      const known = values.get(source)
      if (known === undefined) return undefined
      // A map keeps the order in which its keys were set.
      values.delete(source)
      values.set(source, known)
      return known
    },
    add(source: string, value: T): void {
      remove(source)
      values.set(source, value)
      characters += source.length
      for (const oldest of values.keys()) {
        if (values.size <= MOST_REMEMBERED && characters <= MOST_CHARACTERS) return
        remove(oldest)
      }
    },
  }
}
