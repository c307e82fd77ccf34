// A change gets the same findings before it is pushed, from `merlon review`, and as a deploy, from the service.

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { importAdvisories } from '../../src/modules/advisories/service.ts'
import { type Data, run } from '../testkit/client.ts'
import { newHome } from '../testkit/deploys.ts'
import { deployed, parts, reviewed, tokenOfKind } from '../testkit/reviews.ts'
import { diffAdding } from '../testkit/secret-samples.ts'
import { merlon } from './command.ts'

const name = `package-of-both-${process.pid}`
const advisory = {
  id: `GHSA-both-${process.pid}`,
  modified: '2026-01-02T03:04:05Z',
  summary: 'A flaw',
  database_specific: { severity: 'HIGH' },
  affected: [
    {
      package: { ecosystem: 'PyPI', name },
      ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '1.1' }] }],
    },
  ],
}

const secret = tokenOfKind('github-personal-token')
const diff = diffAdding([
  { path: 'src/settings.ts', lines: [`export const token = '${secret}'`] },
  { path: 'requirements.txt', lines: [`${name}==1.0`] },
  {
    path: 'src/users.js',
    lines: ["app.get('/u', (req, res) => {", '  const id = req.query.id', "  db.query('select ' + id)", '})'],
  },
])

const OF_DEPLOY = `query ($id: ID!) { deploy(id: $id) { introduced { collection { id ... on Issue { title severity cweIds
  ... on SecretFinding { code: detail { fileName vulnerableLine codeSnippet } } ... on SastFinding { code: detail { fileName vulnerableLine codeSnippet } }
  ... on ScaFinding { component: detail { fileName package affectedVersion patchedVersion } } } } } } }`

test('a secret, a package and a data flow are reported alike, with place, severity and description', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'merlon-both-'))
  const archive = zipSync({ 'a.json': Buffer.from(JSON.stringify(advisory)) })
  writeFileSync(join(folder, 'change.diff'), diff)
  writeFileSync(join(folder, 'osv.zip'), archive)
  await importAdvisories(
    (await parts()).db,
    (async function* () {
      yield archive
    })(),
  )
  const home = await newHome()

  const words = ['review', '--diff', 'change.diff', '--advisories', 'osv.zip', '--format', 'json']
  const local = JSON.parse((await merlon(words, { key: 'none', cwd: folder })).out)
  const { id } = await reviewed(home, (await deployed(home, diff)).id)
  const { deploy } = await run(home.key, OF_DEPLOY, { id })

  const before = local.findings.map((one: Data) => ({
    title: one.title,
    severity: one.severity,
    cweIds: one.cweIds ?? [],
    path: one.fileName,
    line: one.kind === 'CODE' ? one.line : undefined,
    code: one.kind === 'CODE' ? one.codeSnippet : undefined,
    fixed: one.patchedVersion,
  }))
  const after = deploy.introduced.collection.map(({ title, severity, cweIds, code, component }: Data) => ({
    title,
    severity,
    cweIds,
    path: code?.fileName ?? component?.fileName,
    line: code?.vulnerableLine,
    code: code?.codeSnippet,
    fixed: component?.patchedVersion,
  }))
  const inOrder = (all: { path: string }[]) => all.toSorted((a, b) => a.path.localeCompare(b.path))
  expect(inOrder(before)).toHaveLength(3)
  expect(inOrder(after)).toEqual(inOrder(before))
  expect(JSON.stringify([before, after])).not.toContain(secret)
})
