// Writes JSON piece by piece: an array whose items come as a stream.

/** The items, with commas between, as the inside of an array. */
export async function* arrayItems(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let isFirst = true
  for await (const item of items) {
    yield `${isFirst ? '\n' : ',\n'}${JSON.stringify(item)}`
    isFirst = false
  }
}

/** An object without the fields that are null, undefined, '' or empty. */
export function compact<T extends Record<string, unknown>>(value: T): Partial<T> {
  const kept = Object.entries(value).filter(([, each]) => !isNothing(each))
  return Object.fromEntries(kept) as Partial<T>
}

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
