// Keeps values made from texts, such as parsed documents, between requests: those used most recently, if their text came at least twice.

const MOST_REMEMBERED = 1000

/**
 * Characters of all documents that are kept; a parsed and compiled one takes about a hundred times its text. As many characters again are
 * kept of documents that came once, as text only.
 */
const MOST_CHARACTERS = 1024 * 1024

/** Longer documents are not kept, so that one does not evict many. */
const LONGEST_REMEMBERED = 16_384

type Memory<T> = {
  get(source: string): T | undefined
  /** Keeps the value made from a text if the text came before; otherwise only remembers the text. */
  add(source: string, value: T): void
}

/**
 * For a document that came once only the text is kept. Its parsed form would live just long enough to be moved to the old generation of the
 * heap, which is seldom collected, and a flood of new documents would evict those in use.
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

/** The most recently used values, within MOST_REMEMBERED and MOST_CHARACTERS. */
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
