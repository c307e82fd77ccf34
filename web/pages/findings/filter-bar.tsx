// The filters over the list of findings: each says what it holds, and all of it stands in the address.

import { AssetFacet } from '../../table/asset-facet.tsx'
import { Facet, Narrowed, SearchBox } from '../../table/filters.tsx'
import { SeverityMark, severities } from '../../ui/severity.tsx'
import { openStatuses, StatusWord, statuses } from '../../ui/status.tsx'
import { exact, wordsOf } from '../../util/words.ts'
import { changeWords } from './changes.ts'
import { type Filters, slaStates, types } from './filters.ts'

const exploited = ['yes'] as const

type Props = {
  companyId: string
  filters: Filters
  onChange: (changed: Partial<Filters>, how?: { push?: boolean }) => void
}

export function FilterBar({ companyId, filters, onChange }: Props) {
  const isOpenOnly =
    filters.status.length === openStatuses.length && openStatuses.every((status) => filters.status.includes(status))
  return (
    <>
      <SearchBox
        label="Search in titles and descriptions"
        value={filters.search}
        onChange={(search) => onChange({ search }, { push: false })}
      />
      <Facet
        name="Severity"
        options={severities}
        chosen={filters.severity}
        onChange={(severity) => onChange({ severity })}
        show={(severity) => (
          <>
            <SeverityMark of={severity} />
            {/* The mark is heard as the same word. */}
            <span aria-hidden>{wordsOf(severity)}</span>
          </>
        )}
      />
      <Facet
        name="Status"
        options={statuses}
        chosen={filters.status}
        summary={isOpenOnly ? 'open' : undefined}
        onChange={(status) => onChange({ status })}
        show={(status) => <StatusWord of={status} />}
      />
      <Facet name="Type" options={types} chosen={filters.type} onChange={(type) => onChange({ type })} show={wordsOf} />
      <Facet name="Due" options={slaStates} chosen={filters.due} onChange={(due) => onChange({ due })} show={wordsOf} />
      <Facet
        name="Exploited"
        options={exploited}
        chosen={filters.exploited === 'yes' ? exploited : []}
        onChange={(chosen) => onChange({ exploited: chosen.length > 0 ? 'yes' : 'any' })}
        show={() => 'Known to be exploited'}
        wordOf={() => 'known'}
      />
      <AssetFacet companyId={companyId} chosen={filters.asset} onChange={(asset) => onChange({ asset })} />
      {filters.similar.length > 0 && (
        <Narrowed to={`Similar to finding ${filters.similar[0]}`} onClear={() => onChange({ similar: [] })} />
      )}
      {filters.cwe.length > 0 && (
        <Narrowed to={filters.cwe.map((id) => `CWE-${id}`).join(', ')} onClear={() => onChange({ cwe: [] })} />
      )}
      {filters.since !== '' && (
        <Narrowed to={`New since ${exact(filters.since)}`} onClear={() => onChange({ since: '' })} />
      )}
      {filters.change !== 'none' && (
        <Narrowed
          to={`${changeWords[filters.change]} since ${filters.changedSince && exact(filters.changedSince)}`}
          onClear={() => onChange({ change: 'none', changedSince: '' })}
        />
      )}
      {filters.file !== '' && <Narrowed to={`In ${filters.file}`} onClear={() => onChange({ file: '' })} />}
      {filters.branch !== '' && (
        <Narrowed to={`On the branch ${filters.branch}`} onClear={() => onChange({ branch: '' })} />
      )}
    </>
  )
}
