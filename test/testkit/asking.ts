// Sends requests to a service that a single test has started.

import type { Data, Failure } from './client.ts'

const send = async (url: string, key: string, query: string, variables: object) => {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ query, variables }),
  })
  return (await response.json()) as { data: Data; errors?: Failure[] }
}

/** Runs an operation that must succeed, and resolves to its data. */
export async function askAt(url: string, key: string, query: string, variables: object): Promise<Data> {
  const { data, errors = [] } = await send(url, key, query, variables)
  if (errors[0]) throw new Error(errors.map(({ message, extensions }) => `${extensions.code}: ${message}`).join('\n'))
  return data
}

/** Runs an operation that must fail, and resolves to its first failure. */
export async function refusalAt(url: string, key: string, query: string, variables: object): Promise<Failure> {
  const { errors = [] } = await send(url, key, query, variables)
  const [failure] = errors
  if (!failure) throw new Error('It did not fail')
  return failure
}
