// Detects whether any of a very large number of texts occurs twice, in eight bytes for each.

const SMALLEST = 1024
const BITS_OF_LOW = 2 ** 32
const MASK_OF_HIGH = 2 ** 21 - 1

/** May take two different texts for equal (once in millions of lists of 200,000), but never two equal ones for different. */
export function openRepeats(): { add(text: string): void; has(): boolean } {
  let hashes = new Float64Array(SMALLEST)
  let count = 0
  return {
    add(text) {
      if (count === hashes.length) {
        const larger = new Float64Array(count * 2)
        larger.set(hashes)
        hashes = larger
      }
      hashes[count++] = hashOf(text)
    },
    has() {
      const sorted = hashes.slice(0, count).sort()
      return sorted.some((hash, index) => index > 0 && hash === sorted[index - 1])
    },
  }
}

/** 53 bits, as many as a double holds exactly: FNV-1a twice, with different multipliers. */
function hashOf(text: string): number {
  let low = 0x811c9dc5
  let high = 0x9e3779b9
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    low = Math.imul(low ^ code, 0x01000193)
    high = Math.imul(high ^ code, 0x85ebca6b)
  }
  return ((high ^ (high >>> 15)) & MASK_OF_HIGH) * BITS_OF_LOW + (low >>> 0)
}
