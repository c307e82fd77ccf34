// Asks a service that one test started for itself.

import type { Data, Failure } from './client.ts'

const send = async (url: string, key: string, query: string, variables: object) => {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ query, variables }),
  })
  return (await response.json()) as { data: Data; errors?: Failure[] }
}

/** Answers with the data of an operation that must not fail. */
export async function askAt(url: string, key: string, query: string, variables: object): Promise<Data> {
  const { data, errors = [] } = await send(url, key, query, variables)
  if (errors[0]) throw new Error(errors.map(({ message, extensions }) => `${extensions.code}: ${message}`).join('\n'))
  return data
}

/** The failure of an operation that must fail. */
export async function refusalAt(url: string, key: string, query: string, variables: object): Promise<Failure> {
  const { errors = [] } = await send(url, key, query, variables)
  const [failure] = errors
  if (!failure) throw new Error('It did not fail')
  return failure
}
