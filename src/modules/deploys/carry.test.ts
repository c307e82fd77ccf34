// Findings carried by deploys that follow, through the endpoint, with the diffs that git makes of a real repository.

import { describe, expect, test } from 'vitest'
import { type Data, refusal, run } from '../../../test/testkit/client.ts'
import {
  type CodeHome,
  changed,
  deployed,
  lineageOf,
  lines,
  newCodeHome,
  placesOf,
  said,
  without,
} from '../../../test/testkit/code-home.ts'
import { countStatements } from '../../../test/testkit/service.ts'
import { emptyTree } from '../../../test/testkit/world.ts'

describe('a deploy that follows', () => {
  test('carries each finding to where its line is, and says what became of it', async () => {
    const home = await newCodeHome()
    const { repository, finding } = home
    const base = repository.commit({
      'src/moved.ts': lines('moved'),
      'src/old-name.ts': lines('renamed'),
      'src/edited.ts': lines('edited'),
      'src/deleted.ts': lines('deleted'),
      'src/lost.ts': lines('lost'),
      'src/same.ts': lines('same'),
    })
    const first = await deployed(home, repository.diff(emptyTree, base), emptyTree, base)
    const ids = [
      await finding('src/moved.ts', 10),
      await finding('src/moved.ts', 1),
      await finding('src/old-name.ts', 5),
      await finding('src/edited.ts', 7),
      await finding('src/deleted.ts', 3),
      await finding('src/lost.ts', 12),
      await finding('src/lost.ts', 15),
      await finding('src/same.ts', 4),
    ]
    const next = repository.commit({
      'src/moved.ts': [...lines('moved').slice(0, 4), 'new', 'newer', ...lines('moved').slice(4)],
      'src/old-name.ts': null,
      'src/new-name.ts': ['added', ...lines('renamed')],
      'src/edited.ts': ['above', ...changed(lines('edited'), 7)],
      'src/deleted.ts': null,
      'src/lost.ts': without(lines('lost'), 11, 12),
    })

    const second = await deployed(home, repository.diff(base, next), base, next)

    const query = `query ($id: ID!) { deploy(id: $id) { lineage isCarried findings { moved renamed touched removed }
      touched { collection { id } } fixed { collection { id } }
      changes { collection { oldPath newPath findings { moved renamed touched removed } } } } }`
    const { deploy } = await run(home.key, query, { id: second.id })
    expect(await placesOf(home, ids)).toEqual([
      ['src/moved.ts', 12, 'MOVED'],
      ['src/moved.ts', 1, null],
      ['src/new-name.ts', 6, 'RENAMED'],
      ['src/edited.ts', 8, 'TOUCHED'],
      ['src/deleted.ts', 3, 'REMOVED'],
      ['src/lost.ts', 12, 'REMOVED'],
      ['src/lost.ts', 13, 'MOVED'],
      ['src/same.ts', 4, null],
    ])
    expect(await said(home, second.id, ids)).toEqual([
      'MOVED',
      'UNCHANGED',
      'RENAMED',
      'TOUCHED',
      'REMOVED',
      'REMOVED',
      'MOVED',
      'UNCHANGED',
    ])
    expect(await said(home, first.id, ids)).toEqual(Array(8).fill(null))
    expect(deploy).toMatchObject({
      lineage: 'FOLLOWS',
      isCarried: true,
      findings: { moved: 2, renamed: 1, touched: 1, removed: 2 },
      touched: { collection: [{ id: ids[3] }] },
      fixed: { collection: [{ id: ids[5] }, { id: ids[4] }] },
    })
    expect(deploy.changes.collection.find((change: Data) => change.oldPath === 'src/lost.ts').findings).toEqual({
      moved: 1,
      renamed: 0,
      touched: 0,
      removed: 1,
    })
  })

  test('leaves no finding closed, and keeps every place it has been', async () => {
    const home = await newCodeHome()
    const { repository } = home
    const [one, two, three] = [
      repository.commit({ 'a.ts': lines('a') }),
      repository.commit({ 'a.ts': ['0', ...lines('a')] }),
      repository.commit({ 'a.ts': null, 'b.ts': ['0', ...lines('a')] }),
    ]
    const four = repository.commit({ 'b.ts': without(['0', ...lines('a')], 6) })
    await deployed(home, repository.diff(emptyTree, one), emptyTree, one)
    const id = await home.finding('a.ts', 5)

    const second = await deployed(home, repository.diff(one, two), one, two)
    const third = await deployed(home, repository.diff(two, three), two, three)
    await deployed(home, repository.diff(three, four), three, four)

    const fields = 'status occurrences { isOpen disposition } places { path line commit deployId disposition }'
    const { issue } = await run(home.key, `query ($id: ID!) { issue(id: $id) { ${fields} } }`, { id })
    expect(issue.occurrences).toEqual([{ isOpen: true, disposition: 'REMOVED' }])
    expect(issue.status).not.toBe('FIX_ACCEPTED')
    expect(issue.places).toMatchObject([
      { path: 'a.ts', line: 5 },
      { path: 'a.ts', line: 6, commit: two, deployId: second.id, disposition: 'MOVED' },
      { path: 'b.ts', line: 6, commit: three, deployId: third.id, disposition: 'RENAMED' },
    ])
  })

  test('says of a finding that an earlier one moved that it is unchanged, and carries none that is removed', async () => {
    const home = await newCodeHome()
    const { repository } = home
    const one = repository.commit({ 'a.ts': lines('a'), 'b.ts': lines('b') })
    const two = repository.commit({ 'a.ts': ['0', ...lines('a')], 'b.ts': without(lines('b'), 9) })
    const three = repository.commit({ 'b.ts': ['0', ...without(lines('b'), 9)] })
    const ids = [await home.finding('a.ts', 5), await home.finding('b.ts', 9)]

    await deployed(home, repository.diff(one, two), one, two)
    const last = await deployed(home, repository.diff(two, three), two, three)

    expect(await placesOf(home, ids)).toEqual([
      ['a.ts', 6, 'UNCHANGED'],
      ['b.ts', 9, 'REMOVED'],
    ])
    expect(await said(home, last.id, ids)).toEqual(['UNCHANGED', null])
  })

  test('takes the commits of a log as one step', async () => {
    const home = await newCodeHome()
    const { repository } = home
    const one = repository.commit({ 'a.ts': lines('a') })
    repository.commit({ 'a.ts': ['0', ...lines('a')] })
    repository.commit({ 'a.ts': null, 'b.ts': ['0', ...lines('a')] })
    const four = repository.commit({ 'b.ts': ['x', '0', ...changed(lines('a'), 3)] })
    const ids = [await home.finding('a.ts', 5), await home.finding('a.ts', 3)]

    const { id } = await deployed(home, repository.log(one, four), one, four)

    expect(await placesOf(home, ids)).toEqual([
      ['b.ts', 7, 'RENAMED'],
      ['b.ts', 5, 'TOUCHED'],
    ])
    expect(await said(home, id, ids)).toEqual(['RENAMED', 'TOUCHED'])
  })

  test('may name the commit in short where the one before named it whole', async () => {
    const home = await newCodeHome()
    const { repository } = home
    const [one, two] = [repository.commit({ 'a.ts': lines('a') }), repository.commit({ 'a.ts': ['0', ...lines('a')] })]
    await deployed(home, repository.diff(emptyTree, one), emptyTree, one)
    const ids = [await home.finding('a.ts', 5)]

    const { id } = await deployed(home, repository.diff(one, two), one.slice(0, 8), two)

    expect(await lineageOf(home, id)).toEqual({ lineage: 'FOLLOWS', isCarried: true })
    expect(await placesOf(home, ids)).toEqual([['a.ts', 6, 'MOVED']])
  })

  test('leaves alone what was seen at its own commit already', async () => {
    const home = await newCodeHome()
    const { repository } = home
    const [one, two] = [repository.commit({ 'a.ts': lines('a') }), repository.commit({ 'a.ts': ['0', ...lines('a')] })]
    await deployed(home, repository.diff(emptyTree, one), emptyTree, one)
    const ids = [await home.finding('a.ts', 6, { commitRef: two })]

    await deployed(home, repository.diff(one, two), one, two)

    expect(await placesOf(home, ids)).toEqual([['a.ts', 6, null]])
  })

  test('cannot be deleted once findings refer to it', async () => {
    const home = await newCodeHome()
    const { repository } = home
    const [one, two] = [repository.commit({ 'a.ts': lines('a') }), repository.commit({ 'a.ts': ['0', ...lines('a')] })]
    await home.finding('a.ts', 5)
    const { id } = await deployed(home, repository.diff(one, two), one, two)

    const failure = await refusal(home.key, 'mutation ($id: ID!) { deleteDeploy(input: { id: $id }) { id } }', { id })

    expect(failure.extensions.code).toBe('FAILED_PRECONDITION')
  })

  test('takes as many statements for three hundred findings as for three', async () => {
    const [few, many] = [await newCodeHome(), await newCodeHome()]
    const ask = async (home: CodeHome, findings: number) => {
      const one = home.repository.commit({ 'a.ts': lines('a', 400), 'b.ts': lines('b') })
      const two = home.repository.commit({ 'a.ts': ['0', ...lines('a', 400)], 'b.ts': changed(lines('b'), 2) })
      await deployed(home, home.repository.diff(emptyTree, one), emptyTree, one)
      for (let line = 1; line <= findings; line++) await home.finding('a.ts', line)
      const diff = home.repository.diff(one, two)
      return countStatements(() => deployed(home, diff, one, two))
    }

    const three = await ask(few, 3)
    const threeHundred = await ask(many, 300)

    expect(threeHundred).toBe(three)
  })
})
