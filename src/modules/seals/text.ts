// Makes other people's texts safe for a badge or a page: plain, escaped, and no wider than their space.

const ELLIPSIS = '…'

/** One line of visible text: no control, bidirectional or unassigned characters, and at most three marks on a letter. */
export const plainLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[\p{Cf}\p{Cn}\p{Co}]/gu, '')
    .replace(/(\p{M}{3})\p{M}+/gu, '$1')
    .trim()

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** For the content or a quoted attribute of XML and HTML. */
export const escapeMarkup = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '')

/** The text, cut with an ellipsis if it would be wider than `width` pixels in a sans-serif font of `size` pixels. */
export function fitText(text: string, size: number, width: number): string {
  const graphemes = [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text.slice(0, 600))]
  let used = 0
  let fitting = ''
  for (const { segment } of graphemes) {
    used += advance(segment) * size
    if (used > width) return `${cutBack(fitting, size, width)}${ELLIPSIS}`
    fitting += segment
  }
  return fitting
}

function cutBack(text: string, size: number, width: number): string {
  const characters = [...text]
  const room = width / size - 1
  while (characters.length > 0 && characters.reduce((sum, character) => sum + advance(character), 0) > room) {
    characters.pop()
  }
  return characters.join('').trimEnd()
}

/** The width of a character as a fraction of the font size: that of common sans-serif fonts, rounded up. */
function advance(segment: string): number {
  if (/^[ilj.,'|!:; -]/.test(segment)) return 0.34
  if (/^[mwMW@%]/.test(segment)) return 0.9
  if (/^[A-Z]/.test(segment)) return 0.7
  if (/^[ -~]/.test(segment)) return 0.57
  if (/^\p{M}/u.test(segment)) return 0
  if (
    /^[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]|^\p{Extended_Pictographic}/u.test(
      segment,
    )
  )
    return 1.1
  return 0.75
}
