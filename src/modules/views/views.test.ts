// Saved views: everybody has their own, under names that are unique.

import { expect, test } from 'vitest'
import { refusal, run } from '../../../test/testkit/client.ts'
import { newPerson, newWorld } from '../../../test/testkit/world.ts'

const SAVE = 'mutation ($input: SaveViewInput!) { saveView(input: $input) { savedView { id name filters } } }'
const DELETE = 'mutation ($id: ID!) { deleteSavedView(input: { id: $id }) { id } }'
const VIEWS = 'query ($companyId: ID!) { savedViews(companyId: $companyId) { name filters } }'

const save = async (key: string, companyId: string, name: string, filters = 'severity=HIGH') =>
  (await run(key, SAVE, { input: { companyId, name, filters } })).saveView.savedView

const namesOf = async (key: string, companyId: string): Promise<string[]> =>
  (await run(key, VIEWS, { companyId })).savedViews.map(({ name }: { name: string }) => name)

test('a view is kept for who saved it, by name, and for nobody else', async () => {
  const { companyId, owner } = await newWorld()
  const reader = await newPerson(companyId, 'READER')

  await save(reader.key, companyId, 'urgent')
  await save(reader.key, companyId, ' Late ', 'due=BREACHED')
  const { savedViews } = await run(reader.key, VIEWS, { companyId })

  expect(savedViews).toEqual([
    { name: 'Late', filters: 'due=BREACHED' },
    { name: 'urgent', filters: 'severity=HIGH' },
  ])
  expect(await namesOf(owner.key, companyId)).toEqual([])
})

test('a name that is there takes the new filters, whatever its case', async () => {
  const { companyId, owner } = await newWorld()
  const first = await save(owner.key, companyId, 'Urgent')

  const second = await save(owner.key, companyId, 'urgent', '')

  expect(second).toEqual({ id: first.id, name: 'urgent', filters: '' })
  expect(await namesOf(owner.key, companyId)).toEqual(['urgent'])
})

test('a view is deleted by who has it; to others it is not there', async () => {
  const { companyId, owner } = await newWorld()
  const colleague = await newPerson(companyId, 'OWNER')
  const { id } = await save(owner.key, companyId, 'Mine')

  const refused = await refusal(colleague.key, DELETE, { id })
  await run(owner.key, DELETE, { id })

  expect(refused).toMatchObject({ message: `The saved view ${id} was not found`, extensions: { code: 'NOT_FOUND' } })
  expect(await namesOf(owner.key, companyId)).toEqual([])
})

test('saving and deleting are audited', async () => {
  const { companyId, owner } = await newWorld()
  const { id } = await save(owner.key, companyId, 'Mine')
  await run(owner.key, DELETE, { id })

  const { auditRecords } = await run(
    owner.key,
    'query ($companyId: ID!) { auditRecords(companyId: $companyId) { collection { operation object before after } } }',
    { companyId },
  )

  const kept = { name: 'Mine', filters: 'severity=HIGH' }
  expect(auditRecords.collection.slice(0, 2)).toEqual([
    { operation: 'deleteSavedView', object: `SavedView ${id}`, before: kept, after: null },
    { operation: 'saveView', object: `SavedView ${id}`, before: null, after: kept },
  ])
})

test.each([
  ['no name', { name: ' ' }, 'name has 1 to 100 characters'],
  ['a name that is too long', { name: 'x'.repeat(101) }, 'name has 1 to 100 characters'],
  ['filters that are too long', { filters: 'x'.repeat(4_001) }, 'filters has at most 4000 characters'],
])('%s is refused', async (_, change, sentence) => {
  const { companyId, owner } = await newWorld()

  const refused = await refusal(owner.key, SAVE, { input: { companyId, name: 'A name', filters: '', ...change } })

  expect(refused).toMatchObject({ message: sentence, extensions: { code: 'BAD_USER_INPUT' } })
})

test('a hundred views are kept, and no more', async () => {
  const { companyId, owner } = await newWorld()
  for (let count = 0; count < 100; count += 1) await save(owner.key, companyId, `View ${count}`)

  const refused = await refusal(owner.key, SAVE, { input: { companyId, name: 'One more', filters: '' } })
  const again = await save(owner.key, companyId, 'View 7', 'due=BREACHED')

  expect(refused.message).toBe('A person keeps at most 100 views in a company')
  expect(again.filters).toBe('due=BREACHED')
})
