// The GraphQL client: it caches answers, and repeats requests refused as unauthenticated once somebody has signed in again.

import { Client, cacheExchange, fetchExchange } from 'urql'
import { consoleHeaders, signedInAgain } from './session.ts'

const UNAUTHENTICATED = 401

/** A request that was refused for lack of a session had no effect, so it is safe to send again. */
const fetchSignedIn: typeof fetch = async (input, init) => {
  for (;;) {
    const response = await fetch(input, init)
    if (response.status !== UNAUTHENTICATED) return response
    await signedInAgain()
  }
}

export const client = new Client({
  url: '/graphql',
  exchanges: [cacheExchange, fetchExchange],
  fetch: fetchSignedIn,
  fetchOptions: { headers: consoleHeaders },
  preferGetMethod: false,
  requestPolicy: 'cache-and-network',
})
