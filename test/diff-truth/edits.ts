// Writes unified diffs from edit scripts, so that the truth about every line is known before a diff is read.

/** One line of an edit script: kept, removed or added, with its content, which holds no line end. */
export type Edit = { mark: ' ' | '-' | '+'; text: string }

/** The text before and after the edits, each line ended by a newline. */
export function sides(edits: readonly Edit[]): { before: string; after: string } {
  const join = (skipped: string) =>
    edits
      .filter((edit) => edit.mark !== skipped)
      .map((edit) => `${edit.text}\n`)
      .join('')
  return { before: join('+'), after: join('-') }
}

/** The hunks of the edits with so many lines of context, as diff -U writes them. */
function hunksText(edits: readonly Edit[], context: number): string {
  const near = edits.map((_, index) =>
    edits.slice(Math.max(0, index - context), index + context + 1).some((edit) => edit.mark !== ' '),
  )
  let text = ''
  let oldLine = 1
  let newLine = 1
  for (let at = 0; at < edits.length; ) {
    let end = at
    while (end < edits.length && near[end]) end++
    const hunk = edits.slice(at, Math.max(end, at + 1))
    const oldLines = hunk.filter((edit) => edit.mark !== '+').length
    const newLines = hunk.filter((edit) => edit.mark !== '-').length
    if (end > at) {
      const range = (first: number, count: number) => (count === 0 ? `${first - 1},0` : `${first},${count}`)
      text += `@@ -${range(oldLine, oldLines)} +${range(newLine, newLines)} @@\n`
      text += hunk.map((edit) => `${edit.mark}${edit.text}\n`).join('')
    }
    oldLine += oldLines
    newLine += newLines
    at += hunk.length
  }
  return text
}

/** A git diff of one file that is changed by the edits. */
export function diffText(path: string, edits: readonly Edit[], context: number): string {
  return `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n${hunksText(edits, context)}`
}

/** Cuts bytes into chunks of the given sizes, taken in turn. */
export async function* inChunks(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? bytes.length
    yield bytes.subarray(at, at + size)
    at += size
  }
}

/** Everything that a generator yields, and what it returns. */
export async function drain<T, R>(generator: AsyncGenerator<T, R>): Promise<{ files: T[]; result: R }> {
  const files: T[] = []
  let step = await generator.next()
  for (; !step.done; step = await generator.next()) files.push(step.value)
  return { files, result: step.value }
}
