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
    <Page title="Something went wrong">
      <div className="stack">
        <Failed failure={asFailure(error)} again={() => window.location.reload()} />
      </div>
    </Page>
  )
}

export function NotHere() {
  return (
    <Page title="Page not found">
      <div className="stack">
        <p>The address is wrong, or what it leads to was deleted.</p>
        <div>
          <ButtonLink to={to.start()}>Go to the start page</ButtonLink>
        </div>
      </div>
    </Page>
  )
}
