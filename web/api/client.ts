// The one client of the endpoint: it keeps answers, and holds what met the end of the session until somebody signed in.

import { Client, cacheExchange, fetchExchange } from 'urql'
import { consoleHeaders, signedInAgain } from './session.ts'

const UNAUTHENTICATED = 401

/** A request that was refused for lack of a session did nothing, so it may be sent again. */
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
