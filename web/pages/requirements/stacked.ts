// How the nodes of a column of the graph stand below each other, each as tall as its text is long.

/** In pixels: the head above the nodes. */
export const HEAD = 24
/** In pixels: the height of a node's frame, of each of its lines, and of the gap below it. */
const FRAME = 6
const LINE = 20
const BELOW = 8
/** In pixels: about how wide letters are, rather more than less. */
const LETTERS = { narrow: 4, usual: 6.9, broad: 8.8, wide: 12.5 }
/** How much of a node's width is its frame. */
const PADDING = 18
const MOST_LINES = 6

/** `wide` is the width of a node in pixels; `bottom` is where the column ends. */
export function stacked<Node extends { text: string }>(nodes: readonly Node[], wide: number) {
  const room = wide - PADDING
  let bottom = HEAD
  const boxes = nodes.map((node) => {
    const top = bottom
    const tall = FRAME + LINE * Math.min(MOST_LINES, linesOf(node.text, room))
    bottom += tall + BELOW
    return { node, top, tall }
  })
  return { boxes, bottom }
}

/** A Chinese, Japanese or Korean letter or a picture: as wide as it is high, and a line breaks on either side of it. */
const WIDE =
  /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff00-\uff60])/u

function widthOf(piece: string): number {
  if (WIDE.test(piece)) return LETTERS.wide
  let width = 0
  for (const letter of piece) {
    if (/[fijlrt.,:;'|!()[\]]/.test(letter)) width += LETTERS.narrow
    else width += /[A-Zmw@%&—…]/.test(letter) ? LETTERS.broad : LETTERS.usual
  }
  return width
}

/** How many lines a text takes where it breaks between words, and within those that are longer than a line. */
function linesOf(text: string, room: number): number {
  let [lines, used] = [1, 0]
  for (const word of text.split(/\s+/)) {
    const pieces = word.split(WIDE).filter((piece) => piece !== '')
    for (const [index, piece] of pieces.entries()) {
      const own = widthOf(piece)
      const wanted = index === 0 && used > 0 ? used + LETTERS.narrow + own : used + own
      if (wanted <= room) used = wanted
      else {
        const taken = Math.ceil(own / room)
        lines += used === 0 ? taken - 1 : taken
        used = own - (taken - 1) * room
      }
    }
  }
  return lines
}
