// The dialog that exports findings to a file: those that match the filters or those chosen, in one of several formats.

import { useEffect, useRef, useState } from 'react'
import { useChange } from '../../api/ask.ts'
import { type EnumOf, graphql, type ResultOf, type VariablesOf } from '../../api/graphql.ts'
import { ChoiceField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { ButtonAnchor } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { counted } from '../../util/words.ts'

const ExportFindings = graphql(`
  mutation ExportFindingsHere($input: ExportFindingsInput!) {
    exportFindings(input: $input) { export { id url filename findingsCount } }
  }
`)

type Filters = NonNullable<VariablesOf<typeof ExportFindings>['input']['filters']>
type Made = NonNullable<ResultOf<typeof ExportFindings>['exportFindings']>['export']

const formats = [
  { value: 'CSV', label: 'CSV – one row per finding, for spreadsheets' },
  { value: 'NDJSON', label: 'NDJSON – all data, with the components of the assets; can be imported again' },
  { value: 'SARIF', label: 'SARIF 2.1.0 – for tools that read scan results' },
  { value: 'CYCLONEDX', label: 'CycloneDX 1.6 – components and their vulnerabilities' },
  { value: 'CYCLONEDX_VEX', label: 'CycloneDX 1.6 VEX – vulnerabilities and the decisions on them' },
  { value: 'OPENVEX', label: 'OpenVEX – decisions on vulnerabilities in components' },
  { value: 'CSAF', label: 'CSAF 2.0 VEX – the same decisions, as an advisory' },
] as const satisfies readonly { value: EnumOf<'ExportFormat'>; label: string }[]

type Props = {
  companyId: string
  /** The filters of the list. */
  filters: Filters
  /** How many match, such as `12 findings`; null until known. */
  shown: string | null
  chosenIds: readonly string[]
  onClose: () => void
}

export default function ExportDialog({ companyId, filters, shown, chosenIds, onClose }: Props) {
  const change = useChange()
  const [made, setMade] = useState<Made>()
  const make = async (filled: Filled) => {
    const format = formats.find(({ value }) => value === filled.text('format'))?.value ?? 'CSV'
    const isOfChosen = filled.text('which') === 'chosen'
    const { exportFindings } = await change(ExportFindings, {
      input: { companyId, format, filters: isOfChosen ? { ids: [...chosenIds] } : filters },
    })
    setMade(exportFindings?.export)
  }
  if (made) {
    return (
      <Dialog title="Export ready" isOpen onClose={onClose}>
        <Ready of={made} />
      </Dialog>
    )
  }
  return (
    <Dialog
      title="Export findings"
      description="Exports all data of each finding, including findings not loaded in the list. The list’s columns and order do not apply."
      isOpen
      onClose={onClose}
    >
      <Form action={make} submit="Create file" onCancel={onClose}>
        {chosenIds.length > 0 && (
          <ChoiceField
            name="which"
            label="Findings"
            kind="one"
            initial={['chosen']}
            options={[
              { value: 'chosen', label: `Selected: ${counted(chosenIds.length, 'finding')}` },
              { value: 'all', label: `All in the list${shown === null ? '' : `: ${shown}`}` },
            ]}
          />
        )}
        {chosenIds.length === 0 && shown !== null && <p>{shown} in the list.</p>}
        <ChoiceField name="format" label="Format" kind="one" initial={['CSV']} options={formats} />
      </Form>
    </Dialog>
  )
}

function Ready({ of: { url, filename, findingsCount } }: { of: Made }) {
  const link = useRef<HTMLDivElement>(null)
  useEffect(() => link.current?.querySelector('a')?.focus(), [])
  return (
    <div className="stack">
      <p role="status">
        {findingsCount === null ? '' : `${counted(findingsCount, 'finding')} as of now. `}
        The link works for 24 hours, for anyone who may read these findings; the file is written as it is downloaded.
      </p>
      <div ref={link}>
        <ButtonAnchor tone="main" href={url}>
          Download {filename}
        </ButtonAnchor>
      </div>
    </div>
  )
}
