// What the dependency review reports for one hunk of a lockfile.

import { dependencies } from '../../src/review/dependencies/reviewer.ts'
import { reviewDiff } from '../../src/review/run.ts'

/** A diff of one file with one hunk of these lines, each with its +, - or space. */
export async function readLockfile(path: string, ...lines: string[]) {
  const count = (mark: string) => lines.filter((line) => line.startsWith(mark) || line.startsWith(' ')).length
  const diff = `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -10,${count('-')} +10,${count('+')} @@\n${lines.join('\n')}\n`
  async function* bytes() {
    yield Buffer.from(diff)
  }
  const found = await Array.fromAsync(reviewDiff(bytes(), { key: Buffer.alloc(32), reviewers: [dependencies] }))
  return {
    packages: found.flatMap((one) =>
      one.kind === 'PACKAGE'
        ? [`${one.found.ecosystem} ${one.found.name} ${one.found.version} :${one.found.line}`]
        : [],
    ),
    notes: found.flatMap((one) => (one.kind === 'NOTE' ? [one.note.reason] : [])),
  }
}
