// Reads a JSON list item by item while its bytes arrive, so that memory depends on the largest item and not on the whole.

import { readJson } from '../reports/json-walk.ts'
import { VendorFailed } from './errors.ts'

const OPEN_ARRAY = 0x5b
const BLANKS = new Set([0x20, 0x09, 0x0a, 0x0d])

/** The items in their order; BROKEN_ANSWER where it is no list, has an item that cannot be read, or ends before it is complete. */
export async function* itemsOf(name: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  const broken = (detail: string) => new VendorFailed(name, 'BROKEN_ANSWER', { detail })
  for await (const item of readJson(listIn(bytes, broken), ['[]'])) {
    if (item.kind !== 'VALUE') throw broken(`its list cannot be read: ${item.reason}`)
    yield item.value
  }
}

/** What is no list has no items either: it must not count as an empty one. */
async function* listIn(bytes: AsyncIterable<Uint8Array>, broken: (detail: string) => VendorFailed) {
  let isBegun = false
  for await (const chunk of bytes) {
    const first: number | undefined = isBegun ? undefined : chunk.find((byte) => !BLANKS.has(byte))
    if (first !== undefined && first !== OPEN_ARRAY) throw broken('it is not a list')
    isBegun ||= first !== undefined
    yield chunk
  }
}
