// `merlon issues` and `merlon issue`, run as their own processes against the service.

import { expect, test } from 'vitest'
import { newHome, sast } from '../testkit/findings.ts'
import { merlon, merlonJson } from './command.ts'

type Sent = Record<string, unknown>

/** A home, and a way to report findings there: SAST ones unless their `type` says otherwise. */
async function newFindings(...findings: Sent[]) {
  const { assetId, key } = await newHome()
  const input = findings
    .map((finding) => (finding.type === undefined ? { ...sast(assetId), ...finding } : { assetId, ...finding }))
    .map((finding) => JSON.stringify(finding))
    .join('\n')
  const pushed = await merlonJson(['finding', 'push', '-', '--no-git'], { key, input })
  return { key, ids: pushed.findings.map(({ issueId }: { issueId: string }) => issueId) as string[] }
}

const rowsOf = (out: string) =>
  out
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((row) => row.split(/ {2,}/))

test('more findings are listed than a request may ask for', async () => {
  const { key, ids } = await newFindings(
    ...Array.from({ length: 430 }, (_, index) => ({ title: `Finding ${index}`, ruleId: `rule ${index}` })),
  )

  const all = await merlonJson(['issues', '--limit', '1000'], { key })
  const some = await merlon(['issues', '--limit', '401'], { key })

  expect(new Set(all.map(({ id }: { id: string }) => id))).toEqual(new Set(ids))
  expect(all).toHaveLength(430)
  expect(rowsOf(some.out)).toHaveLength(402)
  expect(some.out).toMatch(/\n401 of 430\n$/)
})

test('each finding is shown with where it is, whatever its type', async () => {
  const component = { description: 'Old', severity: 'LOW', package: 'left-pad', affectedVersion: '1.2.3' }
  const { key, ids } = await newFindings(
    { title: 'A line', fileName: 'a/b.c', vulnerableLine: 3 },
    { title: 'B request', type: 'DAST_FINDING', description: 'Open', method: 'GET', url: 'https://example.test/a' },
    { title: 'C package', type: 'SCA_FINDING', ...component },
    { title: 'D image', type: 'CONTAINER_FINDING', ...component, package: 'openssl' },
  )

  const { out } = await merlon(['issues', '--sort', 'title'], { key })
  const shown = await merlon(['issue', 'show', ids[1] ?? ''], { key })

  expect(rowsOf(out).map(([, , , title, place]) => [title, place])).toEqual([
    ['A line', 'a/b.c:3'],
    ['B request', 'GET https://example.test/a'],
    ['C package', 'left-pad@1.2.3'],
    ['D image', 'openssl@1.2.3'],
  ])
  expect(shown.out).toContain('\nGET https://example.test/a\n')
})

test('a finding of a whole file has no line', async () => {
  const { key, ids } = await newFindings({
    title: 'Too open',
    type: 'IAC_FINDING',
    description: 'All of it',
    fileName: 'a/b.c',
  })

  const { out } = await merlon(['issue', 'show', ids[0] ?? ''], { key })

  expect(out.split('\n')[1]).toBe('a/b.c')
})

test('titles ascend and severities descend unless a direction is said', async () => {
  const { key } = await newFindings(
    { title: 'B', severity: 'LOW', ruleId: 'b' },
    { title: 'A', severity: 'MEDIUM', ruleId: 'a' },
    { title: 'C', severity: 'HIGH', ruleId: 'c' },
  )
  const sorted = async (order: string) =>
    (await merlonJson(['issues', '--sort', order], { key })).map(({ title }: { title: string }) => title).join('')

  expect([await sorted('title'), await sorted('TITLE:desc')]).toEqual(['ABC', 'CBA'])
  expect([await sorted('severity'), await sorted('severity:asc')]).toEqual(['CAB', 'BAC'])
})

test.each([
  [['issues', '--severity', 'HIGH', 'FOO'], 'NOTIFICATION, LOW, MEDIUM, HIGH, CRITICAL'],
  [['issues', '--status', 'OPEN'], 'CREATED, DRAFT'],
  [['issues', '--type', 'SAST'], 'SAST_FINDING'],
  [['issues', '--sort', 'foo'], 'SEVERITY, STATUS'],
  [['issues', '--sort', 'title:up'], ':asc or :desc'],
  [['issue', 'status', '5', 'FOO'], 'CREATED, DRAFT'],
  [['export', '--format', 'csv', '--severity', 'FOO'], 'CRITICAL'],
  [['finding', 'push', '--severity', 'FOO'], 'CRITICAL'],
  [['ticket', 'create', 'A title', '--description', 'x', '--priority', 'P9'], 'P1, P2, P3'],
  [['seal', 'create', '--background', 'pink'], 'LIGHT, DARK, TRANSPARENT'],
  [['jobs', '--state', 'foo'], 'WAITING, RUNNING, GIVEN_UP'],
])('merlon %j is wrong use, and says which words there are', async (words, allowed) => {
  const { code, out, err } = await merlon(words, { key: 'any', environment: { MERLON_URL: 'http://127.0.0.1:9' } })

  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toContain(allowed)
  expect(err).toMatch(/^[^\n]+\n$/)
})

test('a finding is shown with its places and its history, and why it is one', async () => {
  const { key, ids } = await newFindings({ fileName: 'a/b.c', vulnerableLine: 3, branchName: 'main' })
  const [id = ''] = ids
  await merlon(['issue', 'status', id, 'IDENTIFIED', '--reason', 'Seen it'], { key })

  const { out } = await merlon(['issue', 'show', id], { key })

  const lines = out.split('\n')
  const after = (title: string) => lines[lines.indexOf(title) + 1] ?? ''
  expect(lines[0]).toBe(`${id}  MEDIUM  IDENTIFIED (Seen it)  SQL built from input`)
  expect(after('Places:')).toMatch(/^ {2}\d+ {2}\d{4}-\S+ {2}main {2}a\/b\.c:3$/)
  expect(out).toMatch(/\n {2}\S+ {2}SCAN {2}CREATED {2}\S+@\S+\n/)
  expect(out).toMatch(/\n {2}\S+ {2}PERSON {2}STATUS_CHANGED IDENTIFIED {2}\S+@\S+ {2}Seen it\n/)
  expect(lines).not.toContain('Witnesses:')
  expect(lines.at(-2)).toMatch(/^It may become /)
})

test('findings are merged and split with a reason', async () => {
  const { key, ids } = await newFindings({ ruleId: 'a' }, { ruleId: 'b', fileName: 'src/b.ts' })
  const [id = '', other = ''] = ids

  const merged = await merlon(['issue', 'merge', id, other, '--reason', 'The same'], { key })
  const shown = await merlon(['issue', 'show', id], { key })
  const split = await merlon(['issue', 'split', id, '--witness', other, '--reason', 'Not the same'], { key })
  const unsaid = await merlon(['issue', 'merge', id, other], { key })

  expect([merged.code, merged.out]).toEqual([0, `${other} is merged into issue ${id}\n`])
  expect(shown.out).toMatch(new RegExp(`Witnesses:\n(.*\n)*  ${other}  `))
  expect(shown.out).toMatch(new RegExp(`Merged into it:\n  ${other}  .*The same`))
  expect([split.code, split.out]).toEqual([0, `Issue ${other} is now a separate finding: SQL built from input\n`])
  expect([unsaid.code, unsaid.err]).toEqual([2, expect.stringContaining('--reason')])
})
