// The page of one asset: its facts, its open findings, its deploys and imports, and a drop zone for reports.

import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { useAsk, useChange } from '../../api/ask.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { AnsweredPage } from '../../frame/answered-page.tsx'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import { say } from '../../frame/toasts.tsx'
import type { List } from '../../table/use-list.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { DeleteButton } from '../../ui/delete-button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { lateDialog } from '../../ui/late.tsx'
import { Moment } from '../../ui/moment.tsx'
import { OutsideLink } from '../../ui/outside-link.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { to } from '../../util/path-builder.ts'
import { oneOf, useUrlState } from '../../util/url-state.ts'
import { counted, POINTS, riskOf, wordsOf } from '../../util/words.ts'
import { DeploysOfAsset } from '../deploys/table.tsx'
import { type Associated, Followed, useFollowed } from '../integrations/followed.tsx'
import { Scanner } from '../scans/scanner.tsx'
import styles from './asset.module.css'
import { Components } from './components.tsx'
import { type AssetDetail, DeleteAsset, OneAsset, SyncAsset } from './documents.ts'
import { AssetDialog } from './form.tsx'
import { GateOfAsset } from './gate.tsx'
import { ImportTable } from './import-table.tsx'
import { Now } from './now.tsx'
import { ReportDrop } from './report-drop.tsx'

const CardsDialog = lateDialog(() => import('./cards-dialog.tsx'))

const shape = { tab: oneOf(['about', 'deploys', 'imports', 'components', 'scanner', 'gate'] as const, 'about') }

export function Component() {
  const companyId = useCompanyId()
  const { assetId = '' } = useParams()
  const answer = useAsk(OneAsset, { id: assetId }, { affectedBy: ['Asset', 'Issue'] })
  return (
    <AnsweredPage title="Asset" crumbs={[{ name: 'Assets', path: to.assets({ companyId }) }]} of={answer}>
      {({ asset }) => <Shown key={asset.id} asset={asset} again={answer.again} />}
    </AnsweredPage>
  )
}

function Shown({ asset, again }: { asset: AssetDetail; again: () => Promise<void> }) {
  const companyId = useCompanyId()
  const [{ tab }, setState] = useUrlState(shape)
  const [imported, setImported] = useState(0)
  const followed = useFollowed({ assetId: asset.id })
  const open = asset.pendingVulnerabilitiesStats.reduce((sum, { count: many }) => sum + many, 0)
  return (
    <Page
      title={asset.name}
      crumbs={[{ name: 'Assets', path: to.assets({ companyId }) }]}
      count={<Link to={to.findings({ companyId }, `asset=${asset.id}`)}>{counted(open, 'open finding')}</Link>}
      actions={<Actions asset={asset} followed={followed} again={again} />}
    >
      <div className={styles.drop}>
        <ReportDrop
          assetId={asset.id}
          kind={tab === 'components' ? 'bill' : 'report'}
          onDone={() => {
            setImported((before) => before + 1)
            void again()
          }}
        />
      </div>
      <Tabs
        label="Asset sections"
        value={tab}
        onChange={(next) => setState({ tab: next })}
        tabs={[
          {
            value: 'about',
            name: 'About',
            content: <About asset={asset} followed={followed} open={open} imported={imported} />,
          },
          {
            value: 'deploys',
            name: 'Deploys',
            content: <DeploysOfAsset key={imported} companyId={companyId} assetId={asset.id} />,
          },
          { value: 'imports', name: 'Imports', content: <ImportTable key={imported} assetId={asset.id} /> },
          { value: 'components', name: 'Components', content: <Components key={imported} assetId={asset.id} /> },
          { value: 'scanner', name: 'Scanner', content: <Scanner assetId={asset.id} /> },
          { value: 'gate', name: 'Gate', content: <GateOfAsset assetId={asset.id} />, isNamed: true },
        ]}
      />
    </Page>
  )
}

type ActionsProps = { asset: AssetDetail; followed: List<Associated>; again: () => Promise<void> }

function Actions({ asset, followed, again }: ActionsProps) {
  const companyId = useCompanyId()
  const { session } = useSession()
  const [open, setOpen] = useState<'cards' | 'asset' | null>(null)
  const change = useChange()
  const navigate = useNavigate()
  const close = () => setOpen(null)
  const remove = async () => {
    await change(DeleteAsset, { input: { id: asset.id } })
    say(`${asset.name} deleted.`)
    navigate(to.assets({ companyId }))
  }
  const sync = async () => {
    const { syncAsset } = await change(SyncAsset, { input: { assetId: asset.id } }, ['ControlSyncStatus'])
    const scanners = syncAsset?.controlSyncStatuses.length ?? 0
    const asked = [
      ...(scanners > 0 ? [counted(scanners, 'scanner')] : []),
      ...(syncAsset?.isSourceAsked ? ['the repository'] : []),
    ]
    say(`Sync started: ${asked.join(' and ')}.`)
  }
  return (
    <>
      <ButtonLink to={to.findings({ companyId }, `asset=${asset.id}`)}>Findings</ButtonLink>
      <ActionButton
        action={sync}
        disabledReason={whyNot(session, companyId, 'scans:write') ?? whyNotAsked(asset, followed)}
        hint="Polls external scanners and the repository for changes now"
      >
        Sync now
      </ActionButton>
      <Button
        onClick={() => setOpen('cards')}
        disabledReason={whyNot(session, companyId, 'issues:write')}
        hint="In a tracker, for open findings without one"
      >
        Create cards…
      </Button>
      <Button onClick={() => setOpen('asset')} disabledReason={whyNot(session, companyId, 'assets:write')}>
        Edit…
      </Button>
      <DeleteButton
        what="asset"
        description={`${asset.name} is permanently deleted with its findings, deploys, imports and scans.`}
        disabledReason={whyNot(session, companyId, 'assets:delete')}
        action={remove}
      />
      {open === 'cards' && <CardsDialog assetId={asset.id} assetName={asset.name} onClose={close} />}
      {open === 'asset' && (
        <AssetDialog
          companyId={companyId}
          asset={asset}
          onClose={close}
          onDone={async () => {
            await again()
            close()
          }}
        />
      )}
    </>
  )
}

/** Why no outside tool can be asked about the asset; undefined if one can, or if that is not known yet. */
function whyNotAsked({ repoUrl }: AssetDetail, followed: List<Associated>): string | undefined {
  if (followed.isWaiting || followed.failure || followed.rows.length > 0) return undefined
  const unlinked = repoUrl
    ? 'No integration is linked to its repository'
    : 'It is not linked to a project of another tool'
  return `${unlinked}. Link it under Integrations, Projects.`
}

type AboutProps = { asset: AssetDetail; followed: List<Associated>; open: number; imported: number }

function About({ asset, followed, open, imported }: AboutProps) {
  const known = (value: string | null) =>
    value === null || value === 'NOT_DEFINED' || value === 'none' ? null : wordsOf(value.toUpperCase())
  return (
    <div className={styles.about}>
      <div className={styles.known}>
        <p className="words">{asset.description || 'No description.'}</p>
        <Facts
          facts={[
            { name: 'ID', fact: asset.id },
            {
              name: 'Risk',
              fact: (
                <span title={POINTS}>
                  {riskOf(asset.riskScore.current.value)} of 100, from{' '}
                  {counted(asset.riskScore.current.points, 'point')}
                </span>
              ),
            },
            { name: 'Type', fact: known(asset.assetType) },
            { name: 'Lifecycle', fact: known(asset.lifeCycle) },
            { name: 'Business impact', fact: known(asset.businessImpact) },
            { name: 'Exposure', fact: known(asset.exploitability) },
            { name: 'Data classification', fact: asset.dataClassification.map((one) => wordsOf(one)).join(', ') },
            { name: 'Environments', fact: asset.environmentList.join(', ') },
            { name: 'Repository', fact: asset.repoUrl && <OutsideLink to={asset.repoUrl} /> },
            { name: 'URL', fact: asset.url && <OutsideLink to={asset.url} /> },
            { name: 'Technologies', fact: asset.technologies.join(', ') },
            { name: 'Tags', fact: asset.tags.map(({ name }) => name).join(', ') },
            { name: 'Tools', fact: asset.integrations.map((one) => wordsOf(one)).join(', ') },
            { name: 'Created', fact: <Moment at={asset.createdAt} /> },
            { name: 'Updated', fact: <Moment at={asset.updatedAt} /> },
          ]}
        />
        <Followed list={followed} label="Linked projects" isOfAsset />
      </div>
      <Now assetId={asset.id} open={open} imported={imported} />
    </div>
  )
}
