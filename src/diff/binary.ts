// Reads git's binary patches: one or two blocks, forward and reverse, each `literal 12` or `delta 12`, lines of base 85, an empty line.

export type BinaryPatch = { blocks: number; isOpen: boolean }

export const startBinaryPatch = (): BinaryPatch => ({ blocks: 0, isOpen: false })

/** Whether the line belongs to the patch; one that should and does not is a fault. */
export function readBinaryLine(patch: BinaryPatch, text: string): boolean | { fault: string } {
  if (patch.isOpen) {
    if (text === '') patch.isOpen = false
    else if (!isBase85(text)) return { fault: 'a binary patch holds a line that is not base 85' }
    return true
  }
  if (patch.blocks < 2 && /^(literal|delta) \d+$/.test(text)) {
    patch.blocks++
    patch.isOpen = true
    return true
  }
  return patch.blocks > 0 ? false : { fault: 'a binary patch has no data' }
}

export const isBinaryPatchCut = (patch: BinaryPatch): boolean => patch.isOpen || patch.blocks === 0

// A letter for the length (1 to 52 bytes), then five characters for every four bytes or part of four.
function isBase85(text: string): boolean {
  const code = text.charCodeAt(0)
  const bytes = code >= 65 && code <= 90 ? code - 64 : code >= 97 && code <= 122 ? code - 70 : 0
  return bytes > 0 && text.length === 1 + Math.ceil(bytes / 4) * 5
}
