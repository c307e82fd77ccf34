// A payload that cuts off what stands behind a value would have a change reach rows that it was not asked for.

import { expect, test } from 'vitest'
import { type Asked, findingsOf, type Handler } from './tiny.ts'

const described = {
  'PUT /notes/{id}': { path: { id: '7' }, body: { title: 'tea' } },
  'POST /notes': { body: { title: 'tea' } },
  'GET /notes': { query: { title: 'tea' } },
}

async function askedOf(profile: 'BALANCED' | 'DEEP') {
  const asked: Asked[] = []
  const service: Handler = (one) => {
    asked.push(one)
    return [200, { kept: true }]
  }
  await findingsOf(service, ['sql-injection-boolean', 'sql-injection-time'], described, { profile })
  return (method: string) =>
    asked
      .filter((one) => one.method === method)
      .map(
        ({ path, query, body }) => decodeURIComponent(`${path} ${query}`.replaceAll('+', ' ')) + JSON.stringify(body),
      )
}

test('changes are sent conditions that leave the rest of a statement standing, and DEEP also others', async () => {
  const [balanced, deep] = [await askedOf('BALANCED'), await askedOf('DEEP')]

  for (const method of ['PUT', 'POST']) {
    expect(balanced(method).filter((text) => text.includes('-- -'))).toEqual([])
    expect(balanced(method).filter((text) => /SLEEP\(.{1,30}='1/.test(text))).not.toEqual([])
    expect(deep(method).join()).toContain('-- -')
  }
  expect(balanced('GET').join()).toContain('-- -')
})
