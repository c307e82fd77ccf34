// Writes JSON piece by piece: an array whose items come as a stream.

/** The items, with commas between, as the inside of an array. */
export async function* arrayItems(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let isFirst = true
  for await (const item of items) {
    yield `${isFirst ? '\n' : ',\n'}${JSON.stringify(item)}`
    isFirst = false
  }
}

/** The items as they come, the first with `before` in front; and whether there was one at all. */
export async function* beginning(
  before: () => string,
  pieces: AsyncIterable<string>,
): AsyncGenerator<string, { isEmpty: boolean }> {
  let isEmpty = true
  for await (const piece of pieces) {
    if (isEmpty) yield before()
    isEmpty = false
    yield piece
  }
  return { isEmpty }
}

/** An object without the fields that are null, undefined, '' or empty. */
export function compact<T extends Record<string, unknown>>(value: T): Partial<T> {
  const kept = Object.entries(value).filter(([, each]) => !isNothing(each))
  return Object.fromEntries(kept) as Partial<T>
}

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
