// What is shown in place of a page that crashed or does not exist.

import { isRouteErrorResponse, useRouteError } from 'react-router'
import { asFailure } from '../api/failure.ts'
import { Failed } from '../ui/answered.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { to } from '../util/path-builder.ts'
import { Page } from './page.tsx'

export function Broken() {
  const error = useRouteError()
  if (isRouteErrorResponse(error) && error.status === 404) return <NotHere />
  return (
    <Page title="This page broke">
      <div className="stack">
        <Failed failure={asFailure(error)} again={() => window.location.reload()} />
      </div>
    </Page>
  )
}

export function NotHere() {
  return (
    <Page title="There is no such page">
      <div className="stack">
        <p>The address may have been mistyped, or what it leads to is gone.</p>
        <div>
          <ButtonLink to={to.start()}>To the first page</ButtonLink>
        </div>
      </div>
    </Page>
  )
}
