// The position of a walk over JSON: the enclosing objects and arrays, and what is wanted of the next value.

import { CLOSE_ARRAY, CLOSE_OBJECT } from './json-bytes.ts'
import type { Keys } from './json-items.ts'
import { nothing, type Wanted } from './json-paths.ts'

type Frame = { isArray: boolean; wanted: Wanted; at: string | number }

type Place = {
  keys: () => Keys
  /** the innermost object or array; undefined at the top level */
  frame: () => Readonly<Frame> | undefined
  /** what is wanted of the value here */
  wanted: () => Wanted
  enter: (kind: 'ARRAY' | 'OBJECT', wanted: Wanted) => void
  /** whether this byte closes the innermost container; if so, leaves it */
  leaves: (byte: number) => boolean
  /** moves to the next item of an array */
  next: () => void
  /** moves to this key of an object; false if the container is not an object */
  moveTo: (key: string) => boolean
}

export function openPlace(root: Wanted): Place {
  const frames: Frame[] = []
  return {
    keys: () => frames.map(({ at }) => at),
    frame: () => frames.at(-1),
    wanted: () => {
      const frame = frames.at(-1)
      if (!frame) return root
      const { isArray, wanted, at } = frame
      return (isArray ? wanted.each : (wanted.keys.get(String(at)) ?? wanted.any)) ?? nothing
    },
    enter: (kind, wanted) => {
      const isArray = kind === 'ARRAY'
      frames.push({ isArray, wanted, at: isArray ? 0 : '' })
    },
    leaves: (byte) => {
      const frame = frames.at(-1)
      if (!frame || byte !== (frame.isArray ? CLOSE_ARRAY : CLOSE_OBJECT)) return false
      frames.pop()
      return true
    },
    next: () => {
      const frame = frames.at(-1)
      if (frame?.isArray) frame.at = Number(frame.at) + 1
    },
    moveTo: (key) => {
      const frame = frames.at(-1)
      if (frame) frame.at = key
      return frame !== undefined
    },
  }
}
