// How the nodes of a column of the graph stand below each other, each as tall as its text is long.

/** In pixels: the head above the nodes. */
export const HEAD = 24
/** In pixels: the height of a node's frame, of each of its lines, and of the gap below it; and about how wide a letter is. */
const FRAME = 6
const LINE = 20
const BELOW = 8
const LETTER = 6.6
/** How much of a node's width is its frame. */
const PADDING = 18
const MOST_LINES = 6

/** `wide` is the width of a node in pixels; `bottom` is where the column ends. */
export function stacked<Node extends { text: string }>(nodes: readonly Node[], wide: number) {
  const perLine = Math.floor((wide - PADDING) / LETTER)
  let bottom = HEAD
  const boxes = nodes.map((node) => {
    const top = bottom
    const tall = FRAME + LINE * Math.min(MOST_LINES, linesOf(node.text, perLine))
    bottom += tall + BELOW
    return { node, top, tall }
  })
  return { boxes, bottom }
}

/** How many lines a text takes where it breaks between words, and within those that are longer than a line. */
function linesOf(text: string, perLine: number): number {
  let [lines, used] = [1, 0]
  for (const word of text.split(/\s+/)) {
    const wanted = used === 0 ? word.length : used + 1 + word.length
    if (wanted <= perLine) used = wanted
    else {
      const own = Math.ceil(word.length / perLine)
      lines += used === 0 ? own - 1 : own
      used = word.length - (own - 1) * perLine
    }
  }
  return lines
}
