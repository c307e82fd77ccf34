// How pages ask and change: an answer that says whether it waits, failed or is here, and a change that fails as one sentence.

import { useCallback, useMemo, useRef } from 'react'
import { type AnyVariables, createRequest, type TypedDocumentNode, useClient, useQuery } from 'urql'
import { type Failure, failureOf } from './failure.ts'

export type Answer<Data> = {
  data: Data | undefined
  failure: Failure | undefined
  /** There is nothing to show yet. */
  isWaiting: boolean
  /** What is shown is being asked for again. */
  isStale: boolean
  /** Asks again, and is done once the new answer is here. */
  again: () => Promise<void>
}

type Asking = { pause?: boolean; affectedBy?: readonly string[] }

/**
 * Asks a document of the contract. `affectedBy` names types whose change by a mutation asks again, where the answer may be
 * empty and so does not name them itself.
 */
export function useAsk<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  { pause = false, affectedBy }: Asking = {},
): Answer<Data> {
  const types = affectedBy?.join(' ') ?? ''
  const context = useMemo(() => (types === '' ? {} : { additionalTypenames: types.split(' ') }), [types])
  const client = useClient()
  const asked = useRef(variables)
  asked.current = variables
  const [{ data, error, fetching, stale }] = useQuery({
    query: document,
    variables,
    pause,
    context,
  } as Parameters<typeof useQuery<Data, Variables>>[0])
  const again = useCallback(async () => {
    await client.query(document, asked.current, { ...context, requestPolicy: 'network-only' }).toPromise()
  }, [client, document, context])
  const failure = useMemo(() => (error ? failureOf(error) : undefined), [error])
  // an answer of errors alone has null for its data
  return { data: data ?? undefined, failure, isWaiting: !data && !failure, isStale: fetching || stale, again }
}

export type Question = <Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
) => Promise<Data>

/** Questions on their way, by what they ask. */
const underWay = new Map<number, Promise<unknown>>()

/**
 * Asks a document once, of the server; whatever goes wrong is thrown as a Failure. The same question on its way is waited for and
 * not shared: it may have been read before what made somebody ask again.
 */
export function useQuestion(): Question {
  const client = useClient()
  return useCallback(
    async (document, variables) => {
      const request = createRequest(document, variables)
      while (underWay.has(request.key)) await underWay.get(request.key)
      const answer = client.executeQuery(request, { requestPolicy: 'network-only' }).toPromise()
      underWay.set(request.key, answer)
      const { data, error } = await answer.finally(() => underWay.delete(request.key))
      if (error) throw failureOf(error)
      if (data === undefined) throw new Error('The server answered with nothing')
      return data
    },
    [client],
  )
}

/** Runs a mutation and answers with its data; whatever goes wrong is thrown as a Failure. */
export function useChange(): <Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  affects?: readonly string[],
) => Promise<Data> {
  const client = useClient()
  return useCallback(
    async (document, variables, affects) => {
      const context = affects ? { additionalTypenames: [...affects] } : {}
      const { data, error } = await client.mutation(document, variables, context).toPromise()
      if (error) throw failureOf(error)
      if (data === undefined) throw new Error('The server answered with nothing')
      return data
    },
    [client],
  )
}
