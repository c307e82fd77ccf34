// The requirements of a company as options of a searchable choice, searched by their text; those of its projects are left out.

import { useCallback } from 'react'
import { useQuestion } from '../api/ask.ts'
import { graphql } from '../api/graphql.ts'
import type { Find } from '../ui/search-offered.ts'
import { foundOf } from './found.ts'

const FindRequirements = graphql(`
  query FindRequirements($scopeId: Int!, $words: String) {
    requirements(scopeId: $scopeId, filters: { search: $words }, pagination: { perPage: 50 }) {
      collection { id label }
      metadata { totalCount totalCountIsExact }
    }
  }
`)

export function useFindRequirements(companyId: string): Find {
  const question = useQuestion()
  return useCallback(
    async (words) => {
      const { requirements } = await question(FindRequirements, { scopeId: Number(companyId), words: words || null })
      return foundOf(requirements, ({ id, label }) => ({ id, name: label }))
    },
    [companyId, question],
  )
}
