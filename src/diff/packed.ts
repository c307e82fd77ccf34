// Encodes change regions as bytes, about three per region: unchanged lines before it, old lines, new lines.

/** Regions being written; `oldEnd` is the old line after the last of them. */
type Packer = { bytes: Buffer; size: number; oldEnd: number }

/** The most bytes of three numbers: a line number has up to 35 bits. */
const LONGEST = 15

export function openPacker(expectedBytes: number): Packer {
  return { bytes: Buffer.allocUnsafe(expectedBytes + LONGEST), size: 0, oldEnd: 1 }
}

/** Appends a region. The new side's line number is implied, because the lines between regions are the same on both sides. */
export function packRegion(packer: Packer, oldFirst: number, oldLines: number, newLines: number): void {
  if (packer.size + LONGEST > packer.bytes.length) {
    const larger = Buffer.allocUnsafe(packer.bytes.length * 2 + LONGEST)
    packer.bytes.copy(larger, 0, 0, packer.size)
    packer.bytes = larger
  }
  writeNumber(packer, oldFirst - packer.oldEnd)
  writeNumber(packer, oldLines)
  writeNumber(packer, newLines)
  packer.oldEnd = oldFirst + oldLines
}

// Unsigned LEB128: seven bits per byte, lowest first.
function writeNumber(packer: Packer, value: number): void {
  let rest = value
  while (rest >= 128) {
    packer.bytes[packer.size++] = (rest % 128) | 128
    rest = Math.floor(rest / 128)
  }
  packer.bytes[packer.size++] = rest
}

/** A copy of what was written. */
export const packedBytes = ({ bytes, size }: Packer): Buffer => Buffer.from(bytes.subarray(0, size))

/** A position among packed regions, with the region there; its first lines are infinite past the end. */
type Cursor = {
  packed: Uint8Array
  at: number
  oldFirst: number
  oldLines: number
  newFirst: number
  newLines: number
}

/** A position before the first region. */
export function openCursor(packed: Uint8Array): Cursor {
  return { packed, at: 0, oldFirst: 1, oldLines: 0, newFirst: 1, newLines: 0 }
}

/** Advances to the next region; false if there is none, or only part of one. */
export function nextRegion(cursor: Cursor): boolean {
  const gap = readNumber(cursor)
  const oldLines = readNumber(cursor)
  const newLines = readNumber(cursor)
  if (newLines < 0) {
    cursor.oldFirst = Number.POSITIVE_INFINITY
    cursor.newFirst = Number.POSITIVE_INFINITY
    return false
  }
  cursor.oldFirst += cursor.oldLines + gap
  cursor.newFirst += cursor.newLines + gap
  cursor.oldLines = oldLines
  cursor.newLines = newLines
  return true
}

function readNumber(cursor: Cursor): number {
  let value = 0
  for (let scale = 1; cursor.at < cursor.packed.length; scale *= 128) {
    const byte = cursor.packed[cursor.at++] ?? 0
    value += (byte & 127) * scale
    if (byte < 128) return value
  }
  return -1
}
