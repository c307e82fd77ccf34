// What a format string passes on of its values: a numeric placeholder nothing, a quoted one what quoting leaves.

import { quoted } from './harmless.ts'
import type { Given } from './places.ts'
import type { Reading } from './reading.ts'
import { allFlows, cleanedOf, isOutside, numeric, UNKNOWN, type Value } from './value.ts'

const PLACE = /%(?:\((\w+)\))?([-+ #0-9.]*)[hlL]?([A-Za-z%])/g

/** Formats that reorder their values, or take a width from one of them. */
const UNORDERED = /%\[|%\d+\$|%[-+ #0-9.]*\*/

/** Functions that format a string: `sprintf`, `Fprintf`, `Errorf`, `String.format`. */
export const FORMATTING = /printf$|^format(?:ted)?$|^(?:Error|Fatal|Panic|Info|Warn|Debug|Log|Trace)f$/i

type Spot = { key: string | null; letter: string }

/** The placeholders in order; none if the order is not known. */
const spotsOf = (shape: string): Spot[] =>
  UNORDERED.test(shape)
    ? []
    : [...shape.matchAll(PLACE)]
        .map(([, key = null, flags = '', letter = '']) => ({
          key,
          letter: flags.includes('#') && letter === 'q' ? 's' : letter,
        }))
        .filter(({ letter }) => letter !== '%')

/** The value as a placeholder prints it. Go's `%q` quotes (`%#q` keeps line breaks), which is not enough in every dialect of SQL for data from outside. */
function placed(reading: Reading, value: Value, { letter }: Spot): Value {
  const flows = allFlows(value)
  if (flows.length === 0 || value.constant !== undefined) return value
  if (/[diuxXeEfFgGcbtUpT]/.test(letter)) return { ...value, items: null, rest: null, flows: numeric(flows) }
  if (letter !== 'q') return { ...value, flows: quoted(value.flows) }
  const kinds = reading.book.sanitisers.find(['strconv.Quote'])
  return { ...value, items: null, rest: null, flows: cleanedOf(flows.filter(isOutside), kinds) }
}

/** The beginning of what a format prints, up to the first value that `ends` it, or a placeholder of another kind. */
export function formatted(shape: string, values: readonly Value[], ends: (flows: Value['flows']) => boolean): string {
  const plain = shape.slice(0, Math.max(shape.search(/[%{]/), 0))
  if (UNORDERED.test(shape)) return plain
  let text = ''
  let from = 0
  let next = 0
  for (const found of shape.matchAll(/%%|%[-+ #0-9.]*[hlL]?[A-Za-z]|[%{]/g)) {
    text += shape.slice(from, found.index)
    from = found.index + found[0].length
    if (found[0] === '%%') text += '%'
    else {
      const value = found[0].length > 1 ? values[next++] : undefined
      if (!value || ends(allFlows(value))) return text
      text += value.constant === undefined ? UNKNOWN : String(value.constant)
    }
  }
  return text + shape.slice(from)
}

/** The arguments of a call, as its format prints them. */
export function takenBy(
  reading: Reading,
  name: string,
  given: readonly Given[],
  receiver: Value | null,
): readonly Given[] {
  if (!FORMATTING.test(name)) return given
  const isOwn = typeof receiver?.constant === 'string'
  const at = isOwn ? -1 : given.findIndex(({ value }) => typeof value.constant === 'string')
  const shape = isOwn ? receiver.constant : given[at]?.value.constant
  if (typeof shape !== 'string') return given
  const spots = spotsOf(shape)
  return given.map((each, index) => {
    const spot = index > at ? spots[index - at - 1] : undefined
    return spot ? { ...each, value: placed(reading, each.value, spot) } : each
  })
}

/** The right side of Python's `%`: one value, a tuple, or a mapping. */
export function filledIn(reading: Reading, shape: Value, right: Value): Value {
  if (typeof shape.constant !== 'string') return right
  const spots = spotsOf(shape.constant)
  const [first, ...others] = spots
  if (!right.items) return first && others.length === 0 ? placed(reading, right, first) : right
  const items = new Map(right.items)
  for (const [key, value] of items) {
    const own = right.length === null ? spots.filter((spot) => spot.key === key) : spots.slice(Number(key)).slice(0, 1)
    const [spot] = own
    if (spot && own.every(({ letter }) => letter === spot.letter)) items.set(key, placed(reading, value, spot))
  }
  return { ...right, items }
}
