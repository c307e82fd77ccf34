// The members of a company as options of a searchable choice, searched by name or e-mail address.

import { useCallback } from 'react'
import { useQuestion } from '../api/ask.ts'
import { graphql } from '../api/graphql.ts'
import type { Find } from '../ui/search-offered.ts'
import { foundOf } from './found.ts'

const FindPeople = graphql(`
  query FindPeople($companyId: ID!, $words: String) {
    portalUsers(companyId: $companyId, search: $words, pagination: { perPage: 50 }) {
      collection { id name email }
      metadata { totalCount totalCountIsExact }
    }
  }
`)

function useFind(companyId: string, by: 'id' | 'email'): Find {
  const question = useQuestion()
  return useCallback(
    async (words) => {
      const { portalUsers } = await question(FindPeople, { companyId, words: words || null })
      return foundOf(portalUsers, (one) => ({ id: one[by], name: one.name, beside: one.email }))
    },
    [companyId, question, by],
  )
}

export const useFindPeople = (companyId: string): Find => useFind(companyId, 'id')

/** As options whose id is the e-mail address, for those parts of the contract that identify people by it. */
export const useFindPeopleByEmail = (companyId: string): Find => useFind(companyId, 'email')
