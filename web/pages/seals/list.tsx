// Seals: a badge for each asset that may publish its state, previewed live on the backgrounds it can be placed on.

import { useState } from 'react'
import { Link } from 'react-router'
import { useChange } from '../../api/ask.ts'
import { type EnumOf, graphql, type ResultOf } from '../../api/graphql.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { AssetField } from '../../choices/asset-field.tsx'
import { SelectField, TextField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import { say } from '../../frame/toasts.tsx'
import { Rest } from '../../table/rest.tsx'
import { useList } from '../../table/use-list.ts'
import { Awaited, Failed } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import { type Standing, StandingWord } from '../../ui/verdict.tsx'
import { to } from '../../util/path-builder.ts'
import { counted, optionsOf, wordsOf } from '../../util/words.ts'
import styles from './seals.module.css'

const Seals = graphql(`
  query Seals($companyId: ID!, $after: String) {
    seals(companyId: $companyId, pagination: { perPage: 20, after: $after }) {
      collection {
        id
        asset { id name }
        background
        domain
        enabled
        state
        grade
        posture
        svgUrl
        verifyUrl
        issuedAt
        expiresAt
        updatedAt
      }
      metadata { endCursor totalCount totalCountIsExact }
    }
  }
`)

const CreateSeal = graphql(`
  mutation CreateSealHere($input: CreateSealInput!) {
    createSeal(input: $input) { seal { id } }
  }
`)

const UpdateSeal = graphql(`
  mutation UpdateSealHere($input: UpdateSealInput!) {
    updateSeal(input: $input) { seal { id background enabled state grade posture } }
  }
`)

const DeleteSeal = graphql(`
  mutation DeleteSealHere($input: DeleteSealInput!) {
    deleteSeal(input: $input) { clientMutationId }
  }
`)

type Seal = ResultOf<typeof Seals>['seals']['collection'][number]
const backgrounds = ['LIGHT', 'DARK', 'TRANSPARENT'] as const satisfies readonly EnumOf<'SealBackground'>[]

const grades: Record<EnumOf<'SealGrade'>, Standing> = { A: 'good', B: 'good', C: 'warned', D: 'bad', E: 'bad' }

export function Component() {
  const companyId = useCompanyId()
  const { session } = useSession()
  const list = useList(Seals, { companyId }, ({ seals }) => seals)
  const [isAdding, setAdding] = useState(false)
  const mayNot = whyNot(session, companyId, 'seals:write')
  return (
    <Page
      title="Seals"
      count={list.total && counted(list.total.count, 'seal')}
      actions={
        <Button tone="main" onClick={() => setAdding(true)} disabledReason={mayNot}>
          New seal
        </Button>
      }
    >
      {list.failure && <Failed failure={list.failure} again={() => void list.again()} />}
      {list.isWaiting && <Awaited lines={8} />}
      {!list.isWaiting && list.rows.length === 0 && (
        <Empty title="No seals yet" command={`merlon seal create --company ${companyId} --asset <id or name>`}>
          <p>
            A seal is a signed public badge with an asset’s grade, from A to E. Anyone with its URL can verify it; it
            reveals no individual findings.
          </p>
        </Empty>
      )}
      <ul className={styles.seals}>
        {list.rows.map((seal) => (
          <li key={seal.id}>
            <Shown seal={seal} mayNot={mayNot} companyId={companyId} again={list.again} />
          </li>
        ))}
      </ul>
      <Rest of={list} what="seal" />
      {isAdding && <NewSeal companyId={companyId} onClose={() => setAdding(false)} onDone={list.again} />}
    </Page>
  )
}

type ShownProps = { seal: Seal; mayNot: string | undefined; companyId: string; again: () => Promise<void> }

function Shown({ seal, mayNot, companyId, again }: ShownProps) {
  const change = useChange()
  const [isDeleting, setDeleting] = useState(false)
  const set = (input: { background?: (typeof backgrounds)[number]; enabled?: boolean }) => async () => {
    await change(UpdateSeal, { input: { id: seal.id, ...input } }, ['Seal'])
    await again()
  }
  const picture = new URL(seal.svgUrl, window.location.origin)
  // The image is cached for minutes. The query string changes with the seal, so that an edit shows at once.
  const fresh = `${picture.pathname}?at=${encodeURIComponent(`${seal.updatedAt} ${seal.background} ${seal.enabled}`)}`
  const page = new URL(seal.verifyUrl, window.location.origin).href
  const name = `Security seal of ${seal.asset.name}`
  return (
    <article className={styles.seal} aria-label={`Seal of ${seal.asset.name}`}>
      <div className="row">
        <h2>
          <Link to={to.asset({ companyId, assetId: seal.asset.id })}>{seal.asset.name}</Link>
        </h2>
        <StandingWord of={seal.grade ? grades[seal.grade] : 'plain'}>
          {seal.grade ? `Grade ${seal.grade}` : wordsOf(seal.state)}
        </StandingWord>
        <span className="muted">{seal.posture}</span>
      </div>
      <div className={styles.grounds}>
        {(['light', 'dark', 'picture'] as const).map((ground) => (
          <div key={ground} className={`${styles.ground} ${styles[ground]}`}>
            <img
              src={fresh}
              alt={`${name}, on ${ground === 'picture' ? 'a picture' : `a ${ground} page`}`}
              height={40}
            />
          </div>
        ))}
      </div>
      <Facts
        facts={[
          { name: 'Embed code', fact: <CopyText text={snippet(picture.href, page, name)} what="the embed code" /> },
          {
            name: 'Verification',
            fact: (
              <a href={page} target="_blank" rel="noreferrer">
                Current state and signature
              </a>
            ),
          },
          { name: 'Domain', fact: seal.domain },
          { name: 'Issued', fact: <Moment at={seal.issuedAt} /> },
          { name: 'Expires', fact: seal.expiresAt && <Moment at={seal.expiresAt} /> },
        ]}
      />
      <div className="row">
        {backgrounds
          .filter((background) => background !== seal.background)
          .map((background) => (
            <Form
              key={background}
              submit={`${wordsOf(background)} background`}
              isQuiet
              disabledReason={mayNot}
              action={set({ background })}
            >
              {null}
            </Form>
          ))}
        <Form
          submit={seal.enabled ? 'Disable' : 'Enable'}
          isQuiet
          disabledReason={mayNot}
          action={set({ enabled: !seal.enabled })}
        >
          {null}
        </Form>
        <Button tone="danger" disabledReason={mayNot} onClick={() => setDeleting(true)}>
          Delete
        </Button>
      </div>
      {isDeleting && (
        <Confirm
          title={`Delete the seal of ${seal.asset.name}`}
          description="Its URLs stop working; pages that embed it will show nothing."
          submit="Delete seal"
          action={async () => {
            await change(DeleteSeal, { input: { id: seal.id } }, ['Seal'])
            say('Seal deleted.')
            await again()
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </article>
  )
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

const snippet = (picture: string, page: string, name: string): string =>
  `<a href="${escaped(page)}"><img src="${escaped(picture)}" alt="${escaped(name)}" height="40"></a>`

type NewProps = { companyId: string; onClose: () => void; onDone: () => Promise<void> }

function NewSeal({ companyId, onClose, onDone }: NewProps) {
  const change = useChange()
  const create = async (filled: Filled) => {
    const until = filled.optional('expiresAt')
    const input = {
      assetId: filled.text('assetId'),
      background: filled.oneOf('background', backgrounds),
      domain: filled.optional('domain'),
      expiresAt: until === null ? null : new Date(until).toISOString(),
    }
    await change(CreateSeal, { input }, ['Seal'])
    say('Seal created.')
    await onDone()
    onClose()
  }
  return (
    <Dialog title="New seal" isOpen onClose={onClose}>
      <Form action={create} submit="Create seal" onCancel={onClose}>
        <AssetField companyId={companyId} label="Asset" />
        <SelectField name="background" label="Background" options={optionsOf(backgrounds)} />
        <TextField name="domain" label="Domain (optional)" placeholder="www.example.com" />
        <TextField name="expiresAt" label="Expires on (optional)" type="date" />
      </Form>
    </Dialog>
  )
}
