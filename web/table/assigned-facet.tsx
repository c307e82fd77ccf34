// The facet that narrows a list to what is assigned to chosen members of the company, with the signed-in user offered first.

import { useCallback } from 'react'
import { useSession } from '../api/session.ts'
import { useFindPeopleByEmail } from '../choices/people.ts'
import { LateChoice } from '../ui/late-choice.tsx'
import type { Find, Option } from '../ui/search-offered.ts'
import { FacetButton } from './filters.tsx'

/** `chosen` holds e-mail addresses rather than ids, so that a link can be written without looking ids up. */
type Props = { companyId: string; chosen: readonly string[]; onChange: (chosen: readonly string[]) => void }

export function AssignedFacet({ companyId, chosen, onChange }: Props) {
  const { session } = useSession()
  const own = session?.email ?? ''
  const findOthers = useFindPeopleByEmail(companyId)
  const find: Find = useCallback(
    async (words) => {
      const found = await findOthers(words)
      const me = found.options.find(({ id }) => id === own)
      return me ? { ...found, options: [me, ...found.options.filter((option) => option !== me)] } : found
    },
    [findOthers, own],
  )
  const optionOf = (email: string): Option =>
    email === own ? { id: email, name: session?.name ?? email, beside: email } : { id: email, name: email }
  const [only] = chosen
  const told = chosen.length === 1 && only !== undefined ? (only === own ? 'you' : only) : `${chosen.length} selected`
  return (
    <LateChoice
      kind="some"
      find={find}
      what="people"
      none="Anyone or nobody"
      chosen={chosen.map(optionOf)}
      onChange={(taken) => onChange(taken.map(({ id }) => id))}
      trigger={<FacetButton name="Assigned" told={chosen.length === 0 ? null : told} />}
    />
  )
}
