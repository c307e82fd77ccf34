// A repository's history as a deploy's diff: what the review reports of it, and what it leaves out.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
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

test('Risky code that a change of a history added is reported once for each change, without that in tests', async () => {
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

/** A new repository whose settings name a command that leaves a marker file when it is run. */
async function hostile(
  name: string,
): Promise<{ at: string; mark: string; run: (...words: string[]) => Promise<string> }> {
  const at = join(folder, 'hostile', name)
  await mkdir(at, { recursive: true })
  const run = async (...words: string[]) => {
    const given = ['-C', at, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words]
    return (await promisify(execFile)('git', given)).stdout.trim()
  }
  await run('init', '-q')
  for (const text of ['one', 'two']) {
    await writeFile(join(at, 'a.txt'), text)
    await run('add', '.')
    await run('commit', '-q', '-m', text)
  }
  return { at, mark: join(at, '.git', 'run'), run }
}

test('An object that is missing is not fetched from an address that is a command', async () => {
  const { at, mark, run } = await hostile('missing')
  const object = await run('rev-parse', 'HEAD~1:a.txt')
  await rm(join(at, '.git', 'objects', object.slice(0, 2), object.slice(2)))
  await run('config', 'remote.origin.url', `ext::touch ${mark}`)
  await run('config', 'remote.origin.promisor', 'true')
  await run('config', 'protocol.ext.allow', 'always')

  await expect(readHistory(at)).rejects.toThrow('git cannot tell')

  expect(existsSync(mark)).toBe(false)
})

test('A form of commits that asks for their signatures does not run the program that would check them', async () => {
  const { at, mark, run } = await hostile('signed')
  const commit = await promisify(execFile)('git', ['-C', at, 'cat-file', 'commit', 'HEAD'])
  const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n aaaa\n -----END PGP SIGNATURE-----\n\n'
  await writeFile(join(at, '.git', 'signed'), commit.stdout.replace('\n\n', `\n${signature}`))
  await run('reset', '-q', '--hard', await run('hash-object', '-t', 'commit', '-w', join(at, '.git', 'signed')))
  await writeFile(join(at, '.git', 'program'), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 })
  await run('config', 'gpg.program', join(at, '.git', 'program'))
  await run('config', 'format.pretty', '%G?')

  await readHistory(at)

  expect(existsSync(mark)).toBe(false)
})

test('What differs within a submodule is not asked of its own settings', async () => {
  const { at, mark, run } = await hostile('outer')
  const inner = join(at, 'inner')
  await run('clone', '-q', at, inner)
  for (const revision of ['HEAD', 'HEAD~1']) {
    await run('-C', inner, 'checkout', '-q', revision)
    await run('add', 'inner')
    await run('commit', '-q', '-m', revision)
  }
  await run('-C', inner, 'config', 'diff.external', `touch ${mark};`)
  await run('config', 'diff.submodule', 'diff')

  await readHistory(at)

  expect(existsSync(mark)).toBe(false)
})
