// The drop zone for reports on an asset: uploads the file, follows the import while it runs, and shows its outcome.

import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { useAsk } from '../../api/ask.ts'
import { asFailure, type Failure } from '../../api/failure.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { upload } from '../../api/upload.ts'
import { useCompanyId } from '../../frame/company.ts'
import { Button } from '../../ui/button.tsx'
import { ChooseFiles, DropArea, Underway } from '../../ui/drop-area.tsx'
import { to } from '../../util/path-builder.ts'
import { ago, counted } from '../../util/words.ts'
import styles from './asset.module.css'
import { ImportBill, ImportReport, OneImport, RecentDeploys } from './documents.ts'
import { NamedFormat } from './named-format.tsx'
import { ImportOutcome } from './outcome.tsx'

/** How a file is read: as a scanner's report, or as a bill of materials. */
type Kind = 'report' | 'bill'

type State =
  | { at: 'waiting' }
  | { at: 'sending'; kind: Kind; name: string; part: number; stop: () => void }
  | { at: 'running'; kind: Kind; name: string; importId: string }
  | { at: 'failed'; kind: Kind; name: string; failure: Failure; file: File }

type Props = {
  assetId: string
  /** How the next file is read. */
  kind: Kind
  onDone: () => void
}

export function ReportDrop({ assetId, kind, onDone }: Props) {
  const companyId = useCompanyId()
  const { session } = useSession()
  const mayNot = whyNot(session, companyId, 'issues:write')
  const [deployId, setDeployId] = useState('')
  const { state, send, forget } = useSending({ companyId, assetId, deployId: deployId || undefined })
  const take = ([file]: readonly File[]) => void (file && send(kind, file))
  const shown = state.at === 'waiting' ? kind : state.kind

  return (
    <DropArea label={words[shown].label} mayNot={mayNot} onFiles={take} isWholePage>
      {state.at === 'waiting' && (
        <span>
          {words[kind].drop}, or{' '}
          {mayNot === undefined ? (
            <ChooseFiles onFiles={take}>choose a file</ChooseFiles>
          ) : (
            <span className="muted">{mayNot}</span>
          )}
          <span className="muted"> – {words[kind].about}</span>
        </span>
      )}
      {state.at === 'waiting' && mayNot === undefined && (
        <OfDeploy companyId={companyId} assetId={assetId} value={deployId} onChange={setDeployId} />
      )}
      {state.at === 'sending' && (
        <>
          <Underway what={`Uploading ${state.name}`} part={state.part} />
          <Button size="small" onClick={state.stop}>
            Cancel
          </Button>
        </>
      )}
      {state.at === 'running' && <Running key={state.importId} importId={state.importId} onDone={onDone} />}
      {state.at === 'failed' && (
        <span role="alert" className={styles.bad}>
          {state.name}: {state.failure.message}
        </span>
      )}
      {state.at === 'failed' && state.kind === 'report' && isOfFormat(state.failure) && (
        <NamedFormat onNamed={(format) => send('report', state.file, format)} />
      )}
      {(state.at === 'failed' || state.at === 'running') && (
        <Button size="small" tone="quiet" onClick={forget}>
          {shown === kind ? words[kind].another : words[kind].label}
        </Button>
      )}
    </DropArea>
  )
}

/** Whether another format, or one by name, could be the remedy. */
const isOfFormat = ({ code, argument }: Failure): boolean =>
  code === 'BAD_USER_INPUT' && (argument === 'input.file' || argument === 'input.format')

type Target = { companyId: string; assetId: string; deployId: string | undefined }

/** Uploads one file at a time for an import, and tells how far it is. */
function useSending(input: Target) {
  const [state, setState] = useState<State>({ at: 'waiting' })
  const send = async (kind: Kind, file: File, format?: string) => {
    const stopping = new AbortController()
    const sent = { kind, name: file.name }
    const show = (part: number) => setState({ at: 'sending', ...sent, part, stop: () => stopping.abort() })
    show(0)
    try {
      const sending = { file, at: 'input.file', onSent: show, signal: stopping.signal }
      const importId =
        kind === 'bill'
          ? importIdOf((await upload(ImportBill, { input }, sending)).importSbom)
          : (await upload(ImportReport, { input: { ...input, format } }, sending)).importFindings?.import.id
      if (importId !== undefined) setState({ at: 'running', ...sent, importId })
    } catch (error) {
      setState({ at: 'failed', ...sent, failure: asFailure(error), file })
    }
  }
  return { state, send, forget: () => setState({ at: 'waiting' }) }
}

const words = {
  report: {
    label: 'Import a report',
    drop: 'Drop a scanner report here',
    about: 'SARIF, Semgrep, Trivy, ZAP, Burp, Snyk and others; the format is detected.',
    another: 'Import another report',
  },
  bill: {
    label: 'Import a bill of materials',
    drop: 'Drop a bill of materials here',
    about: 'CycloneDX or SPDX; replaces the components listed below.',
    another: 'Import another bill of materials',
  },
} as const satisfies Record<Kind, object>

/** The contract's answer is untyped JSON. */
const importIdOf = (answer: unknown): string | undefined =>
  typeof answer === 'object' && answer !== null && 'importId' in answer ? String(answer.importId) : undefined

type OfDeployProps = { companyId: string; assetId: string; value: string; onChange: (deployId: string) => void }

/** Selects the deploy that was scanned, so that new findings are attributed to it and its gate takes them into account. */
function OfDeploy({ companyId, assetId, value, onChange }: OfDeployProps) {
  const { data } = useAsk(RecentDeploys, { companyId, assetIds: [assetId] }, { affectedBy: ['Deploy'] })
  const deploys = data?.deploys.collection ?? []
  if (deploys.length === 0) return null
  return (
    <label className="row">
      Scanned deploy
      <select className={styles.deploy} value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">None (no branch)</option>
        {deploys.map(({ id, branchName, currentCommit, createdAt }) => (
          <option key={id} value={id}>
            {`${branchName || 'no branch'} ${currentCommit.slice(0, 10)}, ${ago(Date.parse(createdAt), Date.now())}`}
          </option>
        ))}
      </select>
    </label>
  )
}

/** The polling interval in milliseconds while an import runs. */
const LOOK = 700

function Running({ importId, onDone }: { importId: string; onDone: () => void }) {
  const companyId = useCompanyId()
  const { data, again, failure } = useAsk(OneImport, { id: importId })
  const found = data?.import
  const isOver = found?.status === 'SUCCEEDED' || found?.status === 'FAILED'
  const told = useRef(false)
  useEffect(() => {
    if (isOver) {
      if (!told.current) onDone()
      told.current = true
      return
    }
    const timer = setInterval(again, LOOK)
    return () => clearInterval(timer)
  }, [isOver, again, onDone])
  if (failure) return <span role="alert">{failure.message}</span>
  if (!found) return <span role="status">Queued</span>
  if (!isOver) return <Underway what={`Importing ${found.fileName}`} part={found.progress} />
  return (
    <>
      <span role="status">
        <Link to={to.import({ companyId, importId })}>{found.fileName}</Link>
        {found.result && found.result.read > 0 ? `: ${counted(found.result.read, 'row')} read` : ''}
      </span>
      <ImportOutcome of={found} />
    </>
  )
}
