// How pages query and mutate: an answer is waiting, failed or here, and a mutation fails with a single sentence.

import { useCallback, useMemo, useRef } from 'react'
import { type AnyVariables, createRequest, type TypedDocumentNode, useClient, useQuery } from 'urql'
import { type Failure, failureOf } from './failure.ts'

export type Answer<Data> = {
  data: Data | undefined
  failure: Failure | undefined
  /** There is nothing to show yet. */
  isWaiting: boolean
  /** The data on screen is being fetched again. */
  isStale: boolean
  /** Fetches again; resolves once the new answer is here. */
  again: () => Promise<void>
}

type Asking = { pause?: boolean; affectedBy?: readonly string[] }

/**
 * Queries a document of the contract. The cache refetches it after a mutation of any type that the answer contains.
 * `affectedBy` names further types, because an empty answer contains none of them.
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
  const [{ data: found, error, fetching, stale, operation }] = useQuery({
    query: document,
    variables,
    pause,
    context,
  } as Parameters<typeof useQuery<Data, Variables>>[0])
  const again = useCallback(async () => {
    await client.query(document, asked.current, { ...context, requestPolicy: 'network-only' }).toPromise()
  }, [client, document, context])
  const failure = useMemo(() => (error ? failureOf(error) : undefined), [error])
  // what was there stays while the server is away, with all that was typed in it; an answer that refuses leaves nothing
  const kept = useRef<{ of: number | undefined; data: Data }>(undefined)
  if (found && !error && !fetching) kept.current = { of: operation?.key, data: found }
  const isKept = failure?.code === 'UNREACHABLE' && kept.current?.of === operation?.key
  // an answer that holds only errors has null for its data
  const data = found ?? (isKept ? kept.current?.data : undefined)
  return { data, failure, isWaiting: !data && !failure, isStale: fetching || stale, again }
}

export type Question = <Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
) => Promise<Data>

/** The requests in flight, keyed by what they ask. */
const underWay = new Map<number, Promise<unknown>>()

/**
 * Queries a document once, bypassing the cache, and throws whatever goes wrong as a Failure. If the same query is in
 * flight, this waits for it and then asks again: the earlier answer may have been read before the change that this one
 * is meant to see.
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

/** Runs a mutation and returns its data; throws whatever goes wrong as a Failure. */
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
