// `merlon review`, run as its own process in a git repository, without a service.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { merlon } from './command.ts'
import { newRepository } from './repository.ts'

const before = "app.get('/u', (req, res) => {\n  const id = req.query.id\n  db.query('select 1')\n})\n"
const after = "app.get('/u', (req, res) => {\n  const id = req.query.id\n  db.query('select ' + id)\n})\n"

function newChange() {
  const repository = newRepository()
  const from = repository.commit({ 'users.js': before })
  const here = { key: 'none', cwd: repository.directory }
  return { repository, from, here }
}

describe('merlon review', () => {
  test('says what the change of the files that lie here would bring, with its way', async () => {
    const { repository, here } = newChange()
    writeFileSync(join(repository.directory, 'users.js'), after)

    const { code, out } = await merlon(['review'], here)

    expect(code).toBe(0)
    expect(out).toMatch(/^HIGH {6}users\.js:3 {2}SQL injection \(javascript\/sql-injection, CWE-89\)$/m)
    expect(out).toMatch(/^ {10}from users\.js:2 const id = req\.query\.id$/m)
    expect(out).toMatch(/^1 finding \(1 HIGH\) in 1 changed file\.$/m)
  })

  test('finds in the change of the examples what the README says of it', async () => {
    const { code, out } = await merlon(['review', '--diff', 'examples/review.diff'])

    expect(code).toBe(0)
    expect(out).toContain('(javascript/sql-injection, CWE-89)')
    expect(out).toContain('from src/users.js:4 const name = request.query.name')
  })

  test('says that files which git does not know are left out', async () => {
    const { repository, here } = newChange()
    writeFileSync(join(repository.directory, 'new.js'), after)

    const { out } = await merlon(['review'], here)

    expect(out).toContain('1 untracked file was not reviewed')
    expect(out).toMatch(/^No findings in 0 changed files\.$/m)
  })

  test('ends with 4 at the severity named and above, in every format', async () => {
    const { repository, from, here } = newChange()
    const to = repository.commit({ 'users.js': after })
    const words = ['review', '--from', from, '--to', to]

    const codes = async (...more: string[]) => (await merlon([...words, ...more], here)).code

    expect(await codes('--fail-on', 'critical')).toBe(0)
    expect(await codes('--fail-on', 'high')).toBe(4)
    expect(await codes('--fail-on', 'LOW', '--format', 'sarif')).toBe(4)
    expect(await codes('--fail-on', 'huge')).toBe(2)
  })

  test('ends with 1 where the diff cannot be read to its end, unless what was read is enough to block', async () => {
    const { repository, here } = newChange()
    const whole = `diff --git a/u.js b/u.js\n--- a/u.js\n+++ b/u.js\n@@ -0,0 +1,4 @@\n${after.trimEnd().replace(/^/gm, '+')}\n`
    const wrong = 'diff --git a/v.js b/v.js\n--- a/v.js\n+++ b/v.js\n@@ -1,9 +1,9 @@\nno line of a hunk\n'
    writeFileSync(join(repository.directory, 'cut.diff'), whole + wrong)
    const ended = (...more: string[]) => merlon(['review', '--diff', 'cut.diff', ...more], here)

    const plain = await ended()
    const blocked = await ended('--fail-on', 'high')

    expect(plain.out).toContain('The diff cannot be read past line')
    expect([plain.code, blocked.code]).toEqual([1, 4])
  })

  test('gives SARIF with the way of the data', async () => {
    const { repository, from, here } = newChange()
    repository.commit({ 'users.js': after })

    const { out } = await merlon(['review', '--from', from, '--format', 'sarif'], here)

    const [run] = JSON.parse(out).runs
    expect(run.results).toMatchObject([
      {
        ruleId: 'javascript/sql-injection',
        level: 'error',
        locations: [{ physicalLocation: { artifactLocation: { uri: 'users.js' }, region: { startLine: 3 } } }],
        codeFlows: [{ threadFlows: [{ locations: [{}, {}] }] }],
      },
    ])
  })

  test('holds versions of packages against an archive that is given, and says where none is', async () => {
    const { repository, from, here } = newChange()
    repository.commit({ 'requirements.txt': 'flaskish==1.0\n' })
    const advisory = {
      id: 'GHSA-aaaa-bbbb-cccc',
      modified: '2026-01-02T03:04:05Z',
      summary: 'A flaw in flaskish',
      affected: [
        {
          package: { ecosystem: 'PyPI', name: 'flaskish' },
          ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '1.1' }] }],
        },
      ],
    }
    const archive = join(repository.directory, '..', `osv-${from}.zip`)
    writeFileSync(archive, zipSync({ 'a.json': Buffer.from(JSON.stringify(advisory)) }))

    const without = await merlon(['review', '--from', from], here)
    const against = await merlon(['review', '--from', from, '--advisories', archive, '--format', 'json'], here)

    expect(without.out).toContain('1 package version was not checked for known vulnerabilities: give --advisories')
    expect(JSON.parse(against.out).findings).toMatchObject([{ package: 'flaskish', patchedVersion: '1.1' }])
  })

  test('has nothing to say where nothing has changed', async () => {
    const { here } = newChange()

    expect((await merlon(['review'], here)).out).toBe('No findings in 0 changed files.\n')
  })
})
