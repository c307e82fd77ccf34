// How deploys follow from those before them, and what is carried where they do not, through the endpoint.

import { describe, expect, test } from 'vitest'
import { deployed, lineageOf, lines, newCodeHome, placesOf, said } from '../../../test/testkit/code-home.ts'
import { emptyTree } from '../../../test/testkit/world.ts'

describe('a deploy of a new branch', () => {
  test('takes along the findings of the branch that stands at its previous commit, and leaves those as they are', async () => {
    const home = await newCodeHome()
    const { repository } = home
    const one = repository.commit({ 'a.ts': lines('a'), 'b.ts': lines('b') })
    const two = repository.commit({ 'a.ts': ['0', ...lines('a')], 'b.ts': null })
    await deployed(home, repository.diff(emptyTree, one), emptyTree, one)
    const ids = [await home.finding('a.ts', 5), await home.finding('b.ts', 2)]

    const { id } = await deployed(home, repository.diff(one, two), one, two, 'feature')

    expect(await lineageOf(home, id)).toEqual({ lineage: 'BRANCHES', isCarried: true })
    expect(await placesOf(home, ids, 'feature')).toEqual([
      ['a.ts', 6, 'MOVED'],
      ['b.ts', 2, 'REMOVED'],
    ])
    expect(await placesOf(home, ids)).toEqual([
      ['a.ts', 5, null],
      ['b.ts', 2, null],
    ])
  })
})

describe('the first deploy of a branch that left another one before that went on', () => {
  test('takes along the findings as they stood there', async () => {
    const home = await newCodeHome()
    const { repository } = home
    const one = repository.commit({ 'a.ts': lines('a'), 'b.ts': lines('b') })
    const { id: first } = await deployed(home, repository.diff(emptyTree, one), emptyTree, one)
    const ids = [await home.finding('a.ts', 5, { deployId: first }), await home.finding('b.ts', 2, { deployId: first })]
    const two = repository.commit({ 'a.ts': ['0', ...lines('a')], 'b.ts': null, 'c.ts': lines('c') })
    const { id: second } = await deployed(home, repository.diff(one, two), one, two)
    const later = await home.finding('c.ts', 3, { deployId: second })
    const side = repository.commit({ 'a.ts': ['0', '1', ...lines('a')], 'b.ts': lines('b') })

    const { id } = await deployed(home, repository.diff(one, side), one, side, 'feature')

    expect(await lineageOf(home, id)).toEqual({ lineage: 'BRANCHES', isCarried: true })
    expect(await placesOf(home, ids, 'feature')).toEqual([
      ['a.ts', 7, 'MOVED'],
      ['b.ts', 2, null],
    ])
    expect(await placesOf(home, [later], 'feature')).toEqual([null])
  })
})

describe('a deploy that does not follow', () => {
  test('carries nothing after a gap, and findings from before it stay where they were seen', async () => {
    const home = await newCodeHome()
    const { repository } = home
    const one = repository.commit({ 'a.ts': lines('a') })
    const two = repository.commit({ 'a.ts': ['0', ...lines('a')] })
    const three = repository.commit({ 'a.ts': ['00', '0', ...lines('a')] })
    const four = repository.commit({ 'a.ts': ['000', '00', '0', ...lines('a')] })
    await deployed(home, repository.diff(emptyTree, one), emptyTree, one)
    const before = await home.finding('a.ts', 5)

    const gap = await deployed(home, repository.diff(two, three), two, three)
    const after = await home.finding('a.ts', 7)
    const next = await deployed(home, repository.diff(three, four), three, four)

    expect(await lineageOf(home, gap.id)).toEqual({ lineage: 'GAP', isCarried: false })
    expect(await lineageOf(home, next.id)).toEqual({ lineage: 'FOLLOWS', isCarried: true })
    expect(await placesOf(home, [before, after])).toEqual([
      ['a.ts', 5, null],
      ['a.ts', 8, 'MOVED'],
    ])
    expect(await said(home, gap.id, [before, after])).toEqual([null, null])
    expect(await said(home, next.id, [before, after])).toEqual([null, 'MOVED'])
  })

  test('from an earlier commit of the branch forks it, and one that comes late leaves the branch where it is', async () => {
    const home = await newCodeHome()
    const { repository } = home
    const [zero, one, two] = [
      repository.commit({ 'a.ts': lines('a') }),
      repository.commit({ 'a.ts': ['0', ...lines('a')] }),
      repository.commit({ 'a.ts': ['00', '0', ...lines('a')] }),
    ]
    const three = repository.commit({ 'a.ts': ['000', '00', '0', ...lines('a')] })
    await deployed(home, repository.diff(emptyTree, zero), emptyTree, zero)

    const ahead = await deployed(home, repository.diff(one, two), one, two)
    const late = await deployed(home, repository.diff(zero, one), zero, one)
    const ids = [await home.finding('a.ts', 7)]
    const next = await deployed(home, repository.diff(two, three), two, three)
    const fork = await deployed(home, repository.diff(one, three), one, three)

    const lineages = await Promise.all([ahead, late, next, fork].map(({ id }) => lineageOf(home, id)))
    expect(lineages).toEqual([
      { lineage: 'GAP', isCarried: false },
      { lineage: 'LATE', isCarried: false },
      { lineage: 'FOLLOWS', isCarried: true },
      { lineage: 'FORKS', isCarried: false },
    ])
    expect(await placesOf(home, ids)).toEqual([['a.ts', 8, null]])
    expect(await said(home, next.id, ids)).toEqual(['MOVED'])
  })

  test('came late where another has gone through its commit, and is a rollback where it comes from where the branch stands', async () => {
    const home = await newCodeHome()
    const { repository } = home
    const [zero, one, two] = [
      repository.commit({ 'a.ts': lines('a') }),
      repository.commit({ 'a.ts': ['0', ...lines('a')] }),
      repository.commit({ 'a.ts': ['00', '0', ...lines('a')] }),
    ]
    const through = JSON.stringify([two, one].map((sha) => ({ sha, message: 'Says what it does' })))
    await deployed(home, repository.diff(emptyTree, zero), emptyTree, zero)
    const ahead = await deployed(home, repository.diff(zero, two), zero, two, undefined, through)
    const ids = [await home.finding('a.ts', 7)]

    const late = await deployed(home, repository.diff(zero, one), zero, one)
    const afterLate = await placesOf(home, ids)
    const elsewhere = await deployed(home, repository.diff(emptyTree, one), emptyTree, one, 'release')
    const back = await deployed(home, repository.diff(two, one), two, one)

    const lineages = await Promise.all([ahead, late, elsewhere, back].map(({ id }) => lineageOf(home, id)))
    expect(lineages).toEqual([
      { lineage: 'FOLLOWS', isCarried: true },
      { lineage: 'LATE', isCarried: false },
      { lineage: 'FIRST', isCarried: true },
      { lineage: 'FOLLOWS', isCarried: true },
    ])
    expect(afterLate).toEqual([['a.ts', 7, null]])
    expect(await placesOf(home, ids)).toEqual([['a.ts', 6, 'MOVED']])
  })

  test('carries nothing where its diff could not be read to the end', async () => {
    const home = await newCodeHome()
    const { repository } = home
    const [one, two] = [repository.commit({ 'a.ts': lines('a') }), repository.commit({ 'a.ts': ['0', ...lines('a')] })]
    await deployed(home, repository.diff(emptyTree, one), emptyTree, one)
    const ids = [await home.finding('a.ts', 5)]

    const cut = await deployed(home, `${repository.diff(one, two)}diff --git a/b.ts b/b.ts\nindex 1..2`, one, two)

    expect(await lineageOf(home, cut.id)).toEqual({ lineage: 'FOLLOWS', isCarried: false })
    expect(await placesOf(home, ids)).toEqual([['a.ts', 5, null]])
    expect(await said(home, cut.id, ids)).toEqual([null])
  })
})
