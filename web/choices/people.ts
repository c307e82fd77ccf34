// The members of a company as a choice, looked for by name or address.

import { useCallback } from 'react'
import { useQuestion } from '../api/ask.ts'
import { graphql } from '../api/graphql.ts'
import type { Find } from '../ui/search-choice.tsx'
import { foundOf } from './found.ts'

const FindPeople = graphql(`
  query FindPeople($companyId: ID!, $words: String) {
    portalUsers(companyId: $companyId, search: $words, pagination: { perPage: 50 }) {
      collection { id name email }
      metadata { totalCount totalCountIsExact }
    }
  }
`)

/** As useFindPeople, each by the address that the contract names people by. */
export function useFindPeopleByEmail(companyId: string): Find {
  const question = useQuestion()
  return useCallback(
    async (words) => {
      const { portalUsers } = await question(FindPeople, { companyId, words: words || null })
      return foundOf(portalUsers, ({ name, email }) => ({ id: email, name, beside: email }))
    },
    [companyId, question],
  )
}

export function useFindPeople(companyId: string): Find {
  const question = useQuestion()
  return useCallback(
    async (words) => {
      const { portalUsers } = await question(FindPeople, { companyId, words: words || null })
      return foundOf(portalUsers, ({ id, name, email }) => ({ id, name, beside: email }))
    },
    [companyId, question],
  )
}
