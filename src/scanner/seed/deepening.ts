// How deep to read a description whose references multiply: as deep as the number of parts stays within bounds.

/** `deepest` is the depth to which it is read this time; `left` counts down the parts, and below zero there are too many. */
export type Reading = { readonly deepest: number; left: number }

/** What is read to the first of the depths at which it has no more parts than `most`; else to the last of them. */
export function readAsDeep<T>(depths: readonly number[], most: number, read: (reading: Reading) => T): T {
  const [deepest = 0, ...shallower] = depths
  const reading = { deepest, left: most }
  const whole = read(reading)
  return reading.left < 0 && shallower.length > 0 ? readAsDeep(shallower, most, read) : whole
}
