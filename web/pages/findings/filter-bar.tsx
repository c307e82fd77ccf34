// The filter bar of the list of findings; its whole state is in the address.

import { AssetFacet } from '../../table/asset-facet.tsx'
import { AssignedFacet } from '../../table/assigned-facet.tsx'
import { Facet, Narrowed, OneFacet, SearchBox } from '../../table/filters.tsx'
import { SeverityMark, severities } from '../../ui/severity.tsx'
import { openStatuses, StatusWord, statuses } from '../../ui/status.tsx'
import { isSpan, sinceWords, spans, startOf } from '../../util/since.ts'
import { exact, wordsOf } from '../../util/words.ts'
import { changeWords } from './changes.ts'
import { type Filters, slaStates, types } from './filters.ts'

const exploited = ['yes', 'no'] as const

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
        label="Search titles and descriptions"
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
            {/* Hidden from screen readers, which get the same word from the mark. */}
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
      <OneFacet
        name="Exploited"
        options={exploited}
        value={filters.exploited === 'any' ? null : filters.exploited}
        onChange={(chosen) => onChange({ exploited: chosen ?? 'any' })}
        wordOf={(chosen) => (chosen === 'yes' ? 'known (KEV)' : 'not known')}
      />
      <OneFacet
        name="Found"
        options={filters.since === '' || isSpan(filters.since) ? spans : [...spans, filters.since]}
        value={filters.since || null}
        onChange={(chosen) => onChange({ since: chosen ?? '' })}
        wordOf={(chosen) => sinceWords(chosen)}
        hint={filters.since === '' ? undefined : `Since ${exact(startOf(filters.since))}`}
      />
      <AssetFacet companyId={companyId} chosen={filters.asset} onChange={(asset) => onChange({ asset })} />
      <AssignedFacet companyId={companyId} chosen={filters.assigned} onChange={(assigned) => onChange({ assigned })} />
      <Narrowings filters={filters} onChange={onChange} />
    </>
  )
}

/** The filters that came with a link and are in no menu. */
const Narrowings = ({ filters, onChange }: Omit<Props, 'companyId'>) => (
  <>
    {filters.similar.length > 0 && (
      <Narrowed to={`Similar to finding ${filters.similar[0]}`} onClear={() => onChange({ similar: [] })} />
    )}
    {filters.cwe.length > 0 && (
      <Narrowed to={filters.cwe.map((id) => `CWE-${id}`).join(', ')} onClear={() => onChange({ cwe: [] })} />
    )}
    {filters.vulnerability.length > 0 && (
      <Narrowed to={filters.vulnerability.join(', ')} onClear={() => onChange({ vulnerability: [] })} />
    )}
    {filters.change !== 'none' && (
      <Narrowed
        to={changeWords[filters.change] + (filters.changedSince && ` since ${exact(filters.changedSince)}`)}
        onClear={() => onChange({ change: 'none', changedSince: '' })}
      />
    )}
    {filters.file !== '' && <Narrowed to={`File: ${filters.file}`} onClear={() => onChange({ file: '' })} />}
    {filters.branch !== '' && <Narrowed to={`Branch: ${filters.branch}`} onClear={() => onChange({ branch: '' })} />}
    {filters.scan.length > 0 && (
      <Narrowed to={`First found by scan ${filters.scan.join(', ')}`} onClear={() => onChange({ scan: [] })} />
    )}
    {filters.tool !== '' && <Narrowed to={`Tool: ${filters.tool}`} onClear={() => onChange({ tool: '' })} />}
  </>
)
