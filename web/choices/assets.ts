// The assets of a company as options of a searchable choice.

import { useCallback, useMemo } from 'react'
import { useAsk, useQuestion } from '../api/ask.ts'
import { graphql } from '../api/graphql.ts'
import type { Find, Option } from '../ui/search-offered.ts'
import { foundOf } from './found.ts'

const FindAssets = graphql(`
  query FindAssets($companyId: ID!, $words: String) {
    assets(companyId: $companyId, limit: 50, search: { name: $words, sortBy: name }) {
      collection { id name }
      metadata { totalCount totalCountIsExact }
    }
  }
`)

const NamedAssets = graphql(`
  query NamedAssets($companyId: ID!, $ids: [ID!]!) {
    assets(companyId: $companyId, limit: 200, search: { ids: $ids }) { collection { id name } }
  }
`)

export function useFindAssets(companyId: string): Find {
  const question = useQuestion()
  return useCallback(
    async (words) => {
      const { assets } = await question(FindAssets, { companyId, words: words || null })
      return foundOf(assets, (asset) => asset)
    },
    [companyId, question],
  )
}

/** Options for these asset ids. An asset that has not loaded or no longer exists is named by its id. */
export function useNamedAssets(companyId: string, ids: readonly string[]): readonly Option[] {
  const { data } = useAsk(NamedAssets, { companyId, ids: [...ids] }, { pause: ids.length === 0 })
  return useMemo(() => {
    const names = new Map(data?.assets.collection.map(({ id, name }) => [id, name]))
    return ids.map((id) => ({ id, name: names.get(id) ?? `Asset ${id}` }))
  }, [data, ids])
}

/** The first assets of a company by name, and how many it has; undefined until loaded. */
export function useFirstAssets(companyId: string) {
  const { data } = useAsk(FindAssets, { companyId, words: null }, { affectedBy: ['Asset'] })
  return data && { options: data.assets.collection, total: data.assets.metadata.totalCount }
}
