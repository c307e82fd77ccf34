// What the command line says of names, numbers, files and configurations that are wrong.

import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { administratorKey, run, unique } from '../testkit/client.ts'
import { home } from '../testkit/home.ts'
import { newWorld } from '../testkit/world.ts'
import { merlon, merlonJson } from './command.ts'
import { newRepository } from './repository.ts'

const temporary = () => mkdtempSync(join(tmpdir(), 'merlon-use-'))

describe('wrong use ends with 2 and a sentence', () => {
  test('of a number, a file, a directory or an address', async () => {
    const { owner } = await newWorld()
    const as = { key: owner.key }
    await merlonJson(['asset', 'create', 'service'], as)
    const push = ['finding', 'push', '--title', 'A finding', '--file', 'a.ts', '--line']
    const nothing = join(temporary(), 'nothing')
    writeFileSync(nothing, '')

    const ended = [
      await merlon(['issues', '--limit', 'many'], as),
      await merlon([...push, 'first'], as),
      await merlon(['attachment', 'add', 'missing.txt'], as),
      await merlon(['attachment', 'add', temporary()], as),
      await merlon(['review', '--diff', 'missing.diff'], as),
      await merlon(['advisories', 'import', 'missing.zip'], as),
      await merlon(['review', '--diff', nothing, '--advisories', 'missing.zip'], as),
      await merlon(['scan', 'http://127.0.0.1:9/', '--schema', 'missing.json'], as),
      await merlon(['scan', 'http://127.0.0.1:9/', '--identity', temporary()], as),
      await merlon(['import', `${nothing}/report.sarif`], as),
      await merlon(['seal', 'update', '1', '--enable', '--disable'], as),
      await merlon(['deploy', 'create', '--branch', ''], as),
      await merlon(['company', 'list'], { ...as, environment: { MERLON_URL: 'ftp://127.0.0.1' } }),
    ]

    expect(ended.map(({ code }) => code)).toEqual(ended.map(() => 2))
    expect(ended.map(({ err }) => err.split('\n')[0])).toEqual([
      expect.stringContaining('whole number above 0'),
      expect.stringContaining('whole number above 0'),
      'There is no file missing.txt',
      expect.stringMatching(/ is a directory$/),
      'There is no file missing.diff',
      'There is no file missing.zip',
      'There is no file missing.zip',
      'There is no file missing.json',
      expect.stringMatching(/ is a directory$/),
      `There is no file ${nothing}/report.sarif: its folder is a file`,
      expect.stringContaining('cannot be used with'),
      expect.stringMatching(/'--branch <name>'.* It is empty\./),
      'The address of the service must begin with http:// or https://, and is ftp://127.0.0.1: give it with MERLON_URL or merlon login --url',
    ])
  })

  // whoever may everything reads such a folder all the same
  test.skipIf(process.getuid?.() === 0)('of a folder of reports with one in it that may not be read', async () => {
    const { owner } = await newWorld()
    await merlonJson(['asset', 'create', 'service'], { key: owner.key })
    const folder = temporary()
    const shut = join(folder, 'shut')
    mkdirSync(shut, { mode: 0 })

    const ended = await merlon(['import', folder], { key: owner.key })

    expect(ended).toMatchObject({ code: 2, err: `${shut} may not be read\n` })
  })

  test('of what login kept, when it cannot be read', async () => {
    const home = temporary()
    mkdirSync(join(home, 'merlon'))
    writeFileSync(join(home, 'merlon', 'credentials.json'), 'null')

    const ended = await merlon(['company', 'list'], { environment: { XDG_CONFIG_HOME: home } })

    expect(ended.code).toBe(2)
    expect(ended.err).toMatch(/credentials\.json cannot be read; run merlon login again\n$/)
  })

  test.each([
    [['deploy', 'create'], 'run this in a clone (git says: '],
    [['gate'], 'run this in a clone, or name a deploy with --deploy (git says: '],
    [['review'], 'run this in a clone, or give a diff with --diff (git says: '],
  ])('of %j outside a repository, with what to do and the sentence of git', async (words, sentence) => {
    const { owner } = await newWorld()
    await merlonJson(['asset', 'create', 'service'], { key: owner.key })

    const ended = await merlon(words, { key: owner.key, cwd: temporary() })

    expect(ended).toMatchObject({ code: 2, err: expect.stringContaining('not a git repository') })
    expect(ended.err).toContain(sentence)
  })

  test.each([
    [['gate', '--deploy', 'abc'], 'id'],
    [['issue', 'show', 'abc'], 'id'],
    [['keys', 'revoke', 'abc'], 'id'],
    [['keys', 'create', 'pipeline', '--scope', 'foo'], 'scope foo'],
    [['issue', 'status', '1', 'risk_accepted', '--until', 'tomorrow'], '--until'],
    [['seal', 'create', '--domain', 'not a domain'], 'domain'],
  ])('of %j', async (words, named) => {
    const { owner } = await newWorld()
    await merlonJson(['asset', 'create', 'service'], { key: owner.key })

    const ended = await merlon(words, { key: owner.key })

    expect(ended).toMatchObject({ code: 2, out: '', err: expect.stringContaining(named) })
  })

  test('of a flag that there is not, with where to read on and without the whole help', async () => {
    const { err } = await merlon(['seal', 'create', '--colour', 'red'])

    expect(err).toBe("error: unknown option '--colour'\nSee merlon seal create --help\n")
  })

  test('of a key with white space in it, which is not sent', async () => {
    const ended = await merlon(['company', 'list'], {
      key: 'mrl_a b',
      environment: { MERLON_URL: 'http://127.0.0.1:9' },
    })

    expect(ended).toMatchObject({ code: 2, err: expect.stringContaining('has characters that no key has') })
  })

  test('of an asset that is not there, by its id as by its name', async () => {
    const { owner } = await newWorld()

    const ended = [
      await merlon(['issues', '--asset', '999999999'], { key: owner.key }),
      await merlon(['issues', '--asset', 'nobody'], { key: owner.key }),
      await merlon(['issue', 'show', '999999999'], { key: owner.key }),
    ]

    expect(ended.map(({ code }) => code)).toEqual([2, 2, 2])
    expect(ended.map(({ err }) => err).slice(0, 2)).toEqual([
      'There is no asset 999999999\n',
      'There is no asset called nobody\n',
    ])
  })
})

test('a download that is cut off leaves no file behind', async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('the beginning')
    setImmediate(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const environment = { MERLON_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  const file = join(temporary(), 'notes.txt')

  const ended = await merlon(['attachment', 'get', '1', file], { key: 'any', environment })
  server.close()

  expect(ended).toMatchObject({ code: 3, err: 'The attachment ended before it was complete\n' })
  expect(existsSync(file)).toBe(false)
})

test('an interrupted deploy leaves no diff behind', async () => {
  const directory = temporary()
  const repository = newRepository()
  repository.commit({ 'a.ts': 'one\n' })
  const listOf = (...collection: unknown[]) => ({ collection, metadata: { limitValue: 100 } })
  let running: ChildProcess | undefined
  const server = createServer((request, response) => {
    // the upload is never answered
    if (request.headers['content-type']?.startsWith('multipart/')) request.once('data', () => running?.kill('SIGINT'))
    else response.end(JSON.stringify({ data: { assets: listOf({ id: '1' }), deploysByAsset: listOf() } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const MERLON_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const ended = await merlon(['deploy', 'create', '--company', '1', '--asset', '1'], {
    key: 'any',
    cwd: repository.directory,
    environment: { MERLON_URL, TMPDIR: directory },
    onStart: (child) => {
      running = child
    },
  })
  server.closeAllConnections()
  server.close()

  expect(ended.code).toBe(130)
  expect(readdirSync(directory)).toEqual([])
})

test('a reader that has enough is no failure', async () => {
  const { owner } = await newWorld()
  for (const name of ['one', 'two', 'three']) await merlonJson(['asset', 'create', name], { key: owner.key })

  const ended = await merlon(['asset', 'list'], { key: owner.key, isDeaf: true })

  expect(ended).toMatchObject({ code: 0, err: '' })
})

/** The name of a database without tables, which is dropped after the test. */
async function newDatabase(): Promise<string> {
  const name = `merlon_empty_${randomBytes(6).toString('hex')}`
  const client = new pg.Client(home().connection)
  await client.connect()
  onTestFinished(() => client.query(`drop database ${name}`).then(() => client.end()))
  await client.query(`create database ${name}`)
  return name
}

describe('what works on the database itself', () => {
  test.each([
    ['backup', 'kept'],
    ['audit', 'verify'],
    ['advisories', 'list'],
    ['root-key', 'rotate'],
    ['restore', 'kept'],
  ])('%s makes no installation where there is none', async (...words) => {
    const cwd = temporary()

    const ended = await merlon(words, { cwd, environment: { MERLON_DATA: '' } })

    expect(ended.err).toMatch(/^(There is no installation in|kept holds no backup)[^\n]*\n$/)
    expect(readdirSync(cwd)).toEqual([])
  })

  test.each([
    ['that is empty', 'The database has no tables of Merlon, or older ones: run merlon migrate'],
    ['that is missing', 'database "none" does not exist'],
  ])('a database %s is told of in a sentence, and leaves no part of a backup', async (which, sentence) => {
    const database = which === 'that is empty' ? await newDatabase() : 'none'
    const target = join(temporary(), 'kept')
    const { connectionString = 'postgres:///', host, port, user } = home().connection
    const address = new URL(connectionString)
    address.pathname = `/${database}`
    for (const [name, value] of Object.entries({ host, port, user })) {
      if (value !== undefined) address.searchParams.set(name, String(value))
    }

    const ended = await merlon(['backup', target], {
      environment: { DATABASE_URL: address.href, MERLON_DATA: temporary() },
    })

    expect(ended.code).toBe(1)
    expect(ended.err).toContain(sentence)
    expect(ended.err.trim().split('\n')).toHaveLength(1)
    expect(existsSync(target) ? readdirSync(target) : []).toEqual([])
  })
})

describe('a name', () => {
  test('that two have is no name for one of them', async () => {
    const label = unique('Company')
    const key = administratorKey()
    const made = [
      await merlonJson(['company', 'create', label], { key }),
      await merlonJson(['company', 'create', label], { key }),
    ]

    const named = await merlon(['asset', 'list', '--company', label], { key })
    const byId = await merlonJson(['asset', 'list', '--company', made[1].id], { key })
    const otherLabel = unique('Company')
    const other = await merlonJson(['company', 'create', otherLabel], { key })
    const issued = await merlonJson(['keys', 'create', 'pipeline', '--company', otherLabel], { key })
    const audited = await merlonJson(['audit', 'list', '--company', otherLabel], { key })

    expect(named.code).toBe(2)
    const those = made.map(({ id }) => `${id} (${label})`)
    expect(named.err).toMatch(/^There is more than one company called .*: say which with --company and its id: /)
    expect(named.err.trim().split('its id: ')[1]?.split(', ').toSorted()).toEqual(those.toSorted())
    expect(byId).toEqual([])
    expect(issued.apiKey.companyIds).toEqual([other.id])
    expect(audited[0]).toMatchObject({ operation: 'createCompany', object: `Company ${other.id}` })
  })

  test('is found among more others that hold it than a page shows', async () => {
    const { owner, companyId } = await newWorld()
    const create = `mutation ($input: CreateAssetInput!) { createAsset(input: $input) { asset { id } } }`
    const { createAsset } = await run(owner.key, create, { input: { companyId: Number(companyId), name: 'api' } })
    const others = Array.from({ length: 120 }, (_, index) => `api ${index}`)
    for (const name of others) await run(owner.key, create, { input: { companyId: Number(companyId), name } })

    const found = await merlonJson(['issues', '--asset', 'api'], { key: owner.key })
    const listed = await merlonJson(['asset', 'list'], { key: owner.key })

    expect(found).toEqual([])
    expect(listed).toHaveLength(121)
    expect(listed.at(-1).id).toBe(createAsset.asset.id)
  })
})

test('a deploy is the same whatever git is configured to show', async () => {
  const { owner } = await newWorld()
  await merlonJson(['asset', 'create', 'service'], { key: owner.key })
  const repository = newRepository()
  const settings = { noprefix: 'true', relative: 'true', context: '0', suppressBlankEmpty: 'true', submodule: 'log' }
  for (const [name, value] of Object.entries(settings)) repository.git('config', `diff.${name}`, value)
  for (const folder of ['b', 'inner']) mkdirSync(join(repository.directory, folder))
  repository.commit({ 'b/a.ts': 'one\n\ntwo\n', 'inner/b.ts': 'three\n', 'c.ts': 'four\n' })

  const deploy = await merlonJson(['deploy', 'create'], { key: owner.key, cwd: join(repository.directory, 'inner') })
  const shown = await run(
    owner.key,
    'query ($id: ID!) { deploy(id: $id) { changes { collection { newPath added } } } }',
    { id: deploy.id },
  )

  expect(deploy).toMatchObject({ diffState: 'PARSED', files: 3, added: 5 })
  expect(shown.deploy.changes.collection).toEqual([
    { newPath: 'b/a.ts', added: 3 },
    { newPath: 'c.ts', added: 1 },
    { newPath: 'inner/b.ts', added: 1 },
  ])
})

test('renamed and edited files are found again whatever git is configured to look for', async () => {
  const { owner } = await newWorld()
  await merlonJson(['asset', 'create', 'service'], { key: owner.key })
  const repository = newRepository()
  const here = { key: owner.key, cwd: repository.directory }
  const linesOf = (name: string) => Array.from({ length: 20 }, (_, n) => `${name} ${n}\n`).join('')
  repository.commit({ 'a.ts': linesOf('a'), 'b.ts': linesOf('b'), order: '*.md\n' })
  await merlonJson(['deploy', 'create'], here)
  const settings = { renameLimit: '1', renames: 'false', algorithm: 'patience', orderFile: 'order' }
  for (const [name, value] of Object.entries(settings)) repository.git('config', `diff.${name}`, value)
  repository.git('mv', 'a.ts', 'c.ts')
  repository.git('mv', 'b.ts', 'd.ts')
  repository.commit({ 'c.ts': `top\n${linesOf('a')}`, 'd.ts': `top\n${linesOf('b')}`, 'z.md': 'words\n' })

  const deploy = await merlonJson(['deploy', 'create'], here)
  const shown = await run(
    owner.key,
    'query ($id: ID!) { deploy(id: $id) { changes { collection { kind oldPath newPath added removed } } } }',
    { id: deploy.id },
  )

  expect(shown.deploy.changes.collection).toEqual([
    { kind: 'RENAMED', oldPath: 'a.ts', newPath: 'c.ts', added: 1, removed: 0 },
    { kind: 'RENAMED', oldPath: 'b.ts', newPath: 'd.ts', added: 1, removed: 0 },
    { kind: 'ADDED', oldPath: null, newPath: 'z.md', added: 1, removed: 0 },
  ])
})

test('what a finding says can neither move the cursor of whoever reads it nor turn its text', async () => {
  const { owner } = await newWorld()
  await merlonJson(['asset', 'create', 'service'], { key: owner.key })
  const finding = {
    title: 'Red \u001b[31m and \u009b2J, \u202etxet denrut\u2069',
    description: 'First line.\nSecond\u001b]0;title\u0007 line.',
    fileName: 'a.ts',
    vulnerableLine: 3,
    firstLine: 3,
    codeSnippet: 'eval(x)',
  }
  const { findings } = await merlonJson(['finding', 'push', '-', '--no-git'], {
    key: owner.key,
    input: JSON.stringify(finding),
  })
  const [{ issueId }] = findings

  const shown = await merlon(['issue', 'show', issueId], { key: owner.key })
  const json = await merlon(['issue', 'show', issueId, '--json'], { key: owner.key })

  expect(shown.out).toContain('First line.\nSecond ')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  expect(shown.out + json.out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2069]/)
  expect(JSON.parse(json.out).title).toBe(finding.title)
})

test('the help of a command describes the options that many commands share, and what it says itself of one', async () => {
  const [shared, own] = await Promise.all([
    merlon(['attachment', 'list', '--help']),
    merlon(['audit', 'list', '--help']),
  ])

  const lines = (help: string) => help.replace(/\n {20,}/g, ' ')
  expect(lines(shared.out)).toMatch(
    /--company <id or label> +the company; by default the only one that your key can see/,
  )
  expect(lines(shared.out)).toMatch(/--json +print the result as JSON/)
  expect(lines(own.out)).toMatch(/--company <id or label> +the changes in this company/)
})
