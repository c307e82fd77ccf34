// Changes of what is somebody else's that a service refuses at first, or takes under a number alone.

import { expect, test } from 'vitest'
import { findingsOf, type Handler } from './tiny.ts'

function notes(isOverruled: boolean, isOfNumbers = false) {
  const kept = [
    { id: 7100, owner: 'user-a', text: 'by hand' },
    { id: 7200, owner: 'user-b', text: 'by ship' },
  ]
  const handle: Handler = ({ method, path, query, user, body }) => {
    if (user === null) return [401, {}]
    const own = (one: (typeof kept)[number]) => one.owner === `user-${user}`
    const { noteId, text } = Object(body)
    if (method === 'GET') return [200, kept.filter(own)]
    if (isOfNumbers && typeof noteId !== 'number') return [400, { error: 'a number is needed' }]
    const note = kept.find(({ id }) => (path === '/notes' ? id === noteId : path === `/notes/${id}`))
    const mayChange = note && (own(note) || (isOverruled && (query.get('force') === 'true' || isOfNumbers)))
    if (!mayChange) return [403, { error: 'no' }]
    note.text = text
    return [200, { done: true }]
  }
  return { handle, kept }
}

const force = { query: { force: 'no' } }

test('a parameter by which somebody insists is tried, and what it changed is put back', async () => {
  const operations = { 'GET /notes': {}, 'PUT /notes/{id}': { path: { id: '7' }, ...force, body: { text: 'x' } } }
  const { handle, kept } = notes(true)

  const found = await findingsOf(handle, ['object-change'], operations, { profile: 'DEEP' })

  expect(found.map(({ operation, cwes }) => [operation, cwes])).toEqual([['PUT /notes/{id}', [639]]])
  expect(kept.find(({ owner }) => owner === 'user-b')?.text).toBe('by ship')
  expect(await findingsOf(notes(false).handle, ['object-change'], operations, { profile: 'DEEP' })).toEqual([])
})

test('an id that a service takes as a number is sent as one', async () => {
  const operations = { 'GET /notes': {}, 'PUT /notes': { body: { noteId: 1, text: 'x' } } }

  const found = await findingsOf(notes(true, true).handle, ['object-change'], operations, { profile: 'DEEP' })

  expect(found.map(({ operation, parameter }) => [operation, parameter?.name])).toEqual([['PUT /notes', 'noteId']])
})
