// The command line, run as its own process against the service.

import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { administratorKey, run, unique } from '../testkit/client.ts'
import { serviceUrl } from '../testkit/service.ts'
import { newAsset, newDeploy, newWorld } from '../testkit/world.ts'
import { merlon, merlonJson } from './command.ts'
import { newRepository } from './repository.ts'

const lines = (count: number, prefix = 'line') =>
  Array.from({ length: count }, (_, index) => `${prefix} ${index + 1}\n`).join('')

const PLACES = 'query ($id: ID!) { issue(id: $id) { occurrences { branchName commit firstDeployId } } }'

describe('the command line', () => {
  test('an administrator makes a company, and its owner an asset, a project and a key', async () => {
    const label = unique('Company')
    const { owner, companyId } = await newWorld()

    const company = await merlonJson(['company', 'create', label], { key: administratorKey() })
    const asset = await merlonJson(['asset', 'create', 'service', '--tag', 'one', 'two'], { key: owner.key })
    const project = await merlonJson(['project', 'create', 'Review', '--type', 'scr', '--asset', 'service'], {
      key: owner.key,
    })
    const issued = await merlonJson(['keys', 'create', 'pipeline', '--scope', 'read'], { key: owner.key })
    const seen = await merlonJson(['company', 'list'], { key: issued.key })

    expect(company.label).toBe(label)
    expect(asset).toMatchObject({ name: 'service', assetsTagList: ['one', 'two'] })
    expect(project).toMatchObject({ label: 'Review', projectType: { label: 'Secure code review' } })
    expect(seen.map(({ id }: { id: string }) => id)).toEqual([companyId])
  })

  test('records of changes are those of the installation where no company is named, and the answer says so', async () => {
    const label = unique('Company')
    const key = administratorKey()
    await merlonJson(['company', 'create', label], { key })
    const whose = "These are the installation's own records; --company <id or label> lists a company's\n"

    const own = await merlon(['audit', 'list', '--search', label], { key })
    const ofCompany = await merlon(['audit', 'list', '--company', label], { key })

    expect(own).toMatchObject({ code: 0, out: `Nothing found\n${whose}` })
    expect(ofCompany.out).toContain('createCompany')
    expect(ofCompany.out).not.toContain(whose)
  })

  test('a table is for people: a head, a row for each record, no JSON', async () => {
    const { owner } = await newWorld()
    await merlonJson(['asset', 'create', 'service'], { key: owner.key })

    const { out, code } = await merlon(['asset', 'list'], { key: owner.key })

    expect(code).toBe(0)
    expect(out.split('\n')[0]).toMatch(/^ID +NAME +IMPACT/)
    expect(out.split('\n')[1]).toMatch(/^\d+ +service +NOT_DEFINED/)
  })

  test('each way to end has its code and its sentence, and no stack', async () => {
    const { owner } = await newWorld()

    const refused = await merlon(['company', 'create', 'Mine'], { key: owner.key })
    const wrongFlag = await merlon(['issues', '--nonsense'], { key: owner.key })
    const wrongName = await merlon(['asset', 'delete', 'nobody'], { key: owner.key })
    const noKey = await merlon(['company', 'list'])
    const unreachable = await merlon(['company', 'list'], {
      key: owner.key,
      environment: { MERLON_URL: 'http://127.0.0.1:5999' },
    })

    expect(refused).toMatchObject({ code: 1, err: 'Only an administrator of this installation may do this\n' })
    expect(wrongFlag.code).toBe(2)
    expect(wrongName).toMatchObject({ code: 2, err: 'There is no asset called nobody\n' })
    expect(noKey).toMatchObject({ code: 2, err: 'No key: set MERLON_API_KEY, or run merlon login\n' })
    expect(unreachable).toMatchObject({
      code: 3,
      err: 'http://127.0.0.1:5999/graphql cannot be reached (ECONNREFUSED)\n',
    })
  })

  test('login keeps what the service accepted, for its owner alone, and nothing that it did not', async () => {
    const { owner } = await newWorld()
    const home = mkdtempSync(join(tmpdir(), 'merlon-home-'))
    const environment = { MERLON_URL: await serviceUrl(), XDG_CONFIG_HOME: home }
    const file = join(home, 'merlon', 'credentials.json')

    const wrong = await merlon(['login', '--key', 'mrl_wrong'], { environment })
    const right = await merlon(['login', '--key', owner.key], { environment })
    const later = await merlon(['company', 'list'], { environment })

    expect(wrong.code).toBe(1)
    expect(right).toMatchObject({ code: 0 })
    expect(right.out + right.err).not.toContain(owner.key)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(later.code).toBe(0)
  })

  test('deploy create pushes what has come since the last deploy, from the empty tree on', async () => {
    const { owner } = await newWorld()
    await merlonJson(['asset', 'create', 'service'], { key: owner.key })
    const repository = newRepository()
    const here = { key: owner.key, cwd: repository.directory }
    const first = repository.commit({ 'a.ts': lines(10), 'b.ts': lines(5) })

    const whole = await merlonJson(['deploy', 'create'], here)
    const again = await merlon(['deploy', 'create'], here)
    const second = repository.commit({ 'a.ts': lines(10).replace('line 5\n', '') })
    const next = await merlonJson(['deploy', 'create'], here)
    const listed = await merlonJson(['deploy', 'list'], here)

    expect(whole).toMatchObject({
      branchName: 'main',
      currentCommit: first,
      diffState: 'PARSED',
      files: 2,
      added: 15,
      removed: 0,
    })
    expect(whole.previousCommit).toBe('4b825dc642cb6eb9a060e54bf8d69288fbee4904')
    expect(again).toMatchObject({ code: 0, out: `${first.slice(0, 10)} is already deployed; there is nothing new\n` })
    expect(next).toMatchObject({ previousCommit: first, currentCommit: second, files: 1, added: 0, removed: 1 })
    expect(listed.map(({ currentCommit }: { currentCommit: string }) => currentCommit)).toEqual([second, first])
  })

  test('a new branch starts from the deployed commit that it left', async () => {
    const { owner } = await newWorld()
    await merlonJson(['asset', 'create', 'service'], { key: owner.key })
    const repository = newRepository()
    const here = { key: owner.key, cwd: repository.directory }
    const base = repository.commit({ 'a.ts': lines(10) })
    await merlonJson(['deploy', 'create'], here)
    repository.git('switch', '--quiet', '--create', 'feature')
    repository.commit({ 'c.ts': lines(3) })

    const deploy = await merlonJson(['deploy', 'create'], here)

    expect(deploy).toMatchObject({ branchName: 'feature', previousCommit: base, files: 1, added: 3 })
  })

  test('a deploy begins where the last one did that leads to it, however many others came since', async () => {
    const { owner, companyId } = await newWorld()
    const asset = await newAsset(owner.key, companyId)
    const repository = newRepository()
    const here = { key: owner.key, cwd: repository.directory }
    const first = repository.commit({ 'a.ts': lines(3) })
    await merlonJson(['deploy', 'create'], here)
    for (let n = 0; n < 101; n += 1) await newDeploy(owner.key, asset.id, '', { branchName: 'elsewhere' })
    repository.git('switch', '--quiet', '--create', 'feature')
    repository.commit({ 'b.ts': lines(2) })

    const deploy = await merlonJson(['deploy', 'create'], here)
    const listed = await merlon(['deploy', 'list'], here)
    const all = await merlonJson(['deploy', 'list', '--limit', '200'], here)

    expect(deploy).toMatchObject({ branchName: 'feature', previousCommit: first, files: 1 })
    expect(listed.out).toMatch(/\n100 of 103\n$/)
    expect(all).toHaveLength(103)
  })

  test('findings are reported line by line, and a line that is refused is named', async () => {
    const { owner } = await newWorld()
    await merlonJson(['asset', 'create', 'service'], { key: owner.key })
    const file = join(mkdtempSync(join(tmpdir(), 'merlon-findings-')), 'findings.ndjson')
    const finding = (line: number) => ({
      title: 'Path from input',
      description: 'It reaches a file.',
      fileName: 'a.ts',
      vulnerableLine: line,
      firstLine: line,
      codeSnippet: `read(${line})`,
      severity: 'HIGH',
    })
    const { description: _, ...undescribed } = finding(5)
    const sent = [
      finding(1),
      { ...finding(3), title: '' },
      finding(4),
      undescribed,
      { ...finding(6), severity: 'BAD' },
      { ...finding(7), ruleid: 'path', secret: 'x' },
    ]
    const [first, ...others] = sent.map((one) => JSON.stringify(one))
    writeFileSync(file, `${[first, 'no json', ...others].join('\n')}\n`)

    const pushed = await merlon(['finding', 'push', file, '--branch', 'main', '--json'], { key: owner.key })
    const again = await merlonJson(['finding', 'push', '-', '--branch', 'main'], {
      key: owner.key,
      input: `${JSON.stringify(finding(1))}\n`,
    })
    const listed = await merlonJson(['issues', '--severity', 'high', '--branch', 'main'], { key: owner.key })

    const told = JSON.parse(pushed.out)
    expect(pushed.code).toBe(1)
    expect(told.findings.map(({ line, outcome }: Record<string, unknown>) => [line, outcome])).toEqual([
      [1, 'CREATED'],
      [4, 'CREATED'],
    ])
    const refused = new Map(told.refused.map(({ line, message }: Record<string, unknown>) => [line, message]))
    expect([...refused.keys()].sort()).toEqual([2, 3, 5, 6, 7])
    expect(refused.get(5)).toBe('description of type String! is required')
    expect(refused.get(6)).toMatch(/^severity: /)
    expect(refused.get(7)).toMatch(
      /^There is no member ruleid; did you mean ruleId\?; There is no member secret; there are /,
    )
    expect(pushed.err).toContain('5 of 7 findings were refused')
    expect(again.findings[0]).toMatchObject({ outcome: 'UNCHANGED', issueId: told.findings[0].issueId })
    expect(listed).toHaveLength(2)
  })

  test('findings that are larger than a request together are all reported, and one that is by itself is named', async () => {
    const { owner } = await newWorld()
    await merlonJson(['asset', 'create', 'service'], { key: owner.key })
    const finding = (line: number, description: string) =>
      JSON.stringify({
        title: 'Eval',
        description,
        fileName: 'a.ts',
        vulnerableLine: line,
        firstLine: line,
        codeSnippet: 'e',
      })
    const large = Array.from({ length: 40 }, (_, index) => finding(index + 1, 'd'.repeat(75_000)))
    const input = [...large, finding(41, 'd'.repeat(2 ** 22)), finding(42, 'd')].join('\n')

    const { code, out } = await merlon(['finding', 'push', '-', '--no-git', '--json'], { key: owner.key, input })

    const told = JSON.parse(out)
    expect(code).toBe(1)
    expect(told.refused).toEqual([{ line: 41, message: 'It is larger than a request may be' }])
    expect(told.findings.map(({ line }: { line: number }) => line)).toEqual([...large.keys(), 41].map((at) => at + 1))
  })

  test('findings are of the branch and commit that are checked out, unless a flag or their line says otherwise', async () => {
    const { owner, companyId } = await newWorld()
    const asset = await newAsset(owner.key, companyId)
    const repository = newRepository()
    const commit = repository.commit({ 'a.ts': lines(10) })
    const here = { key: owner.key, cwd: repository.directory }
    const deploy = await merlonJson(['deploy', 'create'], here)
    const elsewhere = await newDeploy(owner.key, asset.id, '', { branchName: 'elsewhere' })
    const push = async (line: number, flags: string[] = [], more: Record<string, unknown> = {}) => {
      const finding = { title: 'Eval', description: 'd', fileName: 'a.ts', codeSnippet: 'eval(x)', ...more }
      const input = JSON.stringify({ ...finding, vulnerableLine: line, firstLine: line })
      const { findings } = await merlonJson(['finding', 'push', '-', ...flags], { ...here, input })
      const [place] = (await run(owner.key, PLACES, { id: findings[0].issueId })).issue.occurrences
      return place
    }

    const pushed = await push(3)
    const named = await push(4, ['--branch', 'other'])
    const deployed = await push(5, [], { deployId: elsewhere.id })
    const ungit = await push(6, ['--no-git'])

    expect(pushed).toEqual({ branchName: 'main', commit, firstDeployId: deploy.id })
    expect(named).toMatchObject({ branchName: 'other' })
    expect(deployed).toMatchObject({ branchName: 'elsewhere', firstDeployId: elsewhere.id })
    expect(ungit).toMatchObject({ branchName: null })
  })

  test('a finding from flags is decided about from the command line', async () => {
    const { owner } = await newWorld()
    await merlonJson(['asset', 'create', 'service'], { key: owner.key })
    const flags = [
      '--title',
      'A finding',
      '--file',
      'a.ts',
      '--line',
      '3',
      '--snippet',
      'eval(x)',
      '--category',
      'CWE-95',
    ]
    const { findings } = await merlonJson(['finding', 'push', ...flags], { key: owner.key })
    const [{ issueId }] = findings

    const forbidden = await merlon(['issue', 'status', issueId, 'draft'], { key: owner.key })
    const decided = await merlonJson(['issue', 'status', issueId, 'false_positive', '--reason', 'It is a test'], {
      key: owner.key,
    })
    const shown = await merlonJson(['issue', 'show', issueId], { key: owner.key })

    expect(forbidden.code).toBe(1)
    expect(decided.status).toBe('FALSE_POSITIVE')
    expect(shown).toMatchObject({
      title: 'A finding',
      status: 'FALSE_POSITIVE',
      detail: { fileName: 'a.ts', vulnerableLine: 3 },
    })
  })

  test('a file goes up and comes down the same', async () => {
    const { owner } = await newWorld()
    const directory = mkdtempSync(join(tmpdir(), 'merlon-files-'))
    const [sent, received] = [join(directory, 'notes.bin'), join(directory, 'received.bin')]
    writeFileSync(sent, Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251)))

    const attachment = await merlonJson(['attachment', 'add', sent, '--description', 'Notes'], { key: owner.key })
    const got = await merlon(['attachment', 'get', attachment.id, received], { key: owner.key })
    const again = await merlon(['attachment', 'get', attachment.id, sent], { key: owner.key })

    expect(attachment).toMatchObject({ archiveFilename: 'notes.bin', size: 100_000 })
    expect(got.code).toBe(0)
    expect(readFileSync(received).equals(readFileSync(sent))).toBe(true)
    expect(again).toMatchObject({ code: 2, err: `${sent} already exists: name a new file\n` })
  })

  test('tickets are counted, and a seal is made and fetched', async () => {
    const { owner } = await newWorld()
    await merlonJson(['asset', 'create', 'service'], { key: owner.key })
    const file = join(mkdtempSync(join(tmpdir(), 'merlon-seal-')), 'seal.svg')

    const ticket = ['ticket', 'create', 'It broke', '--description', 'Yesterday.', '--domain', 'Billing']
    await merlonJson(ticket, { key: owner.key })
    const stats = await merlonJson(['ticket', 'stats'], { key: owner.key })
    const seal = await merlonJson(['seal', 'create', '--background', 'dark'], { key: owner.key })
    await merlon(['seal', 'fetch', seal.publicId, file], { key: owner.key })
    const again = await merlon(['seal', 'fetch', seal.publicId, file], { key: owner.key })

    expect(stats).toEqual([{ count: 1, domain: expect.objectContaining({ name: 'Billing' }) }])
    expect(readFileSync(file, 'utf8')).toContain('<svg')
    expect(again).toMatchObject({ code: 2, err: `${file} already exists: name a new file\n` })
  })
})
