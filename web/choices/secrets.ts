// The secrets of a company as options of a searchable choice.

import { useCallback } from 'react'
import { useAsk, useQuestion } from '../api/ask.ts'
import { type EnumOf, graphql } from '../api/graphql.ts'
import type { Find, Option } from '../ui/search-offered.ts'
import { wordsOf } from '../util/words.ts'
import { foundOf } from './found.ts'

const FindSecrets = graphql(`
  query FindSecrets($companyId: ID!, $words: String) {
    secrets(companyId: $companyId, search: $words, pagination: { perPage: 50 }) {
      collection { id name type }
      metadata { totalCount totalCountIsExact }
    }
  }
`)

const NamedSecrets = graphql(`
  query NamedSecrets($companyId: ID!, $ids: [ID!]!) {
    secrets(companyId: $companyId, ids: $ids, pagination: { perPage: 100 }) { collection { id name type } }
  }
`)

const secretOption = ({ id, name, type }: { id: string; name: string; type: EnumOf<'SecretType'> }): Option => ({
  id,
  name,
  beside: wordsOf(type),
})

export function useFindSecrets(companyId: string): Find {
  const question = useQuestion()
  return useCallback(
    async (words) => {
      const { secrets } = await question(FindSecrets, { companyId, words: words || null })
      return foundOf(secrets, secretOption)
    },
    [companyId, question],
  )
}

/** Options for these secret ids; undefined until loaded. A secret that the user may not see is named by its id. */
export function useNamedSecrets(companyId: string, ids: readonly string[]): readonly Option[] | undefined {
  const { data, failure } = useAsk(NamedSecrets, { companyId, ids: [...ids] }, { pause: ids.length === 0 })
  if (ids.length > 0 && !data && !failure) return undefined
  const known = new Map(data?.secrets.collection.map((secret) => [secret.id, secretOption(secret)]))
  return [...new Set(ids)].map((id) => known.get(id) ?? { id, name: `Secret ${id}` })
}
