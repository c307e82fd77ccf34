// The page to which a vendor sends a person back: it turns the consent into an integration, or says why that failed.

import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { useChange } from '../../api/ask.ts'
import { asFailure, Failure } from '../../api/failure.ts'
import { Page } from '../../frame/page.tsx'
import { say } from '../../frame/toasts.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { to } from '../../util/path-builder.ts'
import { type Begun, findBegun, forgetBegun } from './begun.ts'
import { kinds } from './kinds.ts'
import { saveIntegration } from './save.ts'

/** The request that redeems the code, shared so that it runs only once however often the page mounts. */
let asked: { state: string; saving: Promise<string | undefined> } | undefined

/** Outside a company's frame: only the tab remembers which company the consent is for. */
export const Component = () => (
  <main>
    <Consent />
  </main>
)

function Consent() {
  const navigate = useNavigate()
  const change = useChange()
  // read at first render, before the code is removed from the address and with it from the history
  const [back] = useState(() => new URLSearchParams(window.location.search))
  const [begun] = useState(() => findBegun(back.get('state')))
  const [failure, setFailure] = useState<Failure>()
  useEffect(() => {
    window.history.replaceState(window.history.state, '', window.location.pathname)
    if (begun === null) return
    const refusal = refusalOf(back, begun)
    if (refusal !== null) return setFailure(refusal)
    const { companyId, kind, integrationId, addAnother, state, given, scans } = begun
    if (asked?.state !== state) {
      const whose = { companyId, ...(integrationId === undefined ? { addAnother } : { integrationId }) }
      const code = back.get('code') ?? ''
      asked = { state, saving: saveIntegration(change, kind, whose, { ...given, code, state }, scans) }
      forgetBegun()
    }
    asked.saving.then(
      (id) => {
        say(integrationId === undefined ? `${kinds[kind].name} connected.` : `${kinds[kind].name} settings saved.`)
        const search = integrationId === undefined && id !== undefined ? `connected=${id}` : undefined
        return navigate(to.integrations({ companyId }, search), { replace: true })
      },
      (error: unknown) => setFailure(asFailure(error)),
    )
  }, [back, begun, change, navigate])

  if (begun === null) {
    return (
      <Page title="Authorization">
        <div className="stack">
          <p>This authorization was not started in this tab or was already used. Nothing was changed; start again.</p>
          <div>
            <ButtonLink to={to.start()}>Go to overview</ButtonLink>
          </div>
        </div>
      </Page>
    )
  }
  const { name } = kinds[begun.kind]
  return (
    <Page title={`${name} authorization`}>
      {failure ? (
        <div className="stack">
          <p role="alert">{failure.message}</p>
          <p className="muted">Nothing was changed.</p>
          <div>
            <ButtonLink to={to.integrations({ companyId: begun.companyId })}>Back to integrations</ButtonLink>
          </div>
        </div>
      ) : (
        <p role="status">Completing authorization with {name}…</p>
      )}
    </Page>
  )
}

/** The reason why the vendor sent no code (RFC 6749, section 4.1.2.1). */
function refusalOf(back: URLSearchParams, { kind }: Begun): Failure | null {
  const { name } = kinds[kind]
  const error = back.get('error')
  if (error === null) return back.has('code') ? null : new Failure(`${name} returned no authorization code.`, 'REFUSED')
  const said = back.get('error_description') ?? error
  return new Failure(
    error === 'access_denied' ? `Access was denied at ${name}.` : `${name} refused authorization: ${said}`,
    'REFUSED',
  )
}
