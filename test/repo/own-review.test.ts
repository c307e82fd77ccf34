// The project's own review, applied to the project: secrets and risky code in everything under version control.

import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { emptyTree } from '../../src/cli/git.ts'
import { reviewDiff } from '../../src/review/run.ts'

const slight: readonly (string | undefined)[] = ['LOW', 'NOTIFICATION']

test('a review of all files finds nothing above LOW, except for what a comment allows with its reason', async () => {
  const git = spawn('git', ['diff', '--no-ext-diff', '--no-color', await emptyTree()])
  const told: string[] = []
  const reading = reviewDiff(git.stdout, { key: Buffer.alloc(32) })
  let next = await reading.next()
  for (; !next.done; next = await reading.next()) {
    const found = next.value
    if (found.kind !== 'OBSERVATION') continue
    const { severity, fileName, line, ruleId } = found.observation
    if (!slight.includes(severity)) told.push(`${fileName}:${line} ${ruleId}`)
  }

  expect(next.value.files).toBeGreaterThan(2_000)
  expect(told).toEqual([])
})
