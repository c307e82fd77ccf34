// The history of a repository is read as a deploy's diff: what is told of it, and what is left out.

import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { readHistory } from './histories.ts'

const folder = await mkdtemp(join(tmpdir(), 'history-'))
afterAll(() => rm(folder, { recursive: true }))

const git = (...words: string[]) =>
  promisify(execFile)('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words])

async function commit(files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  await git('add', '.')
  await git('commit', '-q', '-m', 'A change')
}

test('Risky code that any change of a history added is told once for each, without that of tests', async () => {
  await git('init', '-q')
  const risky = 'import os\n\ndef show(request):\n    os.system("ls " + request.GET["folder"])\n'
  await commit({ 'app/views.py': risky, 'tests/test_views.py': risky, 'app/plain.py': 'import os\n' })
  await commit({ 'app/views.py': 'import os\n' })

  const { bytes, told } = await readHistory(folder)

  expect(told).toEqual([
    {
      rule: 'python/command-injection',
      severity: expect.stringMatching(/^(?:HIGH|CRITICAL)$/),
      place: expect.stringContaining('app/views.py:4'),
    },
  ])
  expect(bytes).toBeGreaterThan(100)
})

test('A folder without a history is refused by its name', async () => {
  const none = join(folder, 'app', 'none')

  await expect(readHistory(none)).rejects.toThrow(`git cannot tell the history of ${none}`)
})
