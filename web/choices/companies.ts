// The companies that the user can open, as options of a searchable choice.

import { useCallback } from 'react'
import { useQuestion } from '../api/ask.ts'
import { graphql } from '../api/graphql.ts'
import type { Find } from '../ui/search-choice.tsx'
import { foundOf } from './found.ts'

const FindCompanies = graphql(`
  query FindCompanies($words: String) {
    companies(limit: 50, order: LABEL, orderType: ASC, params: { labelCont: $words }) {
      collection { id label }
      metadata { totalCount totalCountIsExact }
    }
  }
`)

export function useFindCompanies(): Find {
  const question = useQuestion()
  return useCallback(
    async (words) => {
      const { companies } = await question(FindCompanies, { words: words || null })
      return foundOf(companies, ({ id, label }) => ({ id, name: label }))
    },
    [question],
  )
}
