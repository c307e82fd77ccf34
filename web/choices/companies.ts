// The companies that the user can open, as options of a searchable choice; those that share a label are told apart by their ids.

import { useCallback } from 'react'
import { useQuestion } from '../api/ask.ts'
import { graphql } from '../api/graphql.ts'
import type { Find } from '../ui/search-offered.ts'
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
      const labels = companies.collection.map(({ label }) => label)
      const isShared = (label: string) => labels.indexOf(label) !== labels.lastIndexOf(label)
      return foundOf(companies, ({ id, label }) => ({ id, name: label, ...(isShared(label) ? { beside: id } : {}) }))
    },
    [question],
  )
}
